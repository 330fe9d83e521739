"""What goes back to a client: errors, events, and the files of documents and of the widget."""
