"""Small documents for tests of error tables and lists, written so that a reader can count.

A text is one tree a line, with ``word/TAG`` at the leaves. Entities and names are brackets in the
same words: ``[1 Anna] saw [1 her [2 dog]] .``. Where sentences do not matter, a document is a list
of noun phrases, one a line, with its named-entity type and its entity on each side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import corefscope as cs
from corefscope.error_analysis import Analysis
from corefscope.evaluation import Evaluation

NAME = "(d); part 000"
LAYERS = "tags parse names"

TOWN = """
(S (NP Anna/NNP) (VP met/VBD (NP the/DT mayor/NN)) ./.)
(S (NP She/PRP) (VP liked/VBD (NP him/PRP)) ./.)
(S (NP The/DT mayor/NN) (VP saw/VBD (NP a/DT dog/NN)) ./.)
(S (NP It/PRP) (VP liked/VBD (NP Anna/NNP)) ./.)
"""
TOWN_NAMES = "[PERSON Anna] met the mayor . She liked him . The mayor saw a dog . It liked Anna ."
TOWN_KEY = (
    "[1 Anna] met [2 the mayor] . [1 She] liked [2 him] . "
    "[2 The mayor] saw [3 a dog] . [3 It] liked [1 Anna] ."
)
TOWN_A = (
    "[1 Anna] met [2 the mayor] . [1 She] liked [1 him] . "
    "[2 The mayor] saw a dog . It liked [1 Anna] ."
)
"""One conflated entity (him), one divided (him), one missing (a dog, It)."""
TOWN_B = (
    "[1 Anna] [4 met] [2 the mayor] . [1 She] [4 liked] [2 him] . "
    "[2 The mayor] [2 saw] a [3 dog] . [3 It] liked Anna ."
)
"""One span error (dog), extra mention (saw), extra entity (met, liked), missing mention (Anna)."""


def town(entities: str, name: str = NAME, layers: str = LAYERS) -> str:
    """The example that most tests read: nineteen words, three entities, eight mentions."""
    return document(TOWN, entities, TOWN_NAMES, name, layers)


def document(
    trees: str, entities: str = "", names: str = "", name: str = NAME, layers: str = LAYERS
) -> str:
    """A document in the twelve columns of CoNLL-2012; layers that are not named stay empty."""
    sentences = [_leaves(tree) for tree in trees.strip().splitlines()]
    words = [word for sentence in sentences for word, _, _ in sentence]
    cells, types = _cells(words, entities), _name_bits(words, names)
    lines, token = [f"#begin document {name}"], 0
    for sentence in sentences:
        for number, (word, tag, bit) in enumerate(sentence):
            tag = tag if "tags" in layers else "-"
            bit = bit if "parse" in layers else "-"
            kind = types[token] if "names" in layers else "*"
            columns = ["d", "0", str(number), word, tag, bit, "-", "-", "-", "-", kind]
            lines.append("\t".join([*columns, cells[token]]))
            token += 1
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def phrases(lines: str, name: str = NAME, layers: str = LAYERS) -> list[str]:
    """The key and the responses of noun phrases, one a line: words, type, entity on each side."""
    rows = [re.split(r"  +", line.strip()) for line in lines.strip().splitlines()]
    trees = "\n".join(f"(NP {row[0]})" for row in rows)
    texts = [re.sub(r"/\S+", "", row[0]) for row in rows]

    def marked(column: int) -> str:
        marks = [row[column] for row in rows]
        pairs = zip(texts, marks, strict=True)
        return " ".join(text if mark == "-" else f"[{mark} {text}]" for text, mark in pairs)

    names = marked(1)
    return [document(trees, marked(i), names, name, layers) for i in range(2, len(rows[0]))]


def _leaves(tree: str) -> list[tuple[str, str, str]]:
    """Word, tag and parse bit of each leaf: what stands between two leaves goes to the first."""
    leaves: list[tuple[str, str, str]] = []
    opened = ""
    for part in re.findall(r"\([^\s()]+|\)|[^\s()]+", tree):
        if part.startswith("("):
            opened += part
        elif part == ")":
            word, tag, bit = leaves[-1]
            leaves[-1] = word, tag, f"{bit})"
        else:
            word, _, tag = part.rpartition("/")
            leaves.append((word, tag, f"{opened}*"))
            opened = ""
    return leaves


def _marked(words: Sequence[str], text: str) -> list[tuple[str, int, int]]:
    """Label, first and last word of each bracket."""
    spans: list[tuple[str, int, int]] = []
    stack: list[tuple[str, int]] = []
    found: list[str] = []
    for part in re.findall(r"\[\S+|\]|[^\s\]]+", text):
        if part.startswith("["):
            stack.append((part[1:], len(found)))
        elif part == "]":
            label, start = stack.pop()
            spans.append((label, start, len(found) - 1))
        else:
            found.append(part)
    assert found == list(words) and not stack, f"{text!r} is not the text"
    return spans


def _cells(words: Sequence[str], entities: str) -> list[str]:
    cells: list[list[str]] = [[] for _ in words]
    for label, start, end in sorted(
        _marked(words, entities) if entities else [], key=lambda span: (span[1], -span[2])
    ):
        if start == end:
            cells[start].append(f"({label})")
        else:
            cells[start].append(f"({label}")
            cells[end].insert(0, f"{label})")
    return ["|".join(cell) or "-" for cell in cells]


def _name_bits(words: Sequence[str], names: str) -> list[str]:
    bits = ["*"] * len(words)
    for label, start, end in _marked(words, names) if names else []:
        bits[start] = f"({label})" if start == end else f"({label}*"
        if start != end:
            bits[end] = "*)"
    return bits


def write(folder: Path, key: str, *responses: str) -> list[str]:
    """Write ``key.conll``, ``a.conll``, ``b.conll`` and so on; return their paths."""
    names = ["key", *"abcdefgh"[: len(responses)]]
    paths = [folder / f"{name}.conll" for name in names]
    for path, text in zip(paths, (key, *responses), strict=True):
        path.write_text(text, encoding="utf-8")
    return [str(path) for path in paths]


def analyses(folder: Path, key: str, *responses: str) -> list[Analysis]:
    """Write a key and responses, and analyse these."""
    gold, *systems = write(folder, key, *responses)
    return [cs.analyze(gold, system) for system in systems]


def evaluated(folder: Path, key: str, *responses: str) -> Evaluation:
    """Systems ``a``, ``b`` and so on, as tables take them."""
    gold, *systems = write(folder, key, *responses)
    return cs.evaluate(gold, {Path(system).stem: system for system in systems})
