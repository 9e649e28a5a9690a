"""The entry point of ``python -m corefscope`` and of the command ``corefscope``."""

import gc
import sys

from corefscope.last_resort import reserve_standard_descriptors, status_of

ALLOCATIONS = 1_000_000
"""How many objects are made between two searches for garbage among them. Our data hardly has
cycles, and by default Python would spend a quarter of the time of a large report searching."""
NEVER = 1_000_000
"""How many such searches are made before older objects are searched as well."""


def run() -> None:
    """Run the command without ever showing a traceback, not even if loading it fails."""
    gc.set_threshold(ALLOCATIONS, NEVER, NEVER)
    reserve_standard_descriptors()
    status = status_of(_command, is_last=True)
    if "duckdb" not in sys.modules:
        # The interpreter would search everything once more before it exits. Without that, DuckDB
        # prints to standard error that its types were not released.
        gc.freeze()
    sys.exit(status)


def _command() -> None:
    from corefscope.cli import main

    main()


if __name__ == "__main__":
    run()
