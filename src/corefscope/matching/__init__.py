"""Pair the documents and mentions of key and response, and count their overlap."""
