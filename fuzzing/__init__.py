"""A fuzzer for all commands and readers; CONTRIBUTING.md explains it under "Fuzzing".

It uses the reference implementations of the tests, and the writers of the benchmarks.
"""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("tests", "benchmarks")]
