"""Carry the mentions of a response over to the tokens of its key."""
