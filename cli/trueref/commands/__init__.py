"""The commands, one in each module. Each module has a `command`, which imports what it needs when it runs."""
