"""Compare what two versions print, write and return on the same inputs (``make same-results``)."""
