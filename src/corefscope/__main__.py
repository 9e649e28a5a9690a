"""``python -m corefscope``, and what the command ``corefscope`` runs."""

import sys

from corefscope.last_resort import reserve_standard_descriptors, status_of


def run() -> None:
    """Run the command; nothing ends in a traceback, not even while it is loaded."""
    reserve_standard_descriptors()
    sys.exit(status_of(_command, is_last=True))


def _command() -> None:
    from corefscope.cli import main

    main()


if __name__ == "__main__":
    run()
