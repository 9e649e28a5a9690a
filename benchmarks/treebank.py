"""Made-up CorefUD files, the same on every machine: a key, and a response with errors.

``python treebank.py treebank`` writes a preset under ``data/``, unless it is there already, and
prints the paths of both files. About a quarter of the words begin a mention, as in GUM; one
sentence in three has an empty node, and one mention in 200 has a gap.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

VERSION = 1
"""Of what is generated: files of another version are not used."""
DATA = Path(__file__).parent / "data"
SIZES = {"treebank": (200, 250_000), "novel": (1, 200_000)}
"""Documents and words of each preset."""
SENTENCE = 18
"""Words of a sentence on average."""
MENTIONS = 0.25
"""Mentions per word."""
DROPPED, MOVED, SHIFTED, OTHER_HEAD = 0.08, 0.10, 0.15, 0.03
"""Shares of the mentions that a response lacks, has in another entity, has with another first or
last word, and has with another head."""
TAGS = (
    "NOUN\tNN\tNumber=Sing",
    "PROPN\tNNP\tNumber=Sing",
    "VERB\tVBZ\tMood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
    "ADP\tIN\t_",
    "DET\tDT\tDefinite=Def|PronType=Art",
    "PRON\tPRP\tCase=Nom|Gender=Masc|Number=Sing|Person=3|PronType=Prs",
    "PUNCT\t,\t_",
)
"""Tags and features. With them and with the text of sentences a word takes 65 bytes, in GUM 75."""
ZEROS, ELSEWHERE, GAPS = 0.33, 0.2, 0.005
"""Sentences with an empty node, empty nodes that the response has elsewhere, mentions with gaps."""


@dataclass(frozen=True)
class Mention:
    """Places in a sentence, counted from 1; a zero is after the word of its place."""

    entity: int
    first: int
    last: int
    head: int
    has_gap: bool = False


@dataclass(frozen=True)
class Sentence:
    """The head of each word, the mentions, and the empty node if there is one."""

    heads: list[int]
    mentions: list[Mention]
    zero: tuple[int, int] | None
    """The word before an empty node, and its entity."""


def sentences(random: Random, words: int) -> Iterator[Sentence]:
    """Yield the sentences of a document of the key."""
    entities, so_far = max(words // 12, 2), 0
    while so_far < words:
        length = random.randint(4, 2 * SENTENCE - 4)
        so_far += length
        heads = [0, *(random.randint(max(1, n - 4), n - 1) for n in range(2, length + 1))]
        spans: dict[tuple[int, int], Mention] = {}
        for _ in range(round(length * MENTIONS)):
            first = random.randint(1, length)
            last = min(first + int(random.expovariate(0.5)), length)
            entity = min(int(random.paretovariate(0.6)), entities)
            has_gap = last - first >= 2 and random.random() < 2 * GAPS
            head = next(n for n in range(first, last + 1) if not first <= heads[n - 1] <= last)
            spans[first, last] = Mention(entity, first, last, head, has_gap)
        # Brackets cannot express that two mentions of one entity cross.
        mentions = list({each.entity: each for each in spans.values()}.values())
        zero = None
        if random.random() < ZEROS:
            zero = random.randint(1, length), random.randint(1, entities)
        yield Sentence(heads, mentions, zero)


def noisy(random: Random, sentence: Sentence) -> Sentence:
    """Return a sentence of the response."""
    mentions = []
    for each in sentence.mentions:
        fate = random.random()
        if fate < DROPPED:
            continue
        entity, first, last, head = each.entity, each.first, each.last, each.head
        if fate < DROPPED + MOVED:
            entity = random.randint(1, 50)
        elif fate > 1 - SHIFTED:
            first, last = (
                (max(first - 1, 1), last)
                if random.random() < 0.5
                else (first, min(last + 1, len(sentence.heads)))
            )
        if random.random() < OTHER_HEAD:
            head = last
        mentions.append(Mention(entity, first, last, head, each.has_gap and last - first >= 2))
    zero = sentence.zero
    if zero is not None and random.random() < ELSEWHERE:
        zero = max(zero[0] - 1, 1), zero[1]
    once = {(each.first, each.last): each for each in mentions}.values()
    return Sentence(sentence.heads, list({each.entity: each for each in once}.values()), zero)


def lines(sentence: Sentence, number: int) -> Iterator[str]:
    """Yield the lines of a sentence."""
    opened: dict[int, list[str]] = {}
    closed: dict[int, list[str]] = {}
    for each in sorted(sentence.mentions, key=lambda m: (m.first, -m.last)):
        name, tail = f"e{each.entity}", f"--{_head_number(each)}-"
        parts = [("", each.first, each.last)]
        if each.has_gap:
            parts = [("[1/2]", each.first, each.first), ("[2/2]", each.first + 2, each.last)]
        for part, first, last in parts:
            if first == last:
                opened.setdefault(first, []).append(f"({name}{part}{tail})")
            else:
                opened.setdefault(first, []).append(f"({name}{part}{tail}")
                closed.setdefault(last, []).insert(0, f"{name}{part})")
    text = " ".join(f"w{word}" for word in range(len(sentence.heads)))
    yield f"# sent_id = {number}\n# text = {text}\n"
    for word, head in enumerate(sentence.heads, 1):
        cell = "".join([*closed.get(word, []), *sorted(opened.get(word, []), key=_is_one_word)])
        relation = "root" if head == 0 else "nsubj" if word % 3 else "obj"
        tags = TAGS[word * number % len(TAGS)]
        middle = f"w{word}\tw{word}\t{tags}\t{head}\t{relation}\t{head}:{relation}"
        yield f"{word}\t{middle}\t{f'Entity={cell}' if cell else '_'}\n"
        if sentence.zero is not None and sentence.zero[0] == word:
            entity = f"Entity=(e{sentence.zero[1]}--1-)"
            yield f"{word}.1\t_\t_\tPRON\t_\t_\t_\t_\t{sentence.heads[-1] or 1}:nsubj\t{entity}\n"
    yield "\n"


def _head_number(mention: Mention) -> int:
    """Return the number of the head among the words of a mention."""
    words = [
        word
        for word in range(mention.first, mention.last + 1)
        if not (mention.has_gap and word == mention.first + 1)
    ]
    return words.index(mention.head) + 1 if mention.head in words else 1


def _is_one_word(bracket: str) -> bool:
    return bracket.endswith(")")


def corpus_files(name: str) -> list[Path]:
    """Return the key and the response of a preset, written now if they are not there."""
    place = DATA / f"{name}-{VERSION}"
    paths = [place / "key.conllu", place / "response.conllu"]
    if all(path.exists() for path in paths):
        return paths
    place.mkdir(parents=True, exist_ok=True)
    random = Random(name)
    documents, words = SIZES[name]
    texts: tuple[list[str], list[str]] = ([], [])
    number = 0
    for document in range(documents):
        head = f"# newdoc id = d{document}\n# global.Entity = eid-etype-head-other\n"
        for text in texts:
            text.append(head)
        for sentence in sentences(random, words // documents):
            number += 1
            texts[0].extend(lines(sentence, number))
            texts[1].extend(lines(noisy(random, sentence), number))
    for path, text in zip(paths, texts, strict=True):
        part = path.with_suffix(".part")
        part.write_text("".join(text), encoding="utf-8")
        part.rename(path)
    return paths


def main(names: list[str]) -> None:
    """Write the presets and print where they are."""
    for name in names:
        print(*corpus_files(name), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
