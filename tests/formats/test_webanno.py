"""WebAnno TSV: chains, or spans and relations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import corefscope as cs
from formats.contents import codes, entities, partition, refusal, written

CHAIN = "#T_CH=x.CoreferenceLink|referenceType|referenceRelation\n"
SPANS = "#T_SP=custom.Referent|entity\n#T_RL=custom.Link|type|BT_custom.Referent\n"
WORDS = ["😀", "Ann", "'s", "dog", "saw", "her"]
OFFSETS = ["0-2", "3-6", "6-8", "9-12", "13-16", "17-20"]


def tsv(header: str, cells: dict[int, str], columns: int, *, more: str = "") -> str:
    """A file with the cells of some words; all others are empty."""
    rows = [
        f"1-{number}\t{OFFSETS[number - 1]}\t{word}\t"
        + cells.get(number, "\t".join(["_"] * columns)).replace(" ", "\t")
        + "\t"
        for number, word in enumerate(WORDS, start=1)
    ]
    body = "\n".join(rows)
    return f"#FORMAT=WebAnno TSV 3.3\n{header}\n\n#Text=😀 Ann's dog saw her\n{body}\n{more}"


def read(folder: Path, text: str, format: str | None = None) -> cs.Corpus:
    return cs.read(written(folder / "x.tsv", text), format)


def test_chains(tmp_path: Path) -> None:
    cells = {2: "PER[1]|* *->1-1|*->2-1", 3: "* *->2-1", 4: "* *->2-1", 6: "PER[1] *->1-2"}
    corpus = read(tmp_path, tsv(CHAIN, cells, 2))
    document = corpus["x"]
    assert entities(document) == [("1", [(1, 1), (5, 5)]), ("2", [(1, 3)])]
    assert document.attributes == {(1, 1): ("PER", None), (5, 5): ("PER", None)}
    assert document.text == "😀 Ann's dog saw her"
    assert document.characters is not None and document.characters[1] == (2, 5)
    assert not corpus.findings


BOTH = {
    2: "PER[1] *->1-1 PER coref 1-6",
    4: "* *->2-1 DOG _ _",
    6: "PER[1] *->1-2 PER _ _",
}


def test_chains_and_relations_do_not_count_twice(tmp_path: Path) -> None:
    text = tsv(CHAIN + SPANS, BOTH, 5)
    corpus = read(tmp_path, text)
    assert entities(corpus["x"]) == [("1", [(1, 1), (5, 5)]), ("2", [(3, 3)])]
    assert codes(corpus) == ["W110"]
    assert "coref (1)" in corpus.findings[0].message
    (format,) = re.findall(r"webanno:relations=\S+$", corpus.findings[0].message)
    told = read(tmp_path, text.replace("*->2-1", "_"), format)
    assert entities(told["x"]) == [("1", [(1, 1), (5, 5)]), ("2", [(3, 3)])]
    assert told["x"].attributes is not None and told["x"].attributes[3, 3].type == "DOG"
    assert not told.findings


def test_relations_of_other_kinds_beside_chains_are_not_coreference(tmp_path: Path) -> None:
    """Spans are mentions only if chains do not say what mentions are."""
    cells = {number: row.replace("coref", "dep") for number, row in BOTH.items()}
    corpus = read(tmp_path, tsv(CHAIN + SPANS, cells, 5))
    assert entities(corpus["x"]) == [("1", [(1, 1), (5, 5)]), ("2", [(3, 3)])]
    assert not corpus.findings


def test_relations_beside_a_layer_without_chains(tmp_path: Path) -> None:
    cells = {2: "_ _ PER coref 1-6", 4: "_ _ DOG _ _", 6: "_ _ PER _ _"}
    corpus = read(tmp_path, tsv(CHAIN + SPANS, cells, 5))
    assert entities(corpus["x"]) == [("1", [(1, 1), (5, 5)]), ("2", [(3, 3)])]
    assert not corpus.findings


def test_spans_and_relations(tmp_path: Path) -> None:
    """A span without a number has 0 at its end of a relation."""
    cells = {
        2: "PER|DOG[7] ana|coref 1-6|1-5[8_7]",
        3: "DOG[7] _ _",
        4: "DOG[7] _ _",
        5: "DOG[8] _ _",
        6: "PER _ _",
    }
    assert partition(read(tmp_path, tsv(SPANS, cells, 3))["x"]) == {
        frozenset({(1, 1), (5, 5)}),
        frozenset({(1, 3), (4, 4)}),
    }


def test_a_span_without_a_relation_is_an_entity(tmp_path: Path) -> None:
    cells = {2: "PER coref 1-6", 4: "DOG _ _", 6: "PER _ _"}
    assert frozenset({(3, 3)}) in partition(read(tmp_path, tsv(SPANS, cells, 3))["x"])


def test_relations_that_are_not_identity(tmp_path: Path) -> None:
    cells = {2: "PER coref|appos 1-6|1-4", 4: "DOG _ _", 6: "PER _ _"}
    corpus = read(tmp_path, tsv(SPANS, cells, 3))
    assert len(partition(corpus["x"])) == 2
    (finding,) = corpus.findings
    assert finding.code.id == "W160" and "appos (1)" in finding.message
    assert finding.message.endswith("as in webanno:relations=coref+appos")
    chosen = read(tmp_path, tsv(SPANS, cells, 3), "webanno:relations=coref+appos")
    assert partition(chosen["x"]) == {frozenset({(1, 1), (3, 3), (5, 5)})}


@pytest.mark.parametrize(("name", "entities"), [("resident", 2), ("coref_of_roles", 1)])
def test_names_of_relations(name: str, entities: int, tmp_path: Path) -> None:
    cells = {2: f"PER coref|{name} 1-6|1-4", 4: "DOG _ _", 6: "PER _ _"}
    corpus = read(tmp_path, tsv(SPANS, cells, 3))
    assert codes(corpus) == ["W160"]
    assert f"{name} (1)" in corpus.findings[0].message
    assert len(partition(corpus["x"])) == entities


@pytest.mark.parametrize("format", [None, "webanno:relations=coref"])
def test_no_relation_means_identity(format: str | None, tmp_path: Path) -> None:
    cells = {2: "PER appos 1-4", 4: "DOG _ _"}
    text = tsv(SPANS, cells, 3)
    assert refusal(lambda: read(tmp_path, text, format)) == [("E138", None)]


def test_a_layer_of_syntax_has_no_mentions(tmp_path: Path) -> None:
    header = "#T_SP=x.POS|PosValue\n#T_RL=x.Dependency|DependencyType|BT_x.POS\n" + SPANS
    cells = {number: f"N dep 1-{number} _ _ _" for number in range(1, 7)}
    cells[2] = "N dep 1-4 PER coref 1-6"
    cells[6] = "N dep 1-4 PER _ _"
    corpus = read(tmp_path, tsv(header, cells, 5))
    assert partition(corpus["x"]) == {frozenset({(1, 1), (5, 5)})}
    assert not corpus.findings


def test_a_relation_is_named_after_its_layer(tmp_path: Path) -> None:
    header = "#T_SP=custom.Referent\n#T_RL=custom.Coreference|BT_custom.Referent\n"
    cells = {2: "* 1-6", 6: "* _"}
    assert len(partition(read(tmp_path, tsv(header, cells, 2))["x"])) == 1


def test_escapes(tmp_path: Path) -> None:
    cells = {2: r"a\|b coref 1-6", 6: r"a\[1\] _ _"}
    document = read(tmp_path, tsv(SPANS, cells, 3))["x"]
    assert document.attributes == {(1, 1): ("a|b", None), (5, 5): ("a[1]", None)}


def test_parts_of_tokens(tmp_path: Path) -> None:
    text = tsv(SPANS, {2: "PER coref 1-6.1"}, 3, more="1-6.1\t17-18\th\tPER\t_\t_\t\n")
    corpus = read(tmp_path, text)
    assert corpus["x"].words == [*WORDS[:-1], "h", "er"]
    assert partition(corpus["x"]) == {frozenset({(1, 1), (5, 5)})}
    assert codes(corpus) == ["W150"]


def test_offsets_that_do_not_fit(tmp_path: Path) -> None:
    """The mentions are tokens, so that only the text is lost."""
    text = tsv(SPANS, {2: "PER coref 1-6", 6: "PER _ _"}, 3).replace("17-20", "17-30")
    corpus = read(tmp_path, text)
    assert partition(corpus["x"]) == {frozenset({(1, 1), (5, 5)})}
    assert corpus["x"].text is None
    assert codes(corpus) == ["W113"]


def test_gaps(tmp_path: Path) -> None:
    cells = {2: "DOG[7] coref 1-6[0_7]", 4: "DOG[7] _ _", 6: "DOG _ _"}
    assert partition(read(tmp_path, tsv(SPANS, cells, 3))["x"]) == {
        frozenset({((1, 1), (3, 3)), (5, 5)})
    }


ERRORS = {
    "no layer": (tsv("#T_SP=x.POS|PosValue\n", {2: "N"}, 1), ("E138", None)),
    "few columns": (tsv(SPANS, {2: "PER"}, 3).replace("PER\t", "PER"), ("E135", 8)),
    "no token": (tsv(SPANS, {}, 3).replace("1-2\t", "x\t"), ("E135", 8)),
    "an end that is none": (tsv(SPANS, {2: "PER coref x"}, 3), ("E135", 8)),
    "an unknown end": (tsv(SPANS, {2: "PER coref 1-3"}, 3), ("E135", 8)),
    "no link": (tsv(CHAIN, {2: "PER x"}, 2), ("E135", 7)),
    "a late layer": (tsv(SPANS, {}, 3, more="#T_SP=x|y\n"), ("E135", 13)),
}


@pytest.mark.parametrize(("text", "finding"), ERRORS.values(), ids=ERRORS)
def test_errors(text: str, finding: tuple[str, int | None], tmp_path: Path) -> None:
    assert refusal(lambda: read(tmp_path, text)) == [finding]
