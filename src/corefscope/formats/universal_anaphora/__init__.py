"""CoNLL-U Plus as Universal Anaphora uses it: markables with ids in named columns."""
