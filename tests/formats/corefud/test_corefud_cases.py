"""The cases of reading that may lie beside this checkout: what udapi reads and writes.

Where a case says that udapi is at fault, what corefscope does instead is written here.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from corefscope import Corpus, InvalidInput, read
from corefscope.formats.writing.files import encoded
from formats.corefud.contents import values, words_by_token, written

PLACES = [parent / "shared" / "cases" / "corefud" for parent in Path(__file__).resolve().parents]
CASES = next((place for place in PLACES if place.exists()), None)

GUM = next(
    (gum for place in PLACES if (gum := place.parents[1] / "data" / "gum-corefud").exists()), None
)

READ_ALL_THE_SAME = {"cross_sentence", "head_col_range", "head_col_cycle", "head_col_self"}
"""udapi refuses these files; HEAD is not looked at here, and a mention may reach further."""
ENTITIES_DIFFER = {"zero_ten"}
"""1.10 is not 1.1."""
WRITTEN_DIFFERENTLY = {
    "decl_twice_other": {"0:1": "Entity=(e1-person-1-x:y)", "1:1": "Entity=(e1-person)"},
    "etype_later": {"0:1": "Entity=(e1-place-1)", "0:2": "Entity=(e1-place-1)"},
    "zero_ten": {f"0:1.{n}": f"Entity=(e{n}--1)" for n in range(1, 12)},
}


UNLIKE_UDAPI = {*READ_ALL_THE_SAME, *ENTITIES_DIFFER, *WRITTEN_DIFFERENTLY}


def cases() -> Iterator[Any]:
    if CASES is None:
        return
    with (CASES / "reading" / "reading.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def label(case: Any) -> str:
    return str(case["name"]).rpartition("/")[2]


NEED_CASES = pytest.mark.skipif(CASES is None, reason="no cases beside this checkout")
each_case = pytest.mark.parametrize(
    "case", list(cases()) or [None], ids=lambda c: label(c) if c else ""
)


def entities(corpus: Corpus) -> dict[str, list[Any]]:
    """Return words, head and type of all mentions; sentences are counted through the file."""
    assert corpus.mention_heads is not None
    found: dict[str, list[Any]] = {}
    before = 0
    for document in corpus:
        places = words_by_token(corpus, document.index)
        for row in corpus.mentions_of(document.index):
            start, end = corpus.mention_spans[row].tolist()
            parts = corpus.mention_parts.get(row, ((start, end),))
            words = [places[token] for a, b in parts for token in range(a, b + 1)]
            entity = int(corpus.mention_entity[row])
            found.setdefault(corpus.entity_labels[entity], []).append(
                (
                    [[before + sentence, id] for sentence, id in words],
                    places[int(corpus.mention_heads[row])][1],
                    corpus.openings.types[entity] if corpus.openings else "",
                )
            )
        before += len(document.sentences)
    return found


def local(id: str, case: Any) -> str:
    """Return the id in its document: udapi puts d1. and so on before those of GRP."""
    return re.sub(r"^d\d+\.", "", id) if "GRP" in case["conllu"] else id


def annotated(values: Mapping[str, str]) -> dict[str, str]:
    """Return what the column MISC says about entities, by word."""
    keys = ("Entity", "Bridge", "SplitAnte")
    found = {
        word: "|".join(pair for pair in misc.split("|") if pair.partition("=")[0] in keys)
        for word, misc in values.items()
    }
    return {word: misc for word, misc in found.items() if misc not in ("", "Entity=")}


@NEED_CASES
@each_case
def test_reading(case: Any, tmp_path: Path) -> None:
    path = written(tmp_path, case["conllu"])
    if "error" in case and label(case) not in READ_ALL_THE_SAME:
        with pytest.raises(InvalidInput):
            read(path)
        return
    corpus = read(path)
    assert not case.get("warnings") or corpus.findings
    if "error" in case or label(case) in ENTITIES_DIFFER:
        return
    expected = {
        local(id, case): [(m["words"], m["head"], m["etype"] or "") for m in found]
        for id, found in case["entities"].items()
    }
    read_here = entities(corpus)
    if label(case) == "etype_later":
        assert {said[2] for said in read_here["e1"]} == {"place"}
        read_here = {id: [(*said[:2], "") for said in found] for id, found in read_here.items()}
    assert read_here == expected
    assert list(read_here) == list(expected)


@NEED_CASES
@each_case
def test_links_and_documents(case: Any, tmp_path: Path) -> None:
    if "error" in case:
        return
    corpus = read(written(tmp_path, case["conllu"]))
    labels = corpus.entity_labels
    split = {labels[e]: [labels[o] for o in os] for e, os in corpus.split_antecedents.items()}
    expected = case.get("split", {})
    assert split == {local(a, case): [local(b, case) for b in bs] for a, bs in expected.items()}
    bridges = [
        [labels[int(corpus.mention_entity[mention])], labels[entity], relation]
        for mention, entity, relation in corpus.bridges
    ]
    given = [[local(a, case), local(b, case), r] for a, b, r in case.get("bridge", [])]
    assert sorted(bridges) == sorted(given)
    named = [name for _, name in case["newdoc"] if name]
    assert [name for name in corpus.document_names if name in named] == named
    unnamed = len(case["newdoc"]) - len(named)
    assert len(corpus) == max(len(named) + unnamed, 1)


@NEED_CASES
@each_case
def test_writing(case: Any, tmp_path: Path) -> None:
    if "rewritten" not in case:
        return
    expected = WRITTEN_DIFFERENTLY.get(label(case), case["rewritten"])
    text = encoded(read(written(tmp_path, case["conllu"])), "corefud").decode()
    assert annotated(values(text.replace("\r\n", "\n"))) == expected
    again = encoded(read(written(tmp_path, text, "again.conllu")), "corefud").decode()
    assert again == text


@pytest.mark.skipif(GUM is None, reason="no GUM beside this checkout")
@pytest.mark.parametrize("side", ["key", "response"])
def test_gum_is_written_as_it_was(side: str) -> None:
    assert GUM is not None
    path = GUM / f"{side}.conllu.gz"
    corpus = read(path)
    assert corpus.findings == ()
    assert encoded(corpus, "corefud") == gzip.decompress(path.read_bytes())
