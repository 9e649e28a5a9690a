"""Reading the annotation of CoNLL columns: specification A.1 and A.2, sentence by sentence."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corefscope import Corpus, read
from formats.contents import codes, contents, entities, everything, refusal, written
from formats.slow_conll import Refused, slow_read
from strategies import Layout, SpanDocument, conll_text, layouts, mutations, span_documents

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "scoring"
PLAIN = "#begin document x\nthe\t(1\ncat\t1)\nsat\t-\nit\t(1)\n#end document\n"
AS_PLAIN = {"x": (4, [("1", [(0, 1), (3, 3)])])}

Spans = dict[str, list[tuple[int, int]]]


def document(*cells: str, name: str = "x") -> str:
    """A document in two columns with these cells."""
    lines = [f"w{token}\t{cell}" for token, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.conll"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file for thousands of examples."""
    return tmp_path_factory.mktemp("conll") / "scratch.conll"


CELLS: list[tuple[list[str], Spans]] = [
    (["(1)"], {"1": [(0, 0)]}),
    (["(1", "-", "1)"], {"1": [(0, 2)]}),
    (["(1", "1)|(2)"], {"1": [(0, 1)], "2": [(1, 1)]}),
    (["(1|(2", "2)|1)"], {"1": [(0, 1)], "2": [(0, 1)]}),
    (["(1(2", "2)1)"], {"1": [(0, 1)], "2": [(0, 1)]}),
    (["(1)(2)(3", "3)"], {"1": [(0, 0)], "2": [(0, 0)], "3": [(0, 1)]}),
    (["(3", "(1(2)3)", "1)"], {"3": [(0, 1)], "2": [(1, 1)], "1": [(1, 2)]}),
    (["(1)(2", "2)(1)"], {"1": [(0, 0), (1, 1)], "2": [(0, 1)]}),
    (["(1)|(1", "1)"], {"1": [(0, 0), (0, 1)]}),
    (["(1", "(1", "1)", "1)"], {"1": [(1, 2), (0, 3)]}),
    (["(1", "(1)", "1)|(1)"], {"1": [(1, 1), (2, 2), (0, 2)]}),
    (["(1", "(2", "1)", "2)"], {"1": [(0, 2)], "2": [(1, 3)]}),
    (["(1", "(2)", "1)"], {"1": [(0, 2)], "2": [(1, 1)]}),
    (["(e1)", "(Ünal-3.a", "Ünal-3.a)"], {"e1": [(0, 0)], "Ünal-3.a": [(1, 2)]}),
    (["(-)", "(_)|(*)", "(1+x)"], {"-": [(0, 0)], "_": [(1, 1)], "*": [(1, 1)], "1+x": [(2, 2)]}),
    (["-", "_", "*", "- ", " _", "(1)"], {"1": [(5, 5)]}),
    (["", " ", "(1)"], {"1": [(2, 2)]}),
    (
        ["(1)| (2)", "(3 |(4", "4) | 3)"],
        {"1": [(0, 0)], "2": [(0, 0)], "3": [(1, 2)], "4": [(1, 2)]},
    ),
    (["(1)_(2)", "(3_(4", "4)_3)"], {"1": [(0, 0)], "2": [(0, 0)], "3": [(1, 2)], "4": [(1, 2)]}),
    (["(e_1)", "(e_2_(f_", "f_)_e_2)"], {"e_1": [(0, 0)], "e_2": [(1, 2)], "f_": [(1, 2)]}),
    (["(_a|(b", "b)|_a)", "(1_2)"], {"_a": [(0, 1)], "b": [(0, 1)], "1_2": [(2, 2)]}),
    ([" (1) ", "(2 ", " 2)"], {"1": [(0, 0)], "2": [(1, 2)]}),
]


@pytest.mark.parametrize(("cells", "spans"), CELLS, ids=[" ".join(cells) for cells, _ in CELLS])
def test_cell_grammar(cells: list[str], spans: Spans, file: Path) -> None:
    """One-token mentions, then openings, then closings."""
    corpus = read(written(file, document(*cells)))
    assert contents(corpus) == {"x": (len(cells), list(spans.items()))}
    assert not corpus.findings


def test_order_of_entities_and_mentions(
    file: Path,
) -> None:
    """Entities by first appearance, mentions by their closing bracket."""
    corpus = read(written(file, document("(7|(5)", "(3|(7", "7)", "3)|7)", "(5)")))
    expected = [("5", [(0, 0), (4, 4)]), ("7", [(1, 2), (0, 3)]), ("3", [(1, 3)])]
    assert entities(corpus["x"]) == expected
    assert corpus.mention_lines is not None
    assert corpus.mention_lines.tolist() == [2, 6, 3, 2, 3], "where each of them begins"


BAD_CELLS = [
    *("()", "(", ")", "(1))", "((1)", "1", "word", "(1)2", "1(2)", "a(1)", "(1)|", "|(1)"),
    *("(1)||(2)", "-|(1)", "(1)-", "(1)|2", "|", "(1 2)", "1+2", "(a b", "(1)|(2)|x"),
    *("(1)_", "_(1)", "(1)__(2)", "(1)_|(2)", "(1) | ", "| (1)"),
]


@pytest.mark.parametrize("cell", BAD_CELLS)
def test_bad_cells(cell: str, file: Path) -> None:
    path = written(file, document("-", cell))
    assert refusal(lambda: read(path)) == [("E135", 3)]


@pytest.mark.parametrize(
    ("line", "character"),
    [
        ("w\t()", 3),
        ("w\t()\r", 3),
        ("w ()  ", 3),
        ("w\t () ", 4),
        ("ä\tö\t()", 5),
        ("w\t5", 3),
    ],
)
def test_character_of_a_bad_cell(line: str, character: int, file: Path) -> None:
    path = written(file, f"#begin document x\n{line}\n#end document\n")
    with pytest.raises(ValueError, match=rf"file\.conll:2: .* at character {character};"):
        read(path)


def test_all_errors_are_reported_at_once(file: Path) -> None:
    path = written(file, document("(1", "2)", "x", "3)") + document("(4", name="y"))
    found = refusal(lambda: read(path))
    assert found == [("E101", 3), ("E135", 4), ("E101", 5), ("E101", 2), ("E101", 8)]


def test_reading_stops_after_a_thousand_errors(file: Path) -> None:
    path = written(file, document(*["1)"] * 5000))
    assert len(refusal(lambda: read(path))) == 1001


def test_mention_does_not_cross_documents(file: Path) -> None:
    path = written(file, document("(1") + document("1)", name="y"))
    assert refusal(lambda: read(path)) == [("E101", 2), ("E101", 5)]


def test_a_mention_may_cross_sentences(file: Path) -> None:
    corpus = read(written(file, PLAIN.replace("the\t(1\n", "the\t(1\n\n\n")))
    assert contents(corpus) == AS_PLAIN


@pytest.mark.parametrize(
    ("cells", "spans", "code"),
    [
        (["(1", "1", "1)"], [(0, 2)], "W103"),
        (["(1", "1|(1)", "1)"], [(1, 1), (0, 2)], "W103"),
        (["(1+2)", "(1)"], [(1, 1)], "W103"),
        (["(1+12)|(1)"], [(0, 0)], "W103"),
        (["(1", "-", "1)|(1", "1)"], [(2, 2), (0, 3)], "W103"),
        (["(1|1)"], [(0, 0)], "W103"),
    ],
)
def test_unambiguous_oddities_are_read_with_a_warning(
    cells: list[str], spans: list[tuple[int, int]], code: str, file: Path
) -> None:
    corpus = read(written(file, document(*cells)))
    assert entities(corpus["x"]) == [("1", spans)]
    assert codes(corpus) == [code]


def test_odd_cell_in_any_position(file: Path) -> None:
    corpus = read(written(file, document("(1+2)", "-", "(1+2)", "(1)")))
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W103", 2), ("W103", 4)]


WITH_TABS = PLAIN.replace("(1\n", "(1\t\n").replace(")\n", ")\t\n").replace("-\n", "-\t\n")
SAME_AS_PLAIN = {
    "blanks": PLAIN.replace("\t", "   "),
    "mixed lines": PLAIN.replace("cat\t", "cat  ").replace("it\t", "it "),
    "blanks before the line": PLAIN.replace("cat\t", "  cat  "),
    "blanks inside tabs": PLAIN.replace("the\t", "the one\t"),
    "blanks behind the cell": PLAIN.replace(")\n", ")  \n"),
    "blanks behind blanks": PLAIN.replace("\t", " ").replace(")\n", ")  \n"),
    "a tab behind every cell": WITH_TABS,
    "a tab and a blank behind every cell": WITH_TABS.replace("\t\n", "\t \n"),
    "a tab and a carriage return behind every cell": WITH_TABS.replace("\n", "\r\n"),
    "a tab behind every cell, one of them empty": WITH_TABS.replace("-", ""),
    "underscores": PLAIN.replace("-", "_"),
    "stars": PLAIN.replace("-", "*"),
    "an empty cell": PLAIN.replace("-", ""),
    "a word, a tab and nothing": PLAIN.replace("sat\t-", "sat\t"),
    "carriage returns": PLAIN.replace("\n", "\r\n"),
    "carriage returns and blanks": PLAIN.replace("\t", " ").replace("\n", "\r\n"),
    "carriage returns behind tabs": PLAIN.replace("-\n", "\n").replace("\n", "\r\n"),
    "carriage returns on some lines": PLAIN.replace(")\n", ")\r\n"),
    "a byte-order mark": "\ufeff" + PLAIN,
    "no final newline": PLAIN.rstrip("\n"),
    "a separator": PLAIN.replace("cat", "\ncat"),
    "a separator of blanks": PLAIN.replace("cat", " \t \ncat"),
    "a separator of blanks in blanks": PLAIN.replace("\t", " ").replace("cat", "   \ncat"),
    "a separator of a carriage return": PLAIN.replace("cat", "\r\ncat"),
    "separators at both ends": PLAIN.replace("the", "\n\nthe").replace("#end", "\n\n#end"),
    "separators outside": "\n\n" + PLAIN + "\n \n",
    "comments outside": "# a comment\n" + PLAIN + "#another\n",
    "a blank after the mark": PLAIN.replace("#", "# "),
    "a tab after the mark": PLAIN.replace("#", "#\t"),
    "blanks behind the name": PLAIN.replace("document x", "document x \t "),
    "more behind the end": PLAIN.replace("#end document", "#end document x; part 0"),
    "brackets in words": PLAIN.replace("sat", "(7)").replace("the", "(").replace("it", "8)"),
    "brackets in words, blanks": PLAIN.replace("sat", "(7)").replace("\t", " "),
    "nothing but cells": re.sub(r"\w+\t", "", PLAIN),
    "more columns": PLAIN.replace("\t", "\tA\tB\tC\t(D\t"),
    "words that are not ASCII": PLAIN.replace("cat", "Bär\u00a0\u2003"),
}


@pytest.mark.parametrize("text", SAME_AS_PLAIN.values(), ids=SAME_AS_PLAIN)
def test_equivalent_files_without_findings(text: str, file: Path) -> None:
    corpus = read(written(file, text))
    assert contents(corpus) == AS_PLAIN
    assert not corpus.findings


def test_words_that_are_not_utf8(file: Path) -> None:
    corpus = read(written(file, PLAIN.encode().replace(b"cat", b"b\xe4r").replace(b"it", b"\xff")))
    assert contents(corpus) == AS_PLAIN
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W107", 3)]


@pytest.mark.parametrize("data", [b"\0", PLAIN.encode("utf-16"), PLAIN.encode() + b"\n\0"])
def test_a_nul_byte_means_a_binary_file(data: bytes, file: Path) -> None:
    path = written(file, data)
    assert [code for code, _ in refusal(lambda: read(path))][-1] == "E107"


def test_carriage_returns_alone_are_refused(file: Path) -> None:
    path = written(file, PLAIN.replace("\n", "\r"))
    assert refusal(lambda: read(path)) == [("E115", 1)]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("#begin document (bn/cctv_01); part 000", "(bn/cctv_01); part 000"),
        ("#begin document (bn/cctv_01); part 0", "(bn/cctv_01); part 0"),
        ("#begin document (bn/cctv_01);", "(bn/cctv_01);"),
        ("#begin document(bn/cctv_01);", "(bn/cctv_01);"),
        ("#  begin document a b  c  ", "a b  c"),
        ("#begin document ü\r", "ü"),
        ("#begin document #1", "#1"),
        ("#begin document begin document", "begin document"),
    ],
)
def test_document_name_is_rest_of_line(line: str, name: str, file: Path) -> None:
    assert read(written(file, f"{line}\nw\t(1)\n#end document\n")).document_names == (name,)


def test_parts_are_documents_of_their_own(file: Path) -> None:
    names = [f"(x); part {part}" for part in ("000", "001", "0", "1")]
    corpus = read(written(file, "".join(document("(1)", name=name) for name in names)))
    assert contents(corpus) == {name: (1, [("1", [(0, 0)])]) for name in names}


def test_empty_name_becomes_file_name(tmp_path: Path) -> None:
    corpora = []
    for side in ("key", "response"):
        (tmp_path / side).mkdir()
        path = tmp_path / side / "news.conll"
        corpora.append(read(written(path, document("(1)", name=""))))
    assert corpora[0].document_names == corpora[1].document_names
    assert "news" in corpora[0].document_names[0]


def test_two_documents_without_a_name(file: Path) -> None:
    path = written(file, document("(1)", name="") * 2)
    assert refusal(lambda: read(path)) == [("E106", 4)]


def test_duplicate_document_name(file: Path) -> None:
    path = written(file, PLAIN + document(name="y") + PLAIN)
    with pytest.raises(ValueError, match=r"file\.conll:9: .*'x'.*file\.conll:1; .*\[E106\]"):
        read(path)


def test_document_without_end(file: Path) -> None:
    unended = PLAIN.replace("#end document\n", "")
    corpus = read(written(file, unended + unended.replace(" x", " y")))
    assert contents(corpus) == AS_PLAIN | {"y": AS_PLAIN["x"]}
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W103", 1), ("W103", 6)]


def test_a_document_without_tokens_is_legal(file: Path) -> None:
    corpus = read(written(file, document(name="a") + "#begin document b\n\n \n#end document\n"))
    assert contents(corpus) == {"a": (0, []), "b": (0, [])}
    assert codes(corpus) == ["W116"], "not one mention in the whole corpus"


def test_lines_outside_documents(file: Path) -> None:
    corpus = read(written(file, "a\t-\n" + PLAIN + "b\t(1\nc\t-\n" + document(name="y")))
    (finding,) = corpus.findings
    assert (finding.code.id, finding.line) == ("W181", 1)
    assert "3 lines" in finding.message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E105"),
        ("\n \n", "E105"),
        ("\ufeff", "E105"),
        ("# a comment\n", "E105"),
        ("#end document\n", "E105"),
        ("the\t(1\ncat\t1)\n", "E112"),
        (" #begin document x\n", "E112"),
        ("#document x\nw\t(1)\n", "E112"),
    ],
)
def test_a_file_without_a_document_is_refused(text: str, code: str, file: Path) -> None:
    path = written(file, text)
    assert [code for code, _ in refusal(lambda: read(path))][-1] == code


def test_hash_with_all_columns_is_a_token(file: Path) -> None:
    corpus = read(written(file, document("-", "(1)", "(2)").replace("w1", "#").replace("w2", "#x")))
    assert contents(corpus) == {"x": (3, [("1", [(1, 1)]), ("2", [(2, 2)])])}
    assert not corpus.findings


def test_hash_at_start_of_document(file: Path) -> None:
    corpus = read(written(file, document("(1)", "(1)", "-").replace("w0", "#").replace("w1", "#")))
    assert contents(corpus) == {"x": (3, [("1", [(0, 0), (1, 1)])])}


@pytest.mark.parametrize("comment", ["# a comment line", "#", "#a\tb\tc", "#\t-\t"])
@pytest.mark.parametrize("place", ["the", "sat", "#end"])
def test_hash_lines_are_comments_with_a_warning(comment: str, place: str, file: Path) -> None:
    corpus = read(written(file, PLAIN.replace(place, f"{comment}\n{place}")))
    assert contents(corpus) == AS_PLAIN
    assert codes(corpus) == ["W103"]


def test_neighbours_of_a_hash_are_in_its_document(file: Path) -> None:
    alone = "#begin document x\n#\t(1)\n#end document\n"
    corpus = read(written(file, document("-", name="a") + alone + document("-", name="b")))
    assert contents(corpus)["x"] == (0, [])
    assert codes(corpus) == ["W103", "W116"]


def test_gzip_is_told_by_content(tmp_path: Path) -> None:
    data = gzip.compress(PLAIN.encode())
    for name in ("a.conll.gz", "b.conll", "c"):
        assert contents(read(written(tmp_path / name, data))) == AS_PLAIN


@pytest.mark.parametrize("damage", ["truncated", "bit", "garbage", "magic"])
def test_a_damaged_gzip_is_refused(damage: str, file: Path) -> None:
    whole = gzip.compress(PLAIN.encode())
    data = {
        "truncated": whole[:-9],
        "bit": whole[:30] + bytes([whole[30] ^ 255]) + whole[31:],
        "garbage": whole + b"garbage",
        "magic": whole[:2],
    }[damage]
    path = written(file, data)
    assert refusal(lambda: read(path)) == [("E111", None)]


def test_directory_is_read_in_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    for name in ("b.gold_conll", "deep/er/c.v4_auto_conll", "a.conll.gz", ".hidden.conll"):
        data = document("(1)", name=Path(name).name[0]).encode()
        written(tmp_path / name, gzip.compress(data) if name.endswith("gz") else data)
    corpus = read(str(tmp_path))
    assert corpus.document_names == ("a", "b", "c")
    assert corpus.document_files is not None
    assert [Path(path).name[0] for path in corpus.document_files] == ["a", "b", "c"]
    assert [finding.code.id for finding in corpus.findings] == ["W109"]
    assert ".hidden.conll" in corpus.findings[0].message


def test_a_directory_may_hold_several_formats(tmp_path: Path) -> None:
    written(tmp_path / "a.conll", document("(1)", name="a"))
    written(tmp_path / "b.jsonl", '{"doc_key": "b", "clusters": [[[0, 0]]]}')
    written(tmp_path / "c.json", '{"c": [[[0, 0]]]}')
    corpus = read(str(tmp_path))
    assert {name: spans for name, (_, spans) in contents(corpus).items()} == {
        "a": [("1", [(0, 0)])],
        "b": [("0", [(0, 0)])],
        "c": [("0", [(0, 0)])],
    }


def test_duplicate_name_in_directory(tmp_path: Path) -> None:
    written(tmp_path / "a.conll", PLAIN)
    written(tmp_path / "b.conll", PLAIN)
    with pytest.raises(ValueError, match=r"b\.conll:1: .*'x'.*a\.conll:1"):
        read(str(tmp_path))


@pytest.mark.parametrize("compressed", [False, True])
def test_standard_input_keeps_its_text(compressed: bool) -> None:
    program = (
        "import corefscope as cs, json; corpus = cs.read('-');"
        "print(json.dumps([len(corpus['x']), corpus['x'].words, len(corpus.mention_entity)]))"
    )
    data = gzip.compress(PLAIN.encode()) if compressed else PLAIN.encode()
    done = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True)
    assert json.loads(done.stdout) == [4, ["the", "cat", "sat", "it"], 2]


def test_truncated_gzip_on_standard_input() -> None:
    data = gzip.compress(PLAIN.encode())[:-9]
    command = [sys.executable, "-m", "corefscope", "validate", "-"]
    done = subprocess.run(command, input=data, capture_output=True)
    assert done.returncode == 3
    assert done.stdout.startswith(b"error[E111] <standard input>: ")
    assert b"[E111]" in done.stdout


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(PLAIN,))
    writer.start()
    corpus = read(str(pipe))
    writer.join()
    assert contents(corpus) == AS_PLAIN
    assert corpus["x"].words == ["the", "cat", "sat", "it"]


@pytest.mark.parametrize("cell", ["(1 2)", "(1\x1f)", "(1) (2)", "1\x0b)"])
def test_id_without_blanks(file: Path, cell: str) -> None:
    assert refusal(lambda: read(written(file, document(cell)))) == [("E135", 2)]


def test_a_cell_as_long_as_a_book_is_refused(file: Path) -> None:
    for cell in ("x" * 50_000, "x" * 50_000 + "(", "(1)" * 20_000 + "x"):
        path = written(file, document(cell))
        assert refusal(lambda path=path: read(path)) == [("E135", 2)]  # type: ignore[misc]


def test_thousands_of_hashtags(file: Path) -> None:
    hashtags = document("-", *["(1)"] * 20_000).replace("\nw", "\n#w")
    corpus = read(written(file, hashtags))
    comments = [each.unlisted or 1 for each in corpus.findings if each.code.id == "W103"]
    assert sum(comments) == 20_001, "without any plain word they are comments"
    corpus = read(written(file, hashtags.replace("#w0", "w0")))
    assert len(corpus.mention_entity) == 20_000
    assert corpus["x"].words is not None and len(corpus["x"].words) == 20_001


def documents() -> st.SearchStrategy[dict[str, SpanDocument]]:
    """One to three documents by name; one-token mentions may begin with longer ones."""
    several = st.lists(span_documents(shared_starts=True), min_size=1, max_size=3)
    return several.map(lambda drawn: {f"(d/{i}); part 000": d for i, d in enumerate(drawn)})


@given(drawn=documents(), layout=layouts())
@settings(max_examples=300)
def test_random_documents_in_every_layout(
    drawn: dict[str, SpanDocument], layout: Layout, scratch: Path
) -> None:
    corpus = read(written(scratch, conll_text(drawn, layout)))
    assert set(codes(corpus)) <= {"W103", "W116"}
    found = {
        document.name: (len(document), {e.label: {m.id for m in e} for e in document.entities})
        for document in corpus
    }
    assert found == {
        name: (d.tokens, {str(i): set(spans) for i, spans in enumerate(d.entities)})
        for name, d in drawn.items()
    }


COLUMN_EDITS: dict[str, Callable[[list[str]], list[str]]] = {
    "lost": lambda fields: fields[:-1],
    "lost inside": lambda fields: fields[:-2] + fields[-1:],
    "extra": lambda fields: [*fields, "-"],
    "extra tab": lambda fields: [*fields, ""],
    "emptied": lambda fields: [*fields[:-1], ""],
    "two columns": lambda fields: [*fields[:-1], "*", fields[-1]],
    "multiword": lambda fields: ["1-2", *fields[1:]],
    "multiword number": lambda fields: [*fields[:2], "1-2", *fields[3:]],
    "name": lambda fields: [*fields[:-1], "(PERSON)"],
    "other case": lambda fields: [*fields[:-1], "(Person)"],
    "role": lambda fields: [*fields[:-1], "(ARG0*)"],
    "star": lambda fields: [*fields[:-1], "*"],
    "number first": lambda fields: ["1", *fields[1:]],
    "bars": lambda fields: [*fields[:-1], fields[-1].replace("|", " | ")],
    "underscores": lambda fields: [*fields[:-1], fields[-1].replace("|", "_")],
}
"""What may happen to the fields of a row."""


def with_edited_columns(
    text: str, edits: list[tuple[int, str]], everywhere: str | None, glued: bool
) -> str:
    """Change some rows of CoNLL text, or all of them."""
    lines = text.splitlines()
    rows = [number for number, line in enumerate(lines) if line and not line.startswith("#")]
    chosen = [(rows[place % len(rows)], name) for place, name in edits if rows]
    chosen += [(row, everywhere) for row in rows if everywhere]
    for row, name in chosen:
        separator = "\t" if "\t" in lines[row] else " "
        lines[row] = separator.join(COLUMN_EDITS[name](lines[row].split(separator)))
    edited = "\n".join(lines)
    return edited.replace("#end document\n#begin", "#end document#begin") if glued else edited


edited_columns = st.builds(
    with_edited_columns,
    st.builds(conll_text, documents(), layouts()),
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(sorted(COLUMN_EDITS))), max_size=3),
    st.sampled_from([None, *sorted(COLUMN_EDITS)]),
    st.booleans(),
)


@given(text=edited_columns, block=st.integers(3, 200))
@settings(max_examples=400)
def test_slow_reader_agrees_on_changed_columns(text: str, block: int, scratch: Path) -> None:
    expected = reference(text.encode())
    path = written(scratch, text)
    assert fast(path) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("corefscope.formats.reading.source.BLOCK", block)
        assert fast(path) == expected


def reference(data: bytes) -> dict[str, object] | None:
    """What the slow reader makes of a file; None if it refuses."""
    try:
        found = slow_read(data)
    except Refused:
        return None
    return {
        _text(name): (tokens, [(_text(label), spans) for label, spans in entities.items()])
        for name, (tokens, entities) in found.items()
    }


def fast(path: str) -> dict[str, object] | None:
    """What the reader makes of a file; None if it refuses."""
    corpora: list[Corpus] = []
    if refusal(lambda: corpora.append(read(path, "conll"))):
        return None
    return {
        "" if name.endswith("scratch.conll") else name: value
        for name, value in contents(corpora[0]).items()
    }


def _text(name: bytes) -> str:
    return name.decode(errors="surrogateescape")


@given(drawn=documents(), layout=layouts())
@settings(max_examples=300)
def test_slow_reader_agrees_on_random_documents(
    drawn: dict[str, SpanDocument], layout: Layout, scratch: Path
) -> None:
    text = conll_text(drawn, layout)
    assert fast(written(scratch, text)) == reference(text.encode()) is not None


def damaged() -> st.SearchStrategy[bytes]:
    texts = st.builds(conll_text, documents(), layouts())
    return texts.flatmap(lambda text: mutations(text.encode()))


@given(data=damaged(), block=st.integers(3, 60))
@settings(max_examples=250)
def test_slow_reader_agrees_on_damaged_files(data: bytes, block: int, scratch: Path) -> None:
    expected = reference(data)
    path = written(scratch, data)
    assert fast(path) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("corefscope.formats.reading.source.BLOCK", block)
        assert fast(path) == expected


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")
@pytest.mark.parametrize("cases", ["random.jsonl", "edge.jsonl"])
def test_slow_reader_agrees_on_shared_cases(cases: str, scratch: Path) -> None:
    for line in (CASES / cases).read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        for side in ("key", "response"):
            path = written(scratch, case[side])
            assert fast(path) == reference(case[side].encode()), (case["id"], side)


def long_text(size: int) -> str:
    """Documents of very different lengths with nested mentions, sentences, comments, oddities."""
    documents, length = [], 0
    for number in range(10**6):
        tokens = [1, 7, 400, 3, 20_000, 0][number % 6]
        lines = [_token_line(number, token) for token in range(tokens)]
        text = "\n".join([f"#begin document d{number}", *lines, "#end document", ""])
        documents.append(text)
        length += len(text)
        if length > size:
            break
    return "".join(documents)


def _token_line(number: int, token: int) -> str:
    cell = ["(1", "(1|(2)", "-", "1)", "(3)", "1)", "-", "(4+5)", "(6", "6)|(7", "7)"][token % 11]
    cell = "-" if token // 11 * 11 + 10 > [0, 6, 399, 2, 19_999, 0][number % 6] else cell
    word = "#" if token % 97 == 50 else f"wörd{token}"
    comment = "# a comment\n" if token % 301 == 300 else ""
    blank = "\n" if token % 23 == 22 else ""
    return f"{comment}{word}\t{number}\t{token}\t{word}\t{cell}{blank}"


def test_block_size_does_not_matter(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(file, "\ufeff" + long_text(2_500_000))
    whole = everything(read(path))
    assert len(whole[0]) > 10
    for block in (5000, 1 << 26):
        monkeypatch.setattr("corefscope.formats.reading.source.BLOCK", block)
        assert everything(read(path)) == whole


def test_a_line_longer_than_a_block_is_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corefscope.formats.reading.source.BLOCK", 64)
    corpus = read(written(file, PLAIN.replace("cat", "c" * 1000).replace("it\t", "i\t" * 300)))
    assert contents(corpus) == AS_PLAIN
    assert corpus["x"].words == ["the", "c" * 1000, "sat", "i"]


def test_hash_at_block_boundary(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = document("(1)", "-", "(1)").replace("w0", "#")
    path = written(file, text.encode().replace(b"w2", b"\xe9"))
    expected = everything(read(path))
    for block in range(3, 60):
        monkeypatch.setattr("corefscope.formats.reading.source.BLOCK", block)
        assert everything(read(path)) == expected
