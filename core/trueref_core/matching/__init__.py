"""What is near a name that nothing has exactly: pages and anchors that a link may mean."""
