"""BookNLP: entities, and the files that belong to them."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs
from formats.contents import codes, entities, refusal, written

COLUMNS = (
    "paragraph_ID sentence_ID token_ID_within_sentence token_ID_within_document word lemma "
    "byte_onset byte_offset POS_tag fine_POS_tag dependency_relation syntactic_head_ID event"
)
TOKENS = [
    "0 0 0 0 Old old 0 3 X X dep 1 O",
    '0 0 1 1 "Ann" ann 4 9 X X dep 2 O',
    "0 0 2 2 ran run 10 13 X X dep 2 O",
    "1 1 0 3 She she 15 18 X X dep 3 O",
]
ENTITIES = ['4 0 1 PROP PER Old"Ann"', "4 3 3 PRON PER She"]


def table(columns: str, rows: list[str]) -> str:
    return "".join("\t".join(row.split(" ")) + "\n" for row in [columns, *rows])


def book(folder: Path, entities: list[str], tokens: list[str] | None = None) -> str:
    if tokens is not None:
        written(folder / "x.tokens", table(COLUMNS, tokens))
    return written(
        folder / "x.entities", table("COREF start_token end_token prop cat text", entities)
    )


def test_entities_and_tokens(tmp_path: Path) -> None:
    corpus = cs.read(book(tmp_path, ENTITIES, TOKENS))
    document = corpus["x"]
    assert entities(document) == [("4", [(0, 1), (3, 3)])]
    assert document.words == ["Old", '"Ann"', "ran", "She"]
    assert document.sentences == [range(3), range(3, 4)]
    assert document.text == 'Old "Ann" ran\n\nShe'
    assert document.attributes == {(0, 1): ("PER", "NAM"), (3, 3): ("PER", "PRO")}
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [1, 3]
    assert document.speakers is None
    assert not corpus.findings


def test_a_column_without_heads(tmp_path: Path) -> None:
    """Otherwise the first token of each mention would be its head."""
    tokens = [row.rpartition(" dep ")[0] + " dep  O" for row in TOKENS]
    corpus = cs.read(book(tmp_path, ENTITIES, tokens))
    assert corpus.mention_heads is None
    assert entities(corpus["x"]) == [("4", [(0, 1), (3, 3)])]


def test_mentions_that_were_not_resolved(tmp_path: Path) -> None:
    """BookNLP writes −1 for them, which is no entity."""
    rows = ["-1 0 1 PROP PER x", "-1 2 2 PRON PER y", "4 3 3 PRON PER z"]
    corpus = cs.read(book(tmp_path, rows))
    assert [mentions for _, mentions in entities(corpus["x"])] == [[(0, 1)], [(2, 2)], [(3, 3)]]
    assert codes(corpus) == ["W157", "W401"]
    assert corpus.findings[0].message.startswith("2 mentions have the entity -1")
    assert corpus.findings[0].line == 2


def test_header_with_a_repeated_name(tmp_path: Path) -> None:
    """The last column of a name counts, and a row may have one cell less."""
    header, rows = "COREF start_token end_token prop cat cat", ["4 0 1 PROP PER", "5 3 3 PRON X Y"]
    corpus = cs.read(written(tmp_path / "x.entities", table(header, rows)))
    assert entities(corpus["x"]) == [("4", [(0, 1)]), ("5", [(3, 3)])]


def test_without_tokens(tmp_path: Path) -> None:
    corpus = cs.read(book(tmp_path, ENTITIES))
    assert entities(corpus["x"]) == [("4", [(0, 1), (3, 3)])]
    assert corpus["x"].words is None
    assert codes(corpus) == ["W401"]


def test_tokens_alone_are_refused(tmp_path: Path) -> None:
    book(tmp_path, ENTITIES, TOKENS)
    assert refusal(lambda: cs.read(tmp_path / "x.tokens")) == [("E118", None)]


def test_speakers_of_quotations(tmp_path: Path) -> None:
    columns = "quote_start quote_end mention_start mention_end mention_phrase char_id quote"
    rows = ["1 2 3 3 She 4 x", "3 900 3 3 She None x", "0 0 3 3 She -1 x"]
    written(tmp_path / "x.quotes", table(columns, rows))
    corpus = cs.read(book(tmp_path, ENTITIES, TOKENS))
    assert corpus["x"].speakers == ["-", "4", "4", "-"]


def test_a_folder_has_nothing_to_ignore(tmp_path: Path) -> None:
    folder = tmp_path / "books" / "x"
    folder.mkdir(parents=True)
    book(folder, ENTITIES, TOKENS)
    for ending in (".quotes", ".supersense", ".book", ".book.html"):
        written(folder / f"x{ending}", "quote_start\tquote_end\tchar_id\n" * (ending == ".quotes"))
    corpus = cs.read(folder.parent)
    assert corpus.document_names == ("x",)
    assert not corpus.findings


def test_other_ends(tmp_path: Path) -> None:
    """Heads are found in the mention as it is read."""
    path = book(tmp_path, ['4 0 2 PROP PER Old"Ann"', "4 3 4 PRON PER She"], TOKENS)
    corpus = cs.read(path, "booknlp:ends=exclusive")
    assert entities(corpus["x"]) == [("4", [(0, 1), (3, 3)])]
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [1, 3]


def test_offsets_that_do_not_fit(tmp_path: Path) -> None:
    tokens = [TOKENS[0].replace("0 3 X", "0 4 X"), *TOKENS[1:]]
    corpus = cs.read(book(tmp_path, ENTITIES, tokens))
    assert corpus["x"].text is None
    assert codes(corpus) == ["W113"]


@pytest.mark.parametrize(
    ("entities", "tokens", "finding"),
    [
        (["4 a 1 PROP PER x"], TOKENS, ("E135", 2)),
        (["4 0 1"], TOKENS, ("E135", 2)),
        (["4 0 1 PROP PER x", " 2 2 PROP PER y"], TOKENS, ("E135", 3)),
        (["4 0 9 PROP PER x"], TOKENS, ("E113", None)),
        (ENTITIES, [TOKENS[0], *TOKENS[2:]], ("E135", 3)),
        (ENTITIES, [TOKENS[0].replace("0 3 X", "? 3 X")], ("E135", 2)),
    ],
)
def test_errors(
    entities: list[str], tokens: list[str], finding: tuple[str, int | None], tmp_path: Path
) -> None:
    path = book(tmp_path, entities, tokens)
    assert finding in refusal(lambda: cs.read(path))
