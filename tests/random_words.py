"""Random texts with empty nodes, mentions with gaps, heads and zeros, and changed copies."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from corefscope.corpus import Corpus
from corefud_text import Node, Opened, Text, corpus_of_rows

Word = tuple[int, str]
"""A sentence, and the ID of a word in it."""
RELATIONS = ("nsubj", "obj", "dep")


@dataclass(frozen=True)
class RandomMention:
    entity: str
    words: tuple[Word, ...]
    head: Word


def random_pair(random: Random, documents: int = 2) -> tuple[Corpus, Corpus]:
    """Return a key and a response of the same words."""
    sides: tuple[list[tuple[Text, list[RandomMention]]], list[tuple[Text, list[RandomMention]]]]
    sides = ([], [])
    for number in range(documents):
        text = _text(random, f"d{number}")
        mentions = [_mention(random, text) for _ in range(random.randint(0, 9))]
        sides[0].append((text, mentions))
        other = _other_nodes(random, text)
        sides[1].append((other, _changed(random, text, other, mentions)))
    return _corpus(sides[0]), _corpus(sides[1])


def _text(random: Random, name: str) -> Text:
    text = Text(name)
    for sentence in range(random.randint(1, 2)):
        nodes = []
        for word in range(random.randint(2, 6) + 1):
            if word:
                nodes.append(Node(sentence, (word, 0), str(word), f"w{word}", "_", ""))
            for order in range(1, random.choice((1, 1, 1, 2, 3))):
                nodes.append(_node(random, sentence, word, order))
        text.sentences.append(nodes)
    return text


def _node(random: Random, sentence: int, word: int, order: int) -> Node:
    deps = "|".join(
        sorted(
            f"{random.randint(1, 3)}:{random.choice(RELATIONS)}"
            for _ in range(random.randint(0, 2))
        )
    )
    return Node(sentence, (word, order), f"{word}.{order}", "_", deps or "_", "")


def _other_nodes(random: Random, text: Text) -> Text:
    other = Text(text.name)
    for number, sentence in enumerate(text.sentences):
        nodes = []
        for node in sentence:
            if node.number[1] and random.random() < 0.3:
                continue
            nodes.append(_node(random, number, *node.number) if node.number[1] else node)
        other.sentences.append(nodes)
    return other


def _mention(random: Random, text: Text) -> RandomMention:
    number = random.randrange(len(text.sentences))
    names = [(number, node.name) for node in text.sentences[number]]
    start = random.randrange(len(names))
    words = names[start : start + random.randint(1, 4)]
    if len(words) > 2 and random.random() < 0.3:
        del words[random.randrange(1, len(words) - 1)]
    return RandomMention(random.choice("abc"), tuple(words), random.choice(words))


def _changed(
    random: Random, text: Text, other: Text, mentions: list[RandomMention]
) -> list[RandomMention]:
    there = {(number, node.name) for number, nodes in enumerate(other.sentences) for node in nodes}
    changed = []
    for mention in [*mentions, *(_mention(random, text) for _ in range(random.randint(0, 3)))]:
        words = [word for word in mention.words if word in there]
        if random.random() < 0.3:
            words = words[random.randint(0, 1) :]
        if not words or random.random() < 0.15:
            continue
        head = mention.head if random.random() < 0.8 else random.choice(words)
        entity = mention.entity if random.random() < 0.8 else random.choice("abc")
        kept = head if head in words else words[0]
        changed.append(RandomMention(entity, tuple(words), kept))
    return changed


def _corpus(documents: list[tuple[Text, list[RandomMention]]]) -> Corpus:
    rows = []
    for text, mentions in documents:
        place: dict[Word, int] = {}
        for sentence in text.sentences:
            for node in sentence:
                place[node.sentence, node.name] = len(place)
        opened = []
        for mention in mentions:
            tokens = sorted(place[word] for word in mention.words)
            head = tokens.index(place[mention.head]) + 1
            opened.append(Opened(mention.entity, [(t, t) for t in tokens], head, tokens[0]))
        rows.append(opened)
    return corpus_of_rows([text for text, _ in documents], rows)
