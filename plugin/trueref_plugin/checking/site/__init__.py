"""Links of a built site: its pages, anchors and links as a browser has them."""
