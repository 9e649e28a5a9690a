"""JSON lines with ``doc_key``, ``sentences`` and ``clusters``."""
