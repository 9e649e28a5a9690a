"""Small documents, and responses that move some of their mentions to other entities."""

from __future__ import annotations

from random import Random

Documents = dict[str, list[list[int]]]


def small_documents(count: int = 40) -> Documents:
    """Documents of twelve mentions in entities of three, two, and one."""
    return {f"d{n}": [[0, 1, 2], [3, 4, 5], [6, 7], [8, 9], [10], [11]] for n in range(count)}


def noisy(gold: Documents, seed: int, noise: float) -> Documents:
    """A response that moves mentions to other entities at random."""
    random = Random(seed)
    moved = {}
    for name, entities in gold.items():
        response: list[list[int]] = [[] for _ in entities]
        for place, entity in enumerate(entities):
            for mention in entity:
                away = random.random() < noise
                response[random.randrange(len(entities)) if away else place].append(mention)
        moved[name] = [entity for entity in response if entity]
    return moved
