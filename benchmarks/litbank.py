"""Score one response to LitBank under the protocols of common tools.

``python benchmarks/litbank.py KEY`` reads the coreference of LitBank (its folder of CoNLL or brat
files), makes a response with random errors from it, and prints the CoNLL score under each protocol:
the table of docs/why/scores-disagree.md. ``--response FILE`` scores a response that is there.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping

import corefscope as cs

PROTOCOLS = ("conll-2012", "macro", "no-singletons", "e2e")
Clusters = list[list[tuple[int, int]]]


def with_errors(corpus: cs.Corpus, seed: int = 1) -> Mapping[str, Clusters]:
    """Return the clusters of a corpus with errors: moved, lost and invented mentions."""
    draw = random.Random(seed)
    response: dict[str, Clusters] = {}
    for document in corpus:
        clusters: Clusters = [[]]
        for entity in document.entities:
            clusters.append([])
            for mention in entity:
                fate = draw.random()
                if fate >= 0.08:
                    place = draw.randrange(len(clusters)) if fate < 0.18 else -1
                    clusters[place].append((mention.start, mention.end))
        response[document.name] = [cluster for cluster in clusters if cluster]
    return response


def main() -> None:
    """Print a row for each protocol."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("key")
    parser.add_argument("--response")
    arguments = parser.parse_args()
    key = cs.read(arguments.key)
    response = arguments.response or with_errors(key)
    for profile in PROTOCOLS:
        scores = cs.score(key, response, profile=profile)
        figures = [scores.muc.f1, scores.b3.f1, scores.ceafe.f1, scores.conll or 0]
        print(f"{profile:15}" + "".join(f"{100 * figure:8.2f}" for figure in figures))


if __name__ == "__main__":
    main()
