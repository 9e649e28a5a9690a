"""Scores: what they are counted from, and how they are shown."""
