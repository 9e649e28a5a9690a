"""The native format of corefscope."""
