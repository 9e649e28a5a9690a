"""A comparison of systems as tables, JSON, CSV, and a sentence for the paper."""
