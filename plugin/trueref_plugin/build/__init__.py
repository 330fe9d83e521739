"""The build of an index, from a site folder to a published generation, and what a build writes into the site."""
