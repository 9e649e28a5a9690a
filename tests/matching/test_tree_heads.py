"""Heads that a file does not give come from its dependency trees."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

import corefscope as cs
from anaphora_text import COLUMNS, mark, only
from corefscope.corpus import Corpus, Integers
from corefscope.corpus.layers import TextColumns, TextLayers
from corefscope.matching.heads import tree_heads
from random_words import random_pair

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")

SENTENCE = ("the", "old", "man", "of", "Rome", "sleeps", "he", "snores")
HEADS = (3, 3, 6, 5, 3, 0, 8, 6)
"""The heads of the words, counted from 1; 'man' is the head of the first five words."""


# ---- The rule, word by word ----


@dataclass
class Trees(TextLayers):
    """The layers of a corpus with trees."""

    corpus: Corpus
    heads: list[list[int]]

    def text(self, document: int) -> TextColumns:
        assert self.corpus.layers is not None
        given = self.corpus.layers.text(document)
        column = [str(head) for head in self.heads[document]]
        return TextColumns(sentences=given.sentences, columns={**given.columns, "heads": column})


def with_random_trees(random: Random, corpus: Corpus) -> Corpus:
    """Return a corpus whose words depend on any others; there may be cycles."""
    heads = [
        [random.randrange(-1, int(tokens)) for _ in range(int(tokens))]
        for tokens in corpus.document_tokens
    ]
    return replace(corpus, mention_heads=None, openings=None, layers=Trees(corpus, heads))


def by_definition(corpus: Corpus) -> list[int]:
    """The first plain word of each mention whose head is no word of it, else its first token."""
    assert isinstance(corpus.layers, Trees)
    found = []
    for row in range(len(corpus.mention_entity)):
        document = corpus.document_of(row)
        first, last = corpus.mention_spans[row].tolist()
        parts = corpus.mention_parts.get(row, ((first, last),))
        tokens = [token for start, end in parts for token in range(start, end + 1)]
        nodes = corpus.empty_nodes
        empty = set(nodes.tokens_of(document)) if nodes else set()
        roots = [
            token
            for token in tokens
            if token not in empty and corpus.layers.heads[document][token] not in tokens
        ]
        found.append(roots[0] if roots else tokens[0])
    return found


def has_trees(corpus: Corpus) -> bool:
    assert isinstance(corpus.layers, Trees)
    return all(any(head >= 0 for head in heads) for heads in corpus.layers.heads)


def test_the_head_of_random_mentions() -> None:
    """Mentions with gaps, with empty nodes, and in trees with cycles."""
    gaps = 0
    for seed in range(150):
        random = Random(seed)
        for side in random_pair(random):
            corpus = with_random_trees(random, side)
            if has_trees(corpus):
                assert tree_heads(corpus).tolist() == by_definition(corpus), seed
                gaps += len(corpus.mention_parts)
    assert gaps > 100


@pytest.mark.parametrize("match", ["head", "partial"])
def test_pairs_are_those_of_the_same_heads_in_the_file(match: str) -> None:
    compared = 0
    for seed in range(80):
        random = Random(seed)
        bare = [with_random_trees(random, side) for side in random_pair(random)]
        if not all(map(has_trees, bare)):
            continue
        given = [
            replace(side, mention_heads=np.array(by_definition(side), np.int64)) for side in bare
        ]
        found = cs.score(*bare, match=match)  # type: ignore[arg-type]
        expected = cs.score(*given, match=match)  # type: ignore[arg-type]
        assert found.metrics == expected.metrics and found.stages == expected.stages, seed
        compared += 1
    assert compared > 50


# ---- Files ----


def conllu(fields: str, mention: str, heads: tuple[int, ...] = HEADS) -> str:
    """A document in which the mention up to 'Rome' and 'he' are one entity."""
    annotated = {0: mention, 4: "e1)", 6: "(e1)"}
    rows = [
        f"{number}\t{word}\t_\t_\t_\t_\t{head or 0}\tdep\t_\t"
        + (f"Entity={annotated[number - 1]}" if number - 1 in annotated else "_")
        for number, (word, head) in enumerate(zip(SENTENCE, heads, strict=True), 1)
    ]
    return "\n".join(["# newdoc id = x", f"# global.Entity = {fields}", *rows, "", ""])


def read(folder: Path, text: str, name: str) -> Corpus:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return cs.read(path)


def shorter(folder: Path) -> Corpus:
    """A response with 'old man' instead of 'the old man of Rome'; its head is 'man'."""
    text = conllu("eid-head", "_").replace("Entity=_", "_").replace("Entity=e1)", "_")
    text = text.replace(
        "2\told\t_\t_\t_\t_\t3\tdep\t_\t_", "2\told\t_\t_\t_\t_\t3\tdep\t_\tEntity=(e1-2"
    )
    text = text.replace(
        "3\tman\t_\t_\t_\t_\t6\tdep\t_\t_", "3\tman\t_\t_\t_\t_\t6\tdep\t_\tEntity=e1)"
    )
    return read(folder, text, "response.conllu")


def codes(scores: cs.Scores) -> list[str]:
    return [finding.code.id for finding in scores.findings]


def test_a_declaration_without_heads(tmp_path: Path) -> None:
    """By the file the head would be 'the'; the official scorer takes it."""
    key = read(tmp_path, conllu("eid", "(e1"), "key.conllu")
    response = shorter(tmp_path)
    ours = cs.score(key, response, match="head")
    assert ours.stages == {"equal": 1, "head": 1} and codes(ours) == ["W226"]
    assert "no head for 1 of 2 mentions of the key" in str(ours.findings[0])
    official = cs.score(key, response, profile="corefud")
    assert official.stages == {"equal": 1} and codes(official) == ["W237"]


def test_declared_heads_are_taken_although_there_is_a_tree(tmp_path: Path) -> None:
    key = read(tmp_path, conllu("eid-head", "(e1"), "key.conllu")
    assert cs.score(key, shorter(tmp_path), match="head").stages == {"equal": 1}


def test_heads_of_minspan_are_heads_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    path.write_text(conllu("eid-minspan", "(e1-1"), encoding="utf-8")
    found = cs.score(cs.read(path, head="minspan"), shorter(tmp_path), match="head")
    assert found.stages == {"equal": 1} and codes(found) == []


def universal_anaphora(heads: tuple[int, ...]) -> str:
    cells = {0: mark(1, "m1"), 4: ")", 6: only(1, "m2")}
    rows = [
        "\t".join([str(n), word, *"____", str(head), *"___", cells.get(n - 1, "_"), "_", "_"])
        for n, (word, head) in enumerate(zip(SENTENCE, heads, strict=True), 1)
    ]
    return "\n".join([f"# global.columns = {COLUMNS}", "# newdoc id = x", *rows, "", ""])


def json_line(heads: list[int] | None) -> str:
    record = {"doc_key": "x", "sentences": [SENTENCE], "clusters": [[[0, 4], [6, 6]]]}
    return json.dumps(record | ({} if heads is None else {"heads": [heads]}))


def test_formats_without_heads(tmp_path: Path) -> None:
    for name, text in (
        ("key.conllup", universal_anaphora(HEADS)),
        ("key.jsonl", json_line([head - 1 for head in HEADS])),
    ):
        found = cs.score(read(tmp_path, text, name), shorter(tmp_path), match="head")
        assert found.stages == {"equal": 1, "head": 1} and codes(found) == ["W226"], name


def test_files_with_neither_are_refused(tmp_path: Path) -> None:
    for name, text in (
        ("key.conllup", universal_anaphora((0,) * 8)),
        ("key.jsonl", json_line(None)),
        ("key.conllu", conllu("eid", "(e1", (0,) * 8)),
    ):
        key = read(tmp_path, text, name)
        with pytest.raises(cs.InvalidInput, match=r"no dependency tree.*E220"):
            cs.score(key, shorter(tmp_path), match="head")


def test_words_alone_have_their_own_heads() -> None:
    found = cs.score([[(0, 0), (1, 1)]], [[(0, 0), (1, 1)]], match="head")
    assert found.stages == {"equal": 2} and codes(found) == []


def test_some_documents_without_trees(tmp_path: Path) -> None:
    other = json_line(None).replace('"x"', '"y"')
    key = read(tmp_path, json_line([head - 1 for head in HEADS]) + "\n" + other, "key.jsonl")
    found = cs.score(key, key, match="head")
    assert found.conll == 1.0 and codes(found) == ["W226", "W226", "W226", "W226"]
    assert "1 of 4 mentions of the response" in str(found.findings[2])


def test_the_heads_of_a_key_are_found_once_for_all_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = read(tmp_path, conllu("eid", "(e1"), "key.conllu")
    calls: list[Corpus] = []

    def counted(corpus: Corpus) -> Integers:
        calls.append(corpus)
        return tree_heads(corpus)

    monkeypatch.setattr("corefscope.matching.heads.tree_heads", counted)
    systems = {"a": shorter(tmp_path), "b": shorter(tmp_path)}
    results = cs.evaluate(key, systems, match="head")
    assert all(results[name].scores.stages["head"] == 1 for name in systems)
    assert calls == [key]
