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
def test_a_sentence_with_one_role_more_and_no_coreference_column_is_an_error(
    roles: int, place: int, file: Path
) -> None:
    whole = with_roles(roles - 1)
    lost = [row[:-1] for row in with_roles(roles)]
    assert {len(row) for row in lost} == {len(row) for row in whole}
    sentences = [whole, whole]
    sentences.insert(place, lost)
    first = 2 + 4 * place
    path = written(file, document(*sentences))
    assert refusal(lambda: read(path)) == [("E116", first)]
    with pytest.raises(ValueError, match=r"comes from a column of .* semantic roles.*3 such rows"):
        read(path)


def test_a_role_in_the_last_cell_of_one_row_is_an_error_in_every_layout(file: Path) -> None:
    for mark in "-_*":
        path = written(file, plain("a/(1)", f"b/{mark}", "c/(ARG0*)", "d/(1)"))
        assert refusal(lambda path=path: read(path)) == [("E116", 4)]  # type: ignore[misc]


def test_a_role_in_a_longer_row_is_not_read_as_coreference(file: Path) -> None:
    path = written(file, plain("a/(1)", "b/x/(V*)", "c/-", "d/(1)"))
    assert refusal(lambda: read(path)) == [("E116", 3)]


def test_stars_are_marks_where_no_other_mark_is_used(file: Path) -> None:
    rows = [[*row[:-1], "*" if row[-1] == "-" else row[-1]] for row in with_roles(1)]
    assert not read(written(file, document(rows, rows))).findings
    emptied = [[*rows[0][:-1], ""], *rows[1:]]
    assert found(read(written(file, document(rows, emptied)))) == [("W119", 6)]


# Columns that the user names


def test_a_row_of_another_width_is_reported_if_the_column_is_counted_from_the_left(
    file: Path,
) -> None:
    rows = ["a/NN/(1)/A", "b/VB/-/A", "c/NN/(1)/A"]
    moved = written(file, plain(*rows, "d/x/NN/(1)/A"))
    assert refusal(lambda: read(moved, columns="word=1,coref=3")) == [("E116", 5)]
    longer = written(file, plain(*rows, "d/NN/(1)/A/B"))
    corpus = read(longer, columns="word=1,coref=3")
    assert len(corpus.mention_entity) == 3
    assert found(corpus) == [("W114", 5)]
    shorter = written(file, plain(*rows, "d/(1)/A"))
    assert refusal(lambda: read(shorter, columns="word=1,coref=3")) == [("E116", 5)]
    without = written(file, plain(*rows, "d/NN"))
    assert refusal(lambda: read(without, columns="word=1,coref=3")) == [("E116", 5)]
    assert not read(written(file, plain(*rows)), columns="word=1,coref=3").findings


def test_a_row_that_ends_in_a_name_has_lost_its_cell_though_the_column_is_named(
    file: Path,
) -> None:
    rows = ["a/(PER)/(1)", "b/*/-", "c/(PER)", "d/*/(1)"]
    path = written(file, plain(*rows))
    assert refusal(lambda: read(path, columns="coref=-1")) == [("E116", 4)]
    assert refusal(lambda: read(path, columns="coref=3")) == [("E116", 4)]
    with pytest.raises(ValueError, match="has 2 columns, but the rows around it have 3"):
        read(path, columns="coref=-1")


def test_a_named_column_of_roles_is_an_error(file: Path) -> None:
    path = written(file, document(with_roles(1)))
    assert refusal(lambda: read(path, columns="coref=12")) == [("E116", 2)]


# Tabs at the ends of rows


def test_empty_cells_of_one_document_are_no_trailing_tab_if_other_documents_have_cells(
    file: Path,
) -> None:
    empty, full = plain("a/x/", "b/(7)/", "c/y/"), plain("d/x/(1)", "e/y/", name="y")
    for text in (empty + full, full + empty):
        corpus = read(written(file, text))
        expected = {"x": (3, []), "y": (2, [("1", [(0, 0)])])}
        assert contents(corpus) == expected
        assert not corpus.findings


def test_a_document_with_tabs_behind_its_cells_is_read_from_them_with_a_warning(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tabs = plain("a/(e1)/", "b/-/", "# comment", "c/(e1|(e2)/", "d/e1)/")
    full = plain("d/(e2)", "e/-", name="y")
    for block in (1 << 20, 16):
        monkeypatch.setattr("corefscope.formats.source.BLOCK", block)
        for text, line in ((tabs + full, 2), (full + tabs, 7)):
            corpus = read(written(file, text))
            assert ("W115", line) in found(corpus)
            expected = [("e1", [(0, 0), (2, 3)]), ("e2", [(2, 2)])]
            assert contents(corpus)["x"] == (4, expected)
            assert corpus["x"].words == ["a", "b", "c", "d"]


def test_rows_outside_documents_and_comments_do_not_end_in_tabs(file: Path) -> None:
    text = "# a\tcomment\n" + plain("a/(1)/", "b/(1)/")
    assert contents(read(written(file, text))) == {"x": (2, [("1", [(0, 0), (1, 1)])])}


# Where the words are


def test_a_number_as_the_first_word_does_not_make_the_first_column_one_of_numbers(
    file: Path,
) -> None:
    corpus = read(written(file, plain("1/CD/(1)", "dog/NN/(1)", "1-2/CD/-")))
    assert corpus["x"].words == ["1", "dog", "1-2"]
    assert not corpus.findings


def test_a_column_that_is_named_does_not_number_tokens(file: Path) -> None:
    path = written(file, plain("1/a/(1)", "1-2/b/-", "3/c/(1)"))
    assert len(read(path)["x"]) == 2
    for columns in ("word=1", "word=-3"):
        corpus = read(path, columns=columns)
        assert corpus["x"].words == ["1", "1-2", "3"]
        assert not corpus.findings
    assert len(read(path, columns="word=2")["x"]) == 2


def test_a_word_that_is_a_part_of_the_name_is_not_the_name(file: Path) -> None:
    rows = ["un/0/0/NUM/(0)", "deux/0/1/NUM/(0)"]
    corpus = read(written(file, plain(*rows, name="lundi")))
    assert corpus["lundi"].words == ["un", "deux"]
    named = ["lundi/0/0/un/NUM/(0)", "lundi/0/1/deux/NUM/(0)"]
    for name in ("lundi", "(lundi); part 000", "(lundi);"):
        assert read(written(file, plain(*named, name=name)))[name].words == ["un", "deux"]


# Empty cells


@pytest.mark.parametrize("mark", ["-", "_", "*"])
def test_empty_cells_among_marks_are_one_warning_per_document(mark: str, file: Path) -> None:
    rows = ["a/(1)", f"b/{mark}", "c/", "d/(1)", "e/ "]
    corpus = read(written(file, plain(*rows) + plain(*rows[:3], name="y")))
    assert contents(corpus)["x"] == (5, [("1", [(0, 0), (3, 3)])])
    assert found(corpus) == [("W119", 4), ("W119", 12)]
    assert "2 such rows" in corpus.findings[0].message
    assert "such rows" not in corpus.findings[1].message


def test_empty_cells_are_no_finding_where_nothing_else_marks_tokens_without_a_mention(
    file: Path,
) -> None:
    corpus = read(written(file, plain("a/(1)", "b/", "c/(1)") + plain("d/-", "e/(1)", name="y")))
    assert not corpus.findings
    numbered = ["1-2/ab/_", "1/a/(1)", "2/b/"]
    assert found(read(written(file, plain(*numbered)))) == [("W117", 2)], "it is not a token"


def test_an_empty_cell_in_a_row_that_is_reported_anyway_is_one_finding(file: Path) -> None:
    corpus = read(written(file, plain("a/(1)", "b/-", "c/-/", "d/(1)", "e/")))
    assert found(corpus) == [("W114", 4), ("W119", 6)]


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


def test_words_that_are_repeated_in_many_mentions_are_a_warning(file: Path) -> None:
    rows = ["a/(city)", "b/-", "c/(food", "d/food)"]
    corpus = read(written(file, plain(*rows * 5)))
    assert len(corpus.mention_entity) == 10
    assert found(corpus) == [("W115", 2)]
    assert "2 words in 10 mentions" in corpus.findings[0].message
    assert not read(written(file, plain(*rows * 4))).findings, "8 mentions are not many"


def test_words_that_are_repeated_in_many_documents_are_one_warning(file: Path) -> None:
    documents = [plain("a/(city)", "b/-", name=f"d{number}") for number in range(10)]
    corpus = read(written(file, "".join(documents)))
    assert found(corpus) == [("W115", 2)]
    assert "10 such documents" in corpus.findings[0].message


def test_words_in_one_document_and_numbers_in_others_are_a_warning(file: Path) -> None:
    text = plain("a/(1)", "b/-") + plain("c/(city)", "d/-", name="y")
    assert found(read(written(file, text))) == [("W115", 7)]
    assert not read(written(file, text), columns="coref=-1").findings


@pytest.mark.parametrize("id", ["a", "e1", "Q42", "7b"])
def test_other_ids_with_letters_are_entities(id: str, file: Path) -> None:
    rows = [f"a/({id})", "b/-"] * 20
    assert not read(written(file, plain(*rows) + plain("c/(1)", name="y"))).findings


def test_words_in_nested_mentions_are_entities(file: Path) -> None:
    rows = ["a/(Anna", "b/(Bob)", "c/Anna)", "d/-"] * 10
    assert not read(written(file, plain(*rows))).findings


def test_a_type_among_numbers_is_a_warning(file: Path) -> None:
    corpus = read(written(file, plain("a/(1)", "b/-", "c/(Person)", "d/(GPE)", "e/(1)")))
    assert found(corpus) == [("W115", 4)]
    assert "(Person)" in corpus.findings[0].message and "2 such rows" in corpus.findings[0].message
