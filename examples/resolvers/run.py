"""Run the three resolvers over the demo corpus and write their responses beside its key."""

from __future__ import annotations

import sys
from pathlib import Path

import recency
import sieve
import string_match

import corefscope as cs

DEMO = Path(__file__).parents[2] / "src" / "corefscope" / "demo"
RESOLVERS = {
    "string-match": string_match.resolve,
    "recency": recency.resolve,
    "sieve": sieve.resolve,
}


def main(target: Path) -> None:
    """Write one response for each resolver."""
    key = cs.read(DEMO / "key.conll")
    for system, resolve in RESOLVERS.items():
        response = key.with_clusters({document.name: resolve(document) for document in key})
        cs.write(response, target / f"{system}.conll")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEMO)
