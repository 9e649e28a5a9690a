"""``python -m corefscope``."""

from corefscope.cli import main

main()
