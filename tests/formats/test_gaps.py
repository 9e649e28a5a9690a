"""Mentions with gaps, heads and empty nodes in Python and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corefscope import Corpus, InvalidInput, read
from corefscope.formats.writing.files import encoded

RECORD: dict[str, Any] = {
    "doc_key": "x",
    "sentences": [["a", "b", "_"], ["_", "c", "d"]],
    "clusters": [[[0, 0], [[0, 1], [4, 4], [5, 5]]], [[2, 2]]],
}


def read_record(folder: Path, format: str | None = None, **fields: Any) -> Corpus:
    path = folder / "in.jsonl"
    path.write_text(json.dumps(RECORD | fields) + "\n")
    return read(path, format)


def codes(corpus: Corpus) -> list[str]:
    return [finding.code.id for finding in corpus.findings]


# ---- Python ----


def test_parts_in_python() -> None:
    corpus = Corpus.from_clusters({"x": [[((0, 1), (3, 3)), (2, 2)], [((0, 0), (1, 2))]]})
    assert corpus.mention_spans.tolist() == [[0, 3], [2, 2], [0, 2]]
    assert corpus.mention_parts == {0: ((0, 1), (3, 3))}
    assert [corpus.mention_id(row) for row in range(3)] == [((0, 1), (3, 3)), (2, 2), (0, 2)]
    mention, plain = corpus["x"].entities[0]
    assert (mention.start, mention.end, mention.parts) == (0, 3, ((0, 1), (3, 3)))
    assert plain.parts == ((2, 2),)
    assert Corpus.from_clusters({"x": [[mention, plain]]}).mention_parts == corpus.mention_parts


def test_parts_in_another_convention() -> None:
    corpus = Corpus.from_clusters({"x": [[((1, 3), (4, 5))]]}, base=1, ends="exclusive")
    assert corpus.mention_parts == {0: ((0, 1), (3, 3))}


def test_parts_beyond_the_text() -> None:
    text = Corpus.from_clusters({"x": []})
    for parts in (((0, 1), (3, 9)), ((-1, 0), (2, 2))):
        with pytest.raises(InvalidInput, match="E113"):
            text_of_four(text).with_clusters({"x": [[parts]]})


def text_of_four(corpus: Corpus) -> Corpus:
    import numpy as np
    from msgspec.structs import replace

    return replace(corpus, document_tokens=np.array([4]))


# ---- JSON lines ----


def test_parts_in_json_lines(tmp_path: Path) -> None:
    corpus = read_record(tmp_path)
    assert corpus.mention_parts == {1: ((0, 1), (4, 5))}
    assert codes(corpus) == []
    written = json.loads(encoded(corpus, "jsonl"))
    assert written["clusters"] == [[[0, 0], [[0, 1], [4, 5]]], [[2, 2]]]


def test_parts_in_json_lines_in_another_convention(tmp_path: Path) -> None:
    clusters = [[[1, 2], [[1, 3], [5, 6]]]]
    corpus = read_record(tmp_path, "jsonl:base=1,ends=exclusive", clusters=clusters)
    assert corpus.mention_parts == {1: ((0, 1), (4, 4))}


@pytest.mark.parametrize(
    ("mention", "code"),
    [
        ([[0, 1]], "E112"),
        ([[0, 1], 3], "E112"),
        ([[0, 1], [3]], "E112"),
        ([[3, 3], [0, 1]], "E113"),
        ([[0, 1], [1, 2]], "E113"),
        ([[0, 1], [5, 6]], "E113"),
    ],
)
def test_parts_that_cannot_be_read(mention: Any, code: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_record(tmp_path, clusters=[[mention]])
    assert [finding.code.id for finding in raised.value.findings] == [code]


def test_heads_and_empty_nodes(tmp_path: Path) -> None:
    heads = [[0, 4], [None]]
    nodes = [[2, "2.1", "1:nsubj"], [3, "0.1", ""]]
    corpus = read_record(tmp_path, mention_heads=heads, empty_nodes=nodes)
    assert codes(corpus) == []
    assert corpus.mention_heads is not None
    assert corpus.mention_heads.tolist() == [0, 4, -1]
    found = corpus.empty_nodes
    assert found is not None
    assert found.token.tolist() == [2, 3]
    assert found.sentence.tolist() == [0, 1]
    assert found.words_before.tolist() == [2, 2]
    assert found.opens_sentence.tolist() == [0, 1]
    assert found.order.tolist() == [1, 1]
    assert list(found.dependencies) == ["1:nsubj", ""]
    written = json.loads(encoded(corpus, "jsonl"))
    assert (written["mention_heads"], written["empty_nodes"]) == (heads, nodes)


def test_the_digest_is_of_words_alone(tmp_path: Path) -> None:
    nodes = [[2, "2.1", ""], [3, "0.1", ""]]
    with_nodes = read_record(tmp_path, empty_nodes=nodes)
    plain = read_record(tmp_path, sentences=[["a", "b"], ["c", "d"]], clusters=[[[0, 0]]])
    assert with_nodes.word_digests == plain.word_digests


@pytest.mark.parametrize(
    "fields",
    [
        {"mention_heads": [[0, 4]]},
        {"mention_heads": [[0, 3], [2]]},
        {"mention_heads": [["0", 4], [2]]},
        {"mention_heads": {}},
        {"empty_nodes": [[2, "1.1", ""]]},
        {"empty_nodes": [[2, "2", ""]]},
        {"empty_nodes": [[9, "2.1", ""]]},
        {"empty_nodes": [[3, "0.1", ""], [2, "2.1", ""]]},
        {"empty_nodes": 3},
    ],
)
def test_heads_and_nodes_that_do_not_fit_are_left_out(
    fields: dict[str, Any], tmp_path: Path
) -> None:
    corpus = read_record(tmp_path, **fields)
    assert codes(corpus) == ["W113"]
    assert corpus.mention_heads is None
    assert not corpus.empty_nodes


# ---- Plain JSON ----


def test_parts_in_plain_json(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text('{"x": [[[0, 0], [[0, 1], [3, 3]]]]}')
    corpus = read(path)
    assert corpus.mention_parts == {1: ((0, 1), (3, 3))}
    assert json.loads(encoded(corpus, "json")) == json.loads(path.read_text())
    assert codes(corpus) == []


def test_parts_alone_may_be_entities(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text('{"x": [[[[0, 0], [4, 4]], [[1, 1], [3, 3]]]]}')
    assert codes(read(path)) == ["W213"]


@pytest.mark.parametrize("options", ["base=1", "ends=exclusive"])
def test_parts_of_another_convention_are_refused(options: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"d": [[[[0, 0], [2, 2]], [5, 6]]]}', encoding="utf-8")
    with pytest.raises(InvalidInput) as error:
        read(path, format=f"json:{options}")
    assert {finding.code.id for finding in error.value.findings} == {"E113"}


def test_the_entity_of_a_wrong_mention_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"doc_key": "d", "clusters": [[[0, 9], [[1, 2], [4, 4]]], [[5, 5], "x"]]}')
    with pytest.raises(InvalidInput) as error:
        read(path)
    assert [str(f).split(": ", 1)[1] for f in error.value.findings] == [
        "entity 1 has the mention 'x'; expected [first, last], positions; without them, name the "
        "format strings [E112]"
    ]
