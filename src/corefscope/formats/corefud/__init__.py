"""CoNLL-U with coreference, as CorefUD has it (docs/formats.md)."""
