"""CoNLL-U with coreference, as CorefUD has it (docs/ref/formats.md)."""
