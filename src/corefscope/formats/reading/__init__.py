"""What readers of formats have in common: bytes, records, drafts, positions, the builder."""
