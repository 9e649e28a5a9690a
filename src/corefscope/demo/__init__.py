"""The example corpus: ten short texts, and the output of three small rule-based resolvers."""

from __future__ import annotations

from pathlib import Path

DIRECTORY = Path(__file__).parent
KEY = DIRECTORY / "key.conll"
RESPONSES = {name: DIRECTORY / f"{name}.conll" for name in ("string-match", "recency", "sieve")}
