"""Reading the text of CoNLL columns: sentences and layers, from the file, only when asked."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given, settings

import corefscope as cs
from corefscope import InvalidInput, read
from corefscope.formats.reading.builder import FileLayers
from formats.contents import refusal, text, written
from strategies import Layout, SpanDocument, conll_text, layouts, span_documents

TWELVE_COLUMNS = """\
#begin document (bn/0001); part 003
bn/0001  3  0  Ann    NNP  (TOP(S(NP*)  -     -   -  Bob  (PERSON)  *  (1)
bn/0001  3  1  has    VBZ  (VP*         have  01  1  Bob  *         *  -
bn/0001  3  2  (1)    -LRB-  *          -     -   -  Bob  *         *  (2
bn/0001  3  3  cats   NNS  (NP*)))      cat   -   1  Bob  *         *  2)

bn/0001  3  0  Yes    UH   (TOP*)       -     -   -  -    *         -

#end document
"""

SEMEVAL = """\
#begin document semeval
1\tAnn\tAnn\tNNP\t2\tSBJ\t(1)
2\tslept\tsleep\tVBD\t0\tROOT\t_

1\tShe\tshe\tPRP\t2\tSBJ\t(1)
#end document
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.conll"


def test_twelve_columns_give_every_layer(file: Path) -> None:
    (document,) = read(written(file, TWELVE_COLUMNS))
    assert document.sentences == [range(4), range(4, 5)]
    assert document.words == ["Ann", "has", "(1)", "cats", "Yes"]
    assert document.tags == ["NNP", "VBZ", "-LRB-", "NNS", "UH"]
    assert document.parse == ["(TOP(S(NP*)", "(VP*", "*", "(NP*)))", "(TOP*)"]
    assert document.lemmas == ["-", "have", "-", "cat", "-"]
    assert document.speakers == ["Bob"] * 4 + ["-"]
    assert document.names == ["(PERSON)", "*", "*", "*", "*"]
    assert len(document) == 5


def test_tabs_and_blanks_give_the_same_text(tmp_path: Path) -> None:
    blanks = read(written(tmp_path / "blanks.conll", TWELVE_COLUMNS))
    rows = ["\t".join(line.split()) for line in TWELVE_COLUMNS.split("\n")]
    rows[0], rows[-2] = "#begin document (bn/0001); part 003", "#end document"
    tabs = read(written(tmp_path / "tabs.conll", "\r\n".join(rows)))
    assert [text(document) for document in tabs] == [text(document) for document in blanks]
    assert tabs.word_digests == blanks.word_digests


def test_semeval_columns(file: Path) -> None:
    (document,) = read(written(file, SEMEVAL))
    assert document.sentences == [range(2), range(2, 3)]
    assert document.words == ["Ann", "slept", "She"]
    assert document.tags is document.parse is document.names is document.speakers is None


def test_semeval_columns_with_number_as_first_word(file: Path) -> None:
    (document,) = read(written(file, SEMEVAL.replace("Ann\tAnn", "2010\t2010")))
    assert document.words == ["2010", "slept", "She"]


@pytest.mark.parametrize("separator", ["\t", " "])
def test_two_columns_give_words(separator: str, file: Path) -> None:
    lines = f"the{separator}(1\n\ncat{separator}1)\n"
    (document,) = read(written(file, f"#begin document x\n{lines}#end document\n"))
    assert document.words == ["the", "cat"]
    assert document.sentences == [range(1), range(1, 2)]
    assert document.tags is None


def test_cells_alone_give_no_words(file: Path) -> None:
    (document,) = read(written(file, "#begin document x\n(1)\n-\n#end document\n"))
    assert document.words is None
    assert document.sentences == [range(2)]


def test_document_without_tokens(file: Path) -> None:
    (document,) = read(written(file, "#begin document x\n\n#end document\n"))
    assert document.sentences == []
    assert not document.words


def test_each_document_has_a_layout_of_its_own(file: Path) -> None:
    corpus = read(written(file, SEMEVAL + TWELVE_COLUMNS))
    assert [document.words and document.words[-1] for document in corpus] == ["She", "Yes"]
    assert [document.tags is None for document in corpus] == [True, False]


def test_blank_lines_in_a_row_are_one_break(file: Path) -> None:
    lines = "\n\na\t-\nb\t-\n \t\n\r\n\nc\t-\n\n\n"
    (document,) = read(written(file, f"#begin document x\n{lines}#end document\n"))
    assert document.sentences == [range(2), range(2, 3)]


def test_comments_are_no_words_and_hashes_are(file: Path) -> None:
    lines = "# a comment\n#\t(1)\nb\t-\n# one more\n#tag\t(1)\n#\n"
    (document,) = read(written(file, f"#begin document x\n{lines}#end document\n"))
    assert document.words == ["#", "b", "#tag"]
    assert len(document) == 3


def test_bytes_that_are_not_utf8(file: Path) -> None:
    data = b"#begin document x\nb\xe4r\t(1)\n#end document\n"
    corpus = read(written(file, data))
    assert corpus["x"].words == [b"b\xe4r".decode(errors="surrogateescape")]
    cs.write(corpus, str(file.with_suffix(".copy.conll")))
    assert b"b\xe4r" in file.with_suffix(".copy.conll").read_bytes()


def test_text_after_byte_order_mark_and_in_gzip(tmp_path: Path) -> None:
    data = ("\ufeff" + SEMEVAL + TWELVE_COLUMNS).encode()
    for name, stored in (("a.conll", data), ("b.conll.gz", gzip.compress(data))):
        last = list(read(written(tmp_path / name, stored)))[1]
        assert last.words and last.words[0] == "Ann"


def test_directory_documents_find_their_text(tmp_path: Path) -> None:
    written(tmp_path / "a.conll", SEMEVAL)
    written(tmp_path / "b.conll", TWELVE_COLUMNS)
    corpus = read(str(tmp_path))
    assert [document.words and document.words[1] for document in corpus] == ["slept", "has"]


def test_one_document_of_a_corpus_keeps_its_text(file: Path) -> None:
    corpus = read(written(file, SEMEVAL + TWELVE_COLUMNS))
    (document,) = corpus.only("(bn/0001); part 003")
    assert document.words and document.words[0] == "Ann"
    assert document.sentences == [range(4), range(4, 5)]


def test_scoring_needs_no_text(file: Path) -> None:
    key, response = read(written(file, SEMEVAL)), read(written(file, SEMEVAL))
    file.unlink()
    assert cs.score(key, response).muc.f1 == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.unlink(),
        lambda path: path.write_text(SEMEVAL.replace("Ann", "Eve")),
        lambda path: path.write_text(SEMEVAL + SEMEVAL),
        lambda path: path.write_text(""),
    ],
    ids=["removed", "other words", "longer", "emptied"],
)
def test_changed_file_is_an_error(change: object, file: Path) -> None:
    corpus = read(written(file, SEMEVAL))
    before = file.stat()
    assert callable(change)
    change(file)
    if file.exists():
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert refusal(lambda: corpus["semeval"].words) == [("E108", None)]
    with pytest.raises(InvalidInput):
        _ = corpus["semeval"].sentences


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("text") / "scratch.conll"


@given(drawn=span_documents(), layout=layouts())
@settings(max_examples=200)
def test_random_documents_in_every_layout(
    drawn: SpanDocument, layout: Layout, scratch: Path
) -> None:
    (document,) = read(written(scratch, conll_text({"x": drawn}, layout)))
    length = layout.sentence or max(drawn.tokens, 1)
    begins = range(0, drawn.tokens, length)
    assert document.sentences == [range(b, min(b + length, drawn.tokens)) for b in begins]
    assert (document.words or []) == [f"w{token}" for token in range(drawn.tokens)]
    assert bool(document.tags) == (layout.columns == 12 and drawn.tokens > 0)


LAYERS = ("words", "tags", "parse", "names", "speakers")
BODIES = {
    "plain": "x 0 0 Ann NNP (1)\nx 0 1 sleeps VBZ -\n\nx 0 0 Bob NNP (1)\n",
    "a comment": "x 0 0 Ann NNP (1)\n# a remark\nx 0 1 sleeps VBZ -\n",
    "a hash as token": "x 0 0 # SYM (1)\nx 0 1 one CD -\n# 0 2 two CD -\n",
    "tabs": "x\t0\t0\tNew York\tNNP\t(1)\nx\t0\t1\tsleeps\tVBZ\t-\n",
    "returns": "x 0 0 Ann NNP (1)\r\n\r\nx 0 1 sleeps VBZ -\r\n",
    "arguments": TWELVE_COLUMNS.split("\n", 1)[1].removesuffix("#end document\n"),
    "blank lines": "\n\nx 0 0 Ann NNP (1)\n\n\nx 0 0 Bob NNP (1)\n\n",
    "nothing": "",
    "other columns": "x 0 0 Ann NNP (TOP* - - - - * (1)\nx 0 1 sleeps VBZ *) - - - - * -\n",
}


@pytest.mark.parametrize("kept", [0, 300, 2 << 20], ids=["one block", "some blocks", "all"])
@pytest.mark.parametrize("size", [0, 200, 1 << 16], ids=["alone", "some", "all"])
def test_documents_read_together_are_as_if_they_were_alone(
    size: int, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corefscope.formats.reading.builder.TOGETHER", size)
    monkeypatch.setattr("corefscope.formats.reading.builder.KEPT", kept)
    marked = [f"#begin document ({n})\n{b}#end document\n" for n, b in enumerate(BODIES.values())]
    path = tmp_path / "all.conll"
    path.write_bytes("".join(marked).encode())
    together = cs.read(path)

    def facts(document: cs.Document) -> list[object]:
        layers = {layer: document.layer(layer) for layer in (*LAYERS, "arguments")}
        return [layers, list(document.sentences)]

    for number, body in reversed(list(enumerate(marked))):
        own = tmp_path / f"{number}.conll"
        own.write_bytes(body.encode())
        (alone,) = cs.read(own)
        assert facts(cs.Document(together, number)) == facts(alone), list(BODIES)[number]
    layers = together.layers
    assert isinstance(layers, FileLayers)
    assert layers._bytes <= max(kept, size, *map(len, marked))
    assert [facts(document) for document in together] == [
        facts(cs.Document(together, number)) for number in range(len(marked))
    ]
