"""CoNLL-2011/2012 and SemEval columns (docs/ref/formats.md)."""
