"""Which column of CoNLL text is which: found by content, named by the user, and in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs
from corefscope import Corpus, UnknownName, read
from corefscope.formats.conll import reading
from corefscope.formats.conll.columns import BadColumns, ConllColumns, parse_columns
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import Reading, ReadingOptions
from corefscope.formats.reading.source import Source
from formats.contents import codes, contents, everything, refusal, written

ROWS = [
    ["d", "0", "0", "Ann", "NNP", "(S(NP*)", "-", "-", "-", "Bob", "(PERSON)", "(1)"],
    ["d", "0", "1", "fed", "VBD", "(VP*", "feed", "01", "1", "Bob", "*", "-"],
    ["d", "0", "2", "her", "PRP$", "(NP*", "-", "-", "-", "Bob", "*", "(2|(1)"],
    ["d", "0", "3", "cat", "NN", "*)))", "cat", "-", "1", "Bob", "*", "2)"],
]
"""One sentence in CoNLL-2012 columns, without semantic roles."""
SPANS = {"(d); part 000": (4, [("1", [(0, 0), (2, 2)]), ("2", [(2, 3)])])}


def sentence(*rows: list[str]) -> str:
    return "\n".join("\t".join(row) for row in rows) + "\n\n"


def document(*sentences: str, name: str = "(d); part 000") -> str:
    return f"#begin document {name}\n{''.join(sentences)}#end document\n"


def plain(*rows: str, name: str = "x") -> str:
    """A document of rows whose columns are separated by slashes, written as tabs."""
    return document("\n".join(rows).replace("/", "\t") + "\n", name=name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.conll"


def found(path: str) -> list[tuple[str, int | None]]:
    return [(finding.code.id, finding.line) for finding in read(path).findings]


def with_roles(rows: list[list[str]], roles: int) -> list[list[str]]:
    return [[*row[:-1], *["*"] * roles, row[-1]] for row in rows]


def test_semantic_roles_vary_by_sentence(file: Path) -> None:
    text = document(*(sentence(*with_roles(ROWS, roles)) for roles in (0, 3, 1)))
    corpus = read(written(file, text))
    assert not corpus.findings
    assert len(corpus.mention_entity) == 9


def test_sentences_from_token_numbers(file: Path) -> None:
    text = document(*(sentence(*with_roles(ROWS, roles)).strip() + "\n" for roles in (0, 3, 1)))
    assert not read(written(file, text)).findings


@pytest.mark.parametrize("roles", [0, 2])
@pytest.mark.parametrize("row", range(4))
def test_row_without_last_cell(row: int, roles: int, file: Path) -> None:
    """One error, wherever the row is."""
    rows = with_roles(ROWS, roles)
    rows[row] = rows[row][:-1]
    text = document(sentence(*with_roles(ROWS, 1)), sentence(*rows))
    assert refusal(lambda: read(written(file, text))) == [("E117", 7 + row)]


def test_sentence_without_last_column(file: Path) -> None:
    for roles in (0, 2):
        lost = [row[:-1] for row in with_roles(ROWS, roles)]
        path = written(file, document(sentence(*ROWS), sentence(*lost)))
        with pytest.raises(ValueError, match=r":7: .*4 such rows.*\[E117\]"):
            read(path)


def test_missing_cell_explains_brackets_around_it(file: Path) -> None:
    rows = ["a/(1", "b/2)", "c", "d/3)", "e/(4"]
    assert refusal(lambda: read(written(file, plain(*rows)))) == [
        ("E117", 4),
        ("E101", 3),
        ("E101", 6),
    ], "3 may have been opened, and 1 closed, in the missing cell"


@pytest.mark.parametrize(
    ("cells", "errors"),
    [
        (["(1))", "1)"], [("E135", 2)]),
        (["(1(", "-", "1)"], [("E135", 2)]),
        (["(1", "1))"], [("E135", 3)]),
        (["(1", "(2|1)x", "2)"], [("E135", 3)]),
        (["(1|", "1)"], [("E135", 2)]),
        (["5", "5)"], [("E135", 2)]),
        (["1)", "(1))"], [("E101", 2), ("E135", 3)]),
        (["(1))", "(1"], [("E135", 2), ("E101", 3)]),
    ],
)
def test_unreadable_cell_explains_brackets_of_its_ids(
    cells: list[str], errors: list[tuple[str, int]], file: Path
) -> None:
    path = written(file, plain(*(f"w/{cell}" for cell in cells)))
    assert refusal(lambda: read(path)) == errors


@pytest.mark.parametrize("roles", [0, 1, 3])
def test_cell_lost_in_the_middle(roles: int, file: Path) -> None:
    """A warning if the last cell is beyond doubt."""
    whole = with_roles(ROWS, roles)
    rows = [row[:9] + row[10:] if place == 2 else row for place, row in enumerate(whole)]
    corpus = read(written(file, document(sentence(*rows))))
    assert contents(corpus) == SPANS
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W115", 4)]


def test_rows_with_more_columns(file: Path) -> None:
    """One warning per document."""
    rows = ["a/(1)", "b/X/-", "c/-", "d/-", "e/Y/Z/(1)", "f/-", "g/-"]
    corpus = read(written(file, plain(*rows) + plain(*rows, name="y")))
    assert contents(corpus)["x"] == (7, [("1", [(0, 0), (4, 4)])])
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W115", 3), ("W115", 12)]
    assert "2 such rows" in corpus.findings[0].message


@pytest.mark.parametrize("row", ["b/(2)/-", "b/(2)/", "b/(2|/(3)"])
def test_longer_row_with_a_bracket_in_the_usual_place(row: str, file: Path) -> None:
    """It is in doubt."""
    assert refusal(lambda: read(written(file, plain("a/(1)", row, "c/-")))) == [("E117", 3)]


def test_empty_cell_is_no_mention(file: Path) -> None:
    rows = [[*row[:-1], cell] for row, cell in zip(ROWS, ["", "", "(1)", ""], strict=True)]
    corpus = read(written(file, document(sentence(*rows))))
    assert contents(corpus) == {"(d); part 000": (4, [("1", [(2, 2)])])}
    assert not corpus.findings
    corpus = read(written(file, plain("0/see/_", "1/(2)/", "2/below/(2)")))
    assert contents(corpus) == {"x": (3, [("2", [(2, 2)])])}


@pytest.mark.parametrize("rows_before", [1, 5, 400])
def test_empty_cells_or_trailing_tabs(
    rows_before: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cells before the first mention look as if every row ended in a tab."""
    rows = ["0/(7)/"] * rows_before
    path = written(file, plain(*rows, "1/it/(1)"))
    expected = {"x": (rows_before + 1, [("1", [(rows_before, rows_before)])])}
    tabs = written(file.with_name("tabs.conll"), plain(*rows, "1/(1)/"))
    both = [("7", [(row, row) for row in range(rows_before)]), ("1", [(rows_before, rows_before)])]
    for block in (1 << 20, 100, 16):
        monkeypatch.setattr("corefscope.formats.reading.source.BLOCK", block)
        assert contents(read(path)) == expected
        assert contents(read(tabs)) == {"x": (rows_before + 1, both)}


def test_document_with_tab_after_every_row(file: Path) -> None:
    rows = [[*with_roles([row], 1)[0], ""] for row in ROWS]
    (words,) = read(written(file, document(sentence(*rows))))
    assert words.words == ["Ann", "fed", "her", "cat"]
    assert words.names == ["(PERSON)", "*", "*", "*"]
    (pairs,) = read(written(file, plain("the/(1/", "cat/1)/")))
    assert pairs.words == ["the", "cat"]


@pytest.mark.parametrize(
    ("cells", "finding"),
    [
        (["(PERSON)", "*", "*"], "E117"),
        (["(ORG*", "*)", "*"], "E117"),
        (["(V*)", "(ARG1*", "*)"], "E117"),
        (["-", "-", "(GPE)"], "E117"),
        (["saw", "the", "cat"], "E117"),
        (["(S(NP*", "*)", "(VP*)))"], "E117"),
        (["(ZZZ)", "-", "(ZZZ)"], None),
        (["(ZZZ)", "(ZZZ)", "(ZZZ)"], None),
        (["(1)", "*", "*"], None),
    ],
)
def test_column_that_looks_like_another(cells: list[str], finding: str | None, file: Path) -> None:
    path = written(file, plain(*(f"w{place}/{cell}" for place, cell in enumerate(cells))))
    if finding == "E117":
        assert refusal(lambda: read(path)) == [("E117", 2)]
    else:
        assert [code for code in codes(read(path)) if code != "W116"] == [finding] * bool(finding)


def test_extra_column_after_coreference(file: Path) -> None:
    path = written(file, plain("a/(1/-", "b/1)/-", "c/-/-"))
    assert found(path) == [("W115", 2), ("W116", None)]
    assert found(written(file, plain("a/(x)/-", "b/word/-"))) == [("W116", None)]
    one = plain("a/(1)/-", "b/-/-") + plain("c/-/(2)", name="y")
    assert found(written(file, one)) == [("W115", 2)], "one document of a corpus"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.conll", plain("a/-", "b/-"), True),
        ("a.conll", plain("a/-") + plain("b/(1)", name="y"), False),
        ("a.jsonl", '{"doc_key": "x", "sentences": [["a"]], "clusters": []}\n', True),
        ("a.json", '{"x": [], "y": []}', True),
        ("a.json", '{"x": [], "y": [["m1"]]}', False),
    ],
)
def test_corpus_without_mentions(name: str, data: str, expected: bool, tmp_path: Path) -> None:
    assert codes(read(written(tmp_path / name, data))) == ["W116"] * expected


def test_directory_without_mentions(tmp_path: Path) -> None:
    for name in "ab":
        written(tmp_path / f"{name}.conll", plain("w/-", name=name))
    (finding,) = read(str(tmp_path)).findings
    assert (finding.code.id, finding.file) == ("W116", str(tmp_path))
    written(tmp_path / "c.conll", plain("w/(1)", name="c"))
    assert not read(str(tmp_path)).findings


WORDS = {
    "word first, then numbers": ["un/0/0/_/(0)", "deux/0/1/_/(0)"],
    "word first, then numbers and tags": ["un/0/0/NUM/(0)", "deux/0/1/NUM/(0)"],
    "ECB+": ["3/3_1/3_1.xml/1/7/un/True/(1)", "3/3_1/3_1.xml/1/8/deux/False/-"],
    "SemEval": ["1/un/un/(1)", "2/deux/deux/-"],
    "SemEval that begins with a multiword token": [
        "1-2/undeux/_/_",
        "1/un/un/(1)",
        "2/deux/deux/-",
    ],
    "document, number, word": ["d/0/un/(1)", "d/1/deux/-"],
    "word and tag": ["un/NUM/(1)", "deux/NUM/-"],
    "CoNLL-2012 with another name": ["d/0/0/un/NUM/(1)", "d/0/1/deux/NUM/-"],
    "a number as word, word and tag": ["un/NUM/(1)", "deux/CD/-"],
}


@pytest.mark.parametrize("rows", WORDS.values(), ids=WORDS)
def test_words_are_found_by_content(rows: list[str], file: Path) -> None:
    corpus = read(written(file, plain(*rows)), "conll")
    assert corpus["x"].words == ["un", "deux"]
    other = read(written(file.with_name("other.conll"), plain("un/(1)", "deux/-")))
    assert corpus.word_digests == other.word_digests


def test_the_layout_does_not_depend_on_blocks(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ["7/0/0/_/(0)", *(f"w{place}/0/{place}/_/-" for place in range(1, 60))]
    path = written(file, plain(*rows) + plain(*rows[1:], name="y"))
    whole = everything(read(path))
    for block in (20, 77, 300):
        monkeypatch.setattr("corefscope.formats.reading.source.BLOCK", block)
        assert everything(read(path)) == whole


def test_multiword_lines(file: Path) -> None:
    rows = ["1-2/au/_/_", "1/à/à/_", "2/le/le/(0)", "3-4/du/_/-", "3/de/de/_", "4/le/le/(0)"]
    corpus = read(written(file, plain(*rows)))
    assert contents(corpus) == {"x": (4, [("0", [(1, 1), (3, 3)])])}
    assert corpus["x"].words == ["à", "le", "de", "le"]
    assert corpus["x"].sentences == [range(4)]
    (finding,) = corpus.findings
    assert (finding.code.id, finding.line) == ("W103", 2)
    assert finding.message.startswith("2 multiword lines")


def test_mention_on_multiword_line(file: Path) -> None:
    rows = ["1/a/a/_", "2-3/au/_/(0", "2/à/à/_", "3/le/le/0)", "4/x/x/(1)"]
    assert refusal(lambda: read(written(file, plain(*rows)))) == [("W103", 3), ("E135", 3)]


def test_a_range_among_the_words_is_a_word(file: Path) -> None:
    assert len(read(written(file, plain("1-2/(1)", "x/-")))["x"]) == 2
    assert len(read(written(file, plain("d/0/0/1-2/NN/(1)", "d/0/1/x/NN/-")))["x"]) == 2


def test_end_and_begin_on_one_line(file: Path) -> None:
    one, two = plain("a/(1)", "b/(1)").rstrip("\n"), plain("c/(1)", name="(y); part 000")
    corpus = read(written(file, one + two))
    assert list(contents(corpus)) == ["x", "(y); part 000"]
    assert len(corpus.mention_entity) == 3
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W103", 4)]
    assert corpus["(y); part 000"].words == ["c"]


def named(path: str, text: str) -> Corpus:
    options = ReadingOptions(columns=parse_columns(text))
    builder = Builder(reading=Reading(options=options))
    reading.read(File(source=Source(name=path, path=Path(path)), builder=builder))
    return builder.corpus(path)


def test_columns_by_number_from_either_end(file: Path) -> None:
    path = written(file, plain("(1)/x/un/NN/A", "-/y/deux/VB/B"))
    corpus = named(path, "word=3,coref=1,tag=-2,speaker=5")
    assert contents(corpus) == {"x": (2, [("1", [(0, 0)])])}
    (words,) = corpus
    assert words.words == ["un", "deux"]
    assert words.tags == ["NN", "VB"]
    assert words.speakers == ["A", "B"]
    assert corpus.word_digests == read(written(file, plain("un/(1)", "deux/-"))).word_digests


def test_other_layers_when_some_are_named(file: Path) -> None:
    rows = [[*row, "extra"] for row in ROWS]
    corpus = named(written(file, document(sentence(*rows))), "coref=-2")
    assert contents(corpus) == SPANS
    (words,) = corpus
    assert words.words == ["Ann", "fed", "her", "cat"]
    assert words.names == ["(PERSON)", "*", "*", "*"]


def test_row_without_named_column(file: Path) -> None:
    path = written(file, plain("a/x/(1)", "b", "c/y/-", "d/z"))
    with pytest.raises(ValueError, match=r":3: .*too short.*2 such rows.*\[E117\]"):
        named(path, "coref=3")


def test_rows_that_lack_a_word(file: Path) -> None:
    """Real output has rows without a word; the reference scorer reads their last cell."""
    rows = ["x/0/0/a/NN/-/(1)", "x/0/1/NN/-/-", "x/0/2/c/NN/-/(2", "x/0/3/NN/-/2)"]
    path = written(file, plain(*rows))
    with pytest.raises(ValueError, match=r"say so with the columns 'coref=-1' \[E117\]"):
        read(path)
    for columns in ("coref=-1", "word=4,coref=-1"):
        corpus = named(path, columns)
        assert contents(corpus) == {"x": (4, [("1", [(0, 0)]), ("2", [(2, 3)])])}
        assert codes(corpus) == ["W115"]


def test_a_named_column_is_beyond_doubt(file: Path) -> None:
    path = written(file, plain("a/(PER)", "b/x/*", "c/*"))
    corpus = named(path, "coref=-1")
    assert contents(corpus) == {"x": (3, [("PER", [(0, 0)])])}
    assert codes(corpus) == ["W115"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("words=4", UnknownName, "did you mean word"),
        ("word=0", BadColumns, "counted from 1"),
        ("word=4,word=5", BadColumns, "word is given twice"),
        ("word=4,coref=4", BadColumns, "word and coref are both column 4"),
        ("word", BadColumns, "NAME=NUMBER"),
        ("word=x", BadColumns, "NAME=NUMBER"),
        ("", BadColumns, "NAME=NUMBER"),
        ("word=4,", BadColumns, "NAME=NUMBER"),
    ],
)
def test_impossible_columns(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        parse_columns(text)
    assert isinstance(raised.value, cs.CorefscopeError)
    assert raised.value.exit_status == 2


def test_columns_repr() -> None:
    columns = parse_columns(" word=4, coref=-1 ")
    assert columns == ConllColumns(word=4, coref=-1)
    assert str(columns) == "word=4,coref=-1"
