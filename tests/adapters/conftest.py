"""Leave out tests of packages that are not installed; ``make test-adapters`` leaves out none."""

from __future__ import annotations

import os
from importlib.util import find_spec

NEEDS = {
    "test_torchmetrics.py": "torchmetrics",
    "test_hugging_face.py": "evaluate",
    "test_spacy_scorer.py": "spacy",
}
collect_ignore = (
    []
    if "ALL_ADAPTERS" in os.environ
    else [file for file, package in NEEDS.items() if find_spec(package) is None]
)
