"""The commands, one a module. Each holds a `command` and imports what it needs when it runs."""
