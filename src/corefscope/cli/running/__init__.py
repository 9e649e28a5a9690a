"""What commands do: one module each, loaded when the command runs."""
