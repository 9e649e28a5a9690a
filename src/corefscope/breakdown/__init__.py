"""Scores of slices of a corpus."""
