"""The tables of a generation in LanceDB: written, searched, read by filters. Hides LanceDB and Arrow."""
