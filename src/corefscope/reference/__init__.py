"""What the reference scorer v8.01 counts and prints."""
