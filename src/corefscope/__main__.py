"""The entry point of ``python -m corefscope`` and of the command ``corefscope``."""

import sys

from corefscope.last_resort import reserve_standard_descriptors, status_of


def run() -> None:
    """Run the command without ever showing a traceback, not even if loading it fails."""
    reserve_standard_descriptors()
    sys.exit(status_of(_command, is_last=True))


def _command() -> None:
    from corefscope.cli import main

    main()


if __name__ == "__main__":
    run()
