"""The work of each command, in one module per command that is loaded when the command runs."""
