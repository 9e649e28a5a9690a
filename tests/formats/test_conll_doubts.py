"""CoNLL documents whose coreference column is in doubt: read with a finding, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefscope import Corpus, read
from formats.contents import contents, refusal, written

SENTENCE = [
    ["d", "0", "0", "Mia", "NNP", "(S*", "-", "-", "-", "Tom", "(PERSON)", "(4)"],
    ["d", "0", "1", "hid", "VBD", "*", "hide", "01", "1", "Tom", "*", "-"],
    ["d", "0", "2", "it", "PRP", "*)", "-", "-", "-", "Tom", "*", "(5)"],
]
"""One sentence in CoNLL-2012 columns, without semantic roles."""
ROLES = [["(ARG0*)", "*"], ["(V*)", "*"], ["(ARG1*)", "(V*)"]]


def document(*sentences: list[list[str]], name: str = "(d); part 000") -> str:
    rows = "\n\n".join("\n".join("\t".join(row) for row in rows) for rows in sentences)
    return f"#begin document {name}\n{rows}\n\n#end document\n"


def plain(*rows: str, name: str = "x") -> str:
    """A document of rows whose columns are separated by slashes, written as tabs."""
    return document([row.split("/") for row in rows], name=name)


def with_roles(number: int) -> list[list[str]]:
    """The sentence with the columns of so many predicates."""
    rows = zip(SENTENCE, ROLES, strict=True)
    return [[*row[:-1], *roles[:number], row[-1]] for row, roles in rows]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.conll"


def found(corpus: Corpus) -> list[tuple[str, int | None]]:
    return [(finding.code.id, finding.line) for finding in corpus.findings]


# A sentence that lost its column has the width of others


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("roles", [1, 2])
def test_sentence_with_more_roles_and_no_coreference(roles: int, place: int, file: Path) -> None:
    whole = with_roles(roles - 1)
    lost = [row[:-1] for row in with_roles(roles)]
    assert {len(row) for row in lost} == {len(row) for row in whole}
    sentences = [whole, whole]
    sentences.insert(place, lost)
    first = 2 + 4 * place
    path = written(file, document(*sentences))
    assert refusal(lambda: read(path)) == [("E117", first)]
    with pytest.raises(ValueError, match=r"comes from a column of .* semantic roles.*3 such rows"):
        read(path)


def test_role_in_last_cell_of_one_row(file: Path) -> None:
    """An error in every layout."""
    for mark in "-_*":
        path = written(file, plain("a/(1)", f"b/{mark}", "c/(ARG0*)", "d/(1)"))
        assert refusal(lambda path=path: read(path)) == [("E117", 4)]  # type: ignore[misc]


def test_role_in_longer_row(file: Path) -> None:
    path = written(file, plain("a/(1)", "b/x/(V*)", "c/-", "d/(1)"))
    assert refusal(lambda: read(path)) == [("E117", 3)]


# Columns that the user names


def test_other_width_with_column_counted_from_left(
    file: Path,
) -> None:
    """Such a row is reported."""
    rows = ["a/NN/(1)/A", "b/VB/-/A", "c/NN/(1)/A"]
    moved = written(file, plain(*rows, "d/x/NN/(1)/A"))
    assert refusal(lambda: read(moved, columns="word=1,coref=3")) == [("E117", 5)]
    longer = written(file, plain(*rows, "d/NN/(1)/A/B"))
    corpus = read(longer, columns="word=1,coref=3")
    assert len(corpus.mention_entity) == 3
    assert found(corpus) == [("W115", 5)]
    shorter = written(file, plain(*rows, "d/(1)/A"))
    assert refusal(lambda: read(shorter, columns="word=1,coref=3")) == [("E117", 5)]
    without = written(file, plain(*rows, "d/NN"))
    assert refusal(lambda: read(without, columns="word=1,coref=3")) == [("E117", 5)]
    assert not read(written(file, plain(*rows)), columns="word=1,coref=3").findings


def test_row_that_ends_in_a_name(
    file: Path,
) -> None:
    """It has lost its cell, although the column is named."""
    rows = ["a/(PER)/(1)", "b/*/-", "c/(PER)", "d/*/(1)"]
    path = written(file, plain(*rows))
    assert refusal(lambda: read(path, columns="coref=-1")) == [("E117", 4)]
    assert refusal(lambda: read(path, columns="coref=3")) == [("E117", 4)]
    with pytest.raises(ValueError, match="has 2 columns, but the rows around it have 3"):
        read(path, columns="coref=-1")


def test_a_named_column_of_roles_is_an_error(file: Path) -> None:
    path = written(file, document(with_roles(1)))
    assert refusal(lambda: read(path, columns="coref=12")) == [("E117", 2)]


# Tabs at the ends of rows


def test_empty_cells_of_one_document(
    file: Path,
) -> None:
    """They are no trailing tabs if other documents have cells."""
    empty, full = plain("a/x/", "b/(7)/", "c/y/"), plain("d/x/(1)", "e/y/", name="y")
    for text in (empty + full, full + empty):
        corpus = read(written(file, text))
        expected = {"x": (3, []), "y": (2, [("1", [(0, 0)])])}
        assert contents(corpus) == expected
        assert not corpus.findings


def test_rows_outside_documents_and_comments(file: Path) -> None:
    text = "# a\tcomment\n" + plain("a/(1)/", "b/(1)/")
    assert contents(read(written(file, text))) == {"x": (2, [("1", [(0, 0), (1, 1)])])}


# Where the words are


def test_number_as_first_word(
    file: Path,
) -> None:
    corpus = read(written(file, plain("1/CD/(1)", "dog/NN/(1)", "1-2/CD/-")))
    assert corpus["x"].words == ["1", "dog", "1-2"]
    assert not corpus.findings


def test_named_column_does_not_number_tokens(file: Path) -> None:
    path = written(file, plain("1/a/(1)", "1-2/b/-", "3/c/(1)"))
    assert len(read(path)["x"]) == 2
    for columns in ("word=1", "word=-3"):
        corpus = read(path, columns=columns)
        assert corpus["x"].words == ["1", "1-2", "3"]
        assert not corpus.findings
    assert len(read(path, columns="word=2")["x"]) == 2


def test_word_that_is_part_of_the_name(file: Path) -> None:
    rows = ["un/0/0/NUM/(0)", "deux/0/1/NUM/(0)"]
    corpus = read(written(file, plain(*rows, name="lundi")))
    assert corpus["lundi"].words == ["un", "deux"]
    named = ["lundi/0/0/un/NUM/(0)", "lundi/0/1/deux/NUM/(0)"]
    for name in ("lundi", "(lundi); part 000", "(lundi);"):
        assert read(written(file, plain(*named, name=name)))[name].words == ["un", "deux"]


# Empty cells


def test_empty_cells_without_other_marks(
    file: Path,
) -> None:
    """No finding."""
    corpus = read(written(file, plain("a/(1)", "b/", "c/(1)") + plain("d/-", "e/(1)", name="y")))
    assert not corpus.findings
    numbered = ["1-2/ab/_", "1/a/(1)", "2/b/"]
    assert found(read(written(file, plain(*numbered)))) == [("W103", 2)], "it is not a token"


def test_documents_of_empty_cells_only(file: Path) -> None:
    """No finding."""
    text = plain("a/x/", "b/x/") + plain("c/x/(1)", "d/x/", name="y")
    assert not read(written(file, text)).findings


# Documents without mentions that have fewer columns than others


def dashed(rows: list[list[str]]) -> list[list[str]]:
    """The rows with ``-`` in the column of named entities and no mention."""
    return [[*row[:10], "-", *row[11:-1], "-"] for row in rows]


def test_document_without_mentions_or_predicates(
    file: Path,
) -> None:
    """It may have fewer columns than the others."""
    empty = document(dashed(SENTENCE), name="empty")
    for roles in (0, 1, 2):
        assert not read(written(file, document(with_roles(roles)) + empty)).findings
        fewer = document(dashed(with_roles(max(roles - 1, 0))), name="fewer")
        assert not read(written(file, fewer + document(with_roles(roles)))).findings


def test_document_without_mentions_with_all_columns(file: Path) -> None:
    """It may have as many columns as any other."""
    narrow, wide = ["a/x/(1)", "b/y/-"], ["a/x/y/(1)", "b/y/z/-"]
    both = plain(*narrow) + plain(*wide, name="y")
    for row in ("c/x/-", "c/x/y/-", "c/x/y/z/-"):
        assert not read(written(file, both + plain(row, name="z"))).findings
    assert not read(written(file, plain("c/-") + plain("d/-", name="z"))).findings[1:]
    assert not read(written(file, both + "#begin document z\n#end document\n")).findings


# Numbers of the tokens behind the coreference column


@pytest.mark.parametrize(
    "rows",
    [
        ["a/x/(0)", "b/x/(1)", "c/x/(2)"],
        ["a/-/(0)", "b/-/(1)", "c/-/(2)"],
        ["a/(PER)/(0)", "b/-/(1)", "c/-/(2)"],
        ["a/(1)/(0)", "b/NN/(1)", "c/-/(2)"],
        ["a/(1)/(0)", "b/(2)/(1)"],
        ["a/(1)/(0)", "b/(2)/-", "c/-/-", "d/-/(2)"],
        ["a/(1)/(0", "b/(2)/(1)", "c/-/0)"],
    ],
)
def test_mentions_on_most_tokens(rows: list[str], file: Path) -> None:
    """They may be coreference."""
    assert not read(written(file, plain(*rows))).findings


# One number with and without leading zeros


def test_leading_zeros_make_different_entities(file: Path) -> None:
    corpus = read(written(file, plain("a/(1)", "b/(01)", "c/(001", "d/001)")))
    entities = [("1", [(0, 0)]), ("01", [(1, 1)]), ("001", [(2, 3)])]
    assert contents(corpus) == {"x": (4, entities)}


def test_leading_zeros_without_the_same_number(file: Path) -> None:
    padded = plain("a/(01)", "b/(02)", "c/(10)", "d/(0)", "e/(0x)", "f/(00x)")
    other = plain("a/(1)", "b/(2)", "c/-", name="y")
    assert not read(written(file, padded + other)).findings


# Types of named entities instead of entities


@pytest.mark.parametrize(
    "cells",
    [
        ["(person)", "-", "-"],
        ["(Person)", "-", "(Org)"],
        ["(person*", "*)", "-"],
        ["(Person*)", "-", "-"],
        ["(city*)", "(zip-code)", "_"],
        ["(São*)", "-", "-"],
    ],
)
def test_names_are_noticed_whatever_their_case(cells: list[str], file: Path) -> None:
    path = written(file, plain(*(f"w/{cell}" for cell in cells)))
    assert refusal(lambda: read(path)) == [("E117", 2)]


@pytest.mark.parametrize("id", ["a", "e1", "Q42", "7b"])
def test_other_ids_with_letters_are_entities(id: str, file: Path) -> None:
    rows = [f"a/({id})", "b/-"] * 20
    assert not read(written(file, plain(*rows) + plain("c/(1)", name="y"))).findings


def test_words_in_nested_mentions_are_entities(file: Path) -> None:
    rows = ["a/(Anna", "b/(Bob)", "c/Anna)", "d/-"] * 10
    assert not read(written(file, plain(*rows))).findings
