"""XML of CoreNLP and MMAX2, and XML that is refused."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from formats.contents import codes, entities, partition, refusal, written

# ---- CoreNLP ----


def token(id: int, word: str, begin: int, end: int) -> str:
    return (
        f'<token id="{id}"><word>{word}</word><CharacterOffsetBegin>{begin}</CharacterOffsetBegin>'
        f"<CharacterOffsetEnd>{end}</CharacterOffsetEnd><POS>NN</POS></token>\n"
    )


def mention(sentence: int, start: int, end: int, head: int | str, text: str = "") -> str:
    return (
        f"<mention><sentence>{sentence}</sentence><start>{start}</start><end>{end}</end>"
        f"<head>{head}</head><text>{text}</text></mention>\n"
    )


def corenlp(chains: str, name: str = "") -> str:
    first = token(1, "😀", 0, 2) + token(2, "-LRB-", 3, 4) + token(3, "Ann", 4, 7)
    return (
        f"<root>\n<document>{name}<sentences>\n"
        f'<sentence id="1"><tokens>\n{first}</tokens></sentence>\n'
        f'<sentence id="2"><tokens>\n{token(1, "She", 9, 12)}</tokens></sentence>\n'
        f"</sentences><coreference>\n{chains}</coreference></document></root>\n"
    )


CHAIN = f"<coreference>{mention(1, 2, 4, 3)}{mention(2, 1, 2, 1)}</coreference>"


def test_corenlp(tmp_path: Path) -> None:
    corpus = cs.read(written(tmp_path / "x.txt.xml", corenlp(CHAIN)))
    document = corpus["x"]
    assert entities(document) == [("0", [(1, 2), (3, 3)])]
    assert document.words == ["😀", "(", "Ann", "She"]
    assert document.text == "😀 (Ann\n\nShe"
    assert document.tags == ["NN"] * 4
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [2, 3]
    assert not corpus.findings


@pytest.mark.parametrize(
    "kind", ["prefixes", "a namespace", "no line breaks", "comments", "references"]
)
def test_the_same_xml_in_other_words(kind: str, tmp_path: Path) -> None:
    """Prefixes, blanks, comments, CDATA and references of characters do not change a document."""
    text = corenlp(CHAIN)
    other = {
        "prefixes": re.sub(r"<(/?)(?=\w)", r"<\1x:", text).replace("root>", 'root xmlns:x="y">', 1),
        "a namespace": text.replace("<root>", '<root xmlns="y">'),
        "no line breaks": text.replace("\n", ""),
        "comments": text.replace("<word>", "<word><!-- <word>no</word> -->").replace(
            ">Ann<", "><![CDATA[Ann]]><"
        ),
        "references": text.replace("Ann", "&#65;n&#x6e;"),
    }[kind]
    one = cs.read(written(tmp_path / "one.xml", text))
    two = cs.read(written(tmp_path / "two.xml", other))
    assert entities(two["two"]) == entities(one["one"])
    assert two["two"].words == one["one"].words and two["two"].text == one["one"].text
    if kind != "no line breaks":
        assert two.mention_lines is not None and one.mention_lines is not None
        assert two.mention_lines.tolist() == one.mention_lines.tolist() == [12, 13]


@pytest.mark.parametrize(("head", "found"), [(9, ["W113"]), ("Ann", ["W113"]), ("", [])])
def test_heads_of_corenlp_that_are_no_tokens(
    head: int | str, found: list[str], tmp_path: Path
) -> None:
    chain = f"<coreference>{mention(1, 2, 4, head)}{mention(2, 1, 2, 1)}</coreference>"
    corpus = cs.read(written(tmp_path / "x.xml", corenlp(chain)))
    assert codes(corpus) == found
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [-1, 3]


def test_corenlp_that_counts_from_0(tmp_path: Path) -> None:
    places = (0, 1, 3, 2, "-LRB- Ann"), (1, 0, 1, 0, "She"), (0, 2, 3, 2, "Ann")
    chain = f"<coreference>{''.join(mention(*place) for place in places)}</coreference>"
    path = written(tmp_path / "x.xml", corenlp(chain))
    with pytest.raises(cs.InvalidInput, match=r"'corenlp-xml:base=0' \[E120\]"):
        cs.read(path)
    corpus = cs.read(path, "corenlp-xml:base=0")
    assert entities(corpus["x"]) == [("0", [(1, 2), (3, 3), (2, 2)])]
    assert corpus.mention_heads is not None and corpus.mention_heads.tolist() == [2, 3, 2]


def test_sentences_of_corenlp_with_other_numbers(tmp_path: Path) -> None:
    """A part of a longer text keeps the numbers of its sentences."""
    text = corenlp(CHAIN).replace('id="2"><tokens>', 'id="9"><tokens>')
    corpus = cs.read(written(tmp_path / "x.xml", text.replace(">2</sentence>", ">9</sentence>")))
    assert entities(corpus["x"]) == [("0", [(1, 2), (3, 3)])]
    assert ("E135", 13) in refusal(lambda: cs.read(written(tmp_path / "y.xml", text)))


def test_the_name_of_a_document_of_corenlp(tmp_path: Path) -> None:
    path = written(tmp_path / "x.xml", corenlp(CHAIN, "<docId>tale.txt</docId>"))
    assert cs.read(path).document_names == ("tale",)


def test_corenlp_without_coreference(tmp_path: Path) -> None:
    """An empty element says that there are no entities, none that they were not looked for."""
    text = corenlp("")
    nothing = cs.read(written(tmp_path / "x.xml", text))
    assert nothing.document_names and not len(nothing.mention_entity)
    path = written(tmp_path / "y.xml", re.sub(r"<coreference>\s*</coreference>", "", text))
    assert refusal(lambda: cs.read(path)) == [("E118", 1)]
    with pytest.raises(cs.InvalidInput, match="XML of CoreNLP without coreference"):
        cs.read(path)


def test_offsets_that_do_not_fit(tmp_path: Path) -> None:
    text = corenlp(CHAIN).replace(">12<", ">13<")
    corpus = cs.read(written(tmp_path / "x.xml", text))
    assert corpus["x"].text is None and codes(corpus) == ["W113"]


@pytest.mark.parametrize(
    ("place", "code"),
    [((3, 1, 2, 1), "E113"), ((1, 3, 5, 3), "E113"), ((1, 0, 1, 1), "E113")],
)
def test_errors_of_corenlp(place: tuple[int, int, int, int], code: str, tmp_path: Path) -> None:
    chain = f"<coreference>{mention(*place)}</coreference>"
    path = written(tmp_path / "x.xml", corenlp(chain))
    (found, line), *_ = refusal(lambda: cs.read(path))
    assert found == code and line is not None


# ---- MMAX2 ----

WORDS = ["Old", "Ann", "ran", ".", "She", "slept"]


def level(*markables: str) -> str:
    rows = "".join(f'<markable id="m{n}" {each}/>\n' for n, each in enumerate(markables))
    return f'<?xml version="1.0"?>\n<markables xmlns="x/coref">\n{rows}</markables>\n'


COREF = level(
    'span="word_1..word_2" coref_class="set_1"',
    'span="word_5" coref_class="set_1"',
    'span="word_2,word_6" coref_class="empty"',
)


def project(folder: Path, name: str = "a_x", **levels: str) -> Path:
    for part in ("Basedata", "Markables"):
        (folder / part).mkdir(exist_ok=True)
    # The numbers of the ids have a gap, as after editing.
    ids = [1, 2, 3, 4, 5, 6]
    words = "".join(f'<word id="word_{n}">{w}</word>\n' for n, w in zip(ids, WORDS, strict=True))
    text = f'<?xml version="1.0"?>\n<!DOCTYPE words SYSTEM "words.dtd">\n<words>\n{words}</words>\n'
    written(folder / "Basedata" / f"{name}_words.xml", text)
    for each, data in (levels or {"coref": COREF}).items():
        written(folder / "Markables" / f"{name}_{each}_level.xml", data)
    mmax = f"<mmax_project><words>{name}_words.xml</words></mmax_project>"
    written(folder / f"{name}.mmax", mmax)
    written(folder / "common_paths.xml", "<common_paths/>")
    return folder


EXPECTED = {frozenset({(0, 1), (4, 4)}), frozenset({((1, 1), (5, 5))})}


@pytest.mark.parametrize(
    "path", ["", "a_x.mmax", "Basedata/a_x_words.xml", "Markables/a_x_coref_level.xml"]
)
def test_mmax2(path: str, tmp_path: Path) -> None:
    corpus = cs.read(project(tmp_path) / path)
    assert corpus.document_names == ("a_x",)
    assert corpus["a_x"].words == WORDS
    assert partition(corpus["a_x"]) == EXPECTED
    assert not corpus.findings


COMMON_PATHS = """<?xml version="1.0"?>
<common_paths>
<basedata_path>{words}</basedata_path>
<markable_path>levels/new</markable_path>
<annotations>
<level name="chains" schemefile="x.xml">$-coref.xml</level>
<level name="sentence">$_sentences.xml</level>
<level name="absent">$_absent.xml</level>
</annotations>
</common_paths>
"""


@pytest.mark.parametrize("path", ["", "a_x.mmax", "text/a_x_words.xml"])
@pytest.mark.parametrize("separator", ["/", "\\"])
def test_common_paths_of_a_project(path: str, separator: str, tmp_path: Path) -> None:
    """Levels elsewhere, which the names of files suggest, are not those of the project."""
    project(tmp_path, sentence=level('span="word_1..word_6"'), old_coref=level())
    (tmp_path / "Basedata").rename(tmp_path / "text")
    (tmp_path / "levels" / "new").mkdir(parents=True)
    written(tmp_path / "levels/new/a_x-coref.xml", COREF)
    sentences = level('span="word_1..word_2"', 'span="word_3..word_6"')
    written(tmp_path / "levels/new/a_x_sentences.xml", sentences)
    common = COMMON_PATHS.format(words=f".{separator}text{separator}")
    written(tmp_path / "common_paths.xml", common)
    corpus = cs.read(tmp_path / path, "mmax2:level=chains")
    assert partition(corpus["a_x"]) == EXPECTED
    assert corpus["a_x"].words == WORDS
    # The level of sentences has the name that the project gives it.
    assert corpus["a_x"].sentences == [range(2), range(2, 6)]
    with pytest.raises(cs.InvalidInput, match="the levels are: chains, sentence;"):
        cs.read(tmp_path / path)


def test_several_projects_in_a_directory(tmp_path: Path) -> None:
    project(tmp_path, "a")
    project(tmp_path, "b")
    corpus = cs.read(tmp_path)
    assert corpus.document_names == ("a", "b")
    assert not corpus.findings


def test_folders_are_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the time to read a directory would grow with the square of its documents."""
    for name in ("a", "ab", "b_c"):
        project(tmp_path, name)
    listed: list[str] = []
    scandir = os.scandir

    def counted(path: Any) -> Any:
        listed.append(str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counted)
    corpus = cs.read(tmp_path)
    assert corpus.document_names == ("a", "ab", "b_c")
    assert all(partition(document) == EXPECTED for document in corpus)
    # It may be one table, then all files are looked for, and then those of each document.
    assert max(Counter(listed).values()) == 3


def test_sentences_of_mmax2(tmp_path: Path) -> None:
    sentences = level('span="word_1..word_4"', 'span="word_5..word_6"')
    corpus = cs.read(project(tmp_path, coref=COREF, sentence=sentences))
    assert corpus["a_x"].sentences == [range(4), range(4, 6)]


def test_level_and_attribute(tmp_path: Path) -> None:
    """A value may also be another markable."""
    phrases = level('span="word_1..word_2"', 'span="word_5" points_to="coref:m0"')
    folder = project(tmp_path, phrase=phrases)
    assert refusal(lambda: cs.read(folder)) == [("E138", None)]
    assert refusal(lambda: cs.read(folder, "mmax2:level=chunk")) == [("E138", None)]
    assert refusal(lambda: cs.read(folder, "mmax2:level=phrase")) == [("E138", None)]
    assert refusal(lambda: cs.read(folder, "mmax2:level=phrase,attribute=x")) == [("E138", None)]
    corpus = cs.read(folder, "mmax2:level=phrase,attribute=points_to")
    assert partition(corpus["a_x"]) == {frozenset({(0, 1), (4, 4)})}


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        (['coref_id="a" entity="per"', 'coref_id="a" entity="per"', 'coref_id="b" ref="x"'], None),
        (['coref_type="x" chainID="a"', 'chainID="a"', 'chainID="b" offset="3"'], None),
        (['coref_class="empty" set="a"', 'coref_class="empty" set="a"', 'set="b"'], None),
        (['entity="a" kind="x"', 'entity="a"', 'entity="b"'], "'entity' .* the others are: kind;"),
        (
            ['coref_class="a"', 'coref_class="a"', 'coref_set="b"'],
            "'coref_class' .* the others are: coref_set;",
        ),
    ],
)
def test_attributes_that_name_the_entities(
    attributes: list[str], expected: str | None, tmp_path: Path
) -> None:
    """A type is not taken for the name of an entity, and a doubtful choice is reported."""
    rows = [f'span="word_{n}" {each}' for n, each in enumerate(attributes, start=1)]
    corpus = cs.read(project(tmp_path, coref=level(*rows)))
    assert partition(corpus["a_x"]) == {frozenset({(0, 0), (1, 1)}), frozenset({(2, 2)})}
    assert codes(corpus) == ([] if expected is None else ["W110"])
    assert expected is None or re.search(expected, corpus.findings[0].message)


def test_words_in_the_same_folder(tmp_path: Path) -> None:
    project(tmp_path)
    for part in ("Basedata", "Markables"):
        for file in (tmp_path / part).iterdir():
            file.rename(tmp_path / file.name)
        (tmp_path / part).rmdir()
    (tmp_path / "common_paths.xml").unlink()
    corpus = cs.read(tmp_path)
    assert partition(corpus["a_x"]) == EXPECTED
    assert not corpus.findings


def test_errors_of_mmax2(tmp_path: Path) -> None:
    folder = project(tmp_path, coref=level('span="word_1..word_9" coref_class="a"'))
    assert refusal(lambda: cs.read(folder)) == [("E135", 3)]
    (folder / "Basedata" / "a_x_words.xml").unlink()
    path = folder / "Markables" / "a_x_coref_level.xml"
    assert refusal(lambda: cs.read(path)) == [("E108", None)]


def test_two_words_of_mmax2_with_one_id(tmp_path: Path) -> None:
    """A mention could be at either of them."""
    words = project(tmp_path) / "Basedata" / "a_x_words.xml"
    words.write_text(words.read_text().replace("word_6", "word_5"))
    with pytest.raises(
        cs.InvalidInput, match="the id 'word_5' occurred before, on line 8"
    ) as error:
        cs.read(tmp_path)
    first = error.value.findings[0]
    assert (first.code.id, first.file, first.line) == ("E135", str(words), 9)


def test_two_markables_with_one_id(tmp_path: Path) -> None:
    """Otherwise one of them would be lost."""
    folder = project(tmp_path, coref=COREF.replace('id="m2"', 'id="m0"'))
    assert refusal(lambda: cs.read(folder)) == [("E135", 5)]
    with pytest.raises(cs.InvalidInput, match="the markable 'm0' occurred before, on line 3"):
        cs.read(folder)


# ---- XML that is not read ----

BODY = "<root><document>{}</document></root>"
BOMB = '<!DOCTYPE root [\n<!ENTITY a "ha">\n<!ENTITY b "&a;&a;">]>\n' + BODY.format("&b;")
REFUSED = {
    "entities": (BOMB, 2),
    "an external file": (
        '<!DOCTYPE root [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<root><document>&a;</document></root>',
        1,
    ),
    "an entity of a missing declaration": (
        '<!DOCTYPE root SYSTEM "x.dtd">\n<root><document>\n&a;</document></root>',
        3,
    ),
    "deep nesting": ("<root><document>\n" + "<a>" * 200_000, 2),
    "cut off": ("<root><document>\n<sentences>", 2),
    "not well-formed": ("<root><document>\n<a></b></document></root>", 2),
    "a NUL byte": ("<root><document>\n\0</document></root>", 2),
}


@pytest.mark.parametrize(("text", "line"), REFUSED.values(), ids=REFUSED)
def test_xml_that_is_refused(text: str, line: int, tmp_path: Path) -> None:
    path = written(tmp_path / "x.xml", text)
    assert refusal(lambda: cs.read(path)) == [("E111", line)]


@pytest.mark.parametrize("encoding", ["klingon", "GBK"])
def test_xml_of_an_unknown_encoding(encoding: str, tmp_path: Path) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n' + BODY.format("")
    path = written(tmp_path / "x.xml", text)
    with pytest.raises(cs.InvalidInput, match=f"the encoding '{encoding}' is not known") as caught:
        cs.read(path)
    assert [(each.code.id, each.line) for each in caught.value.findings] == [("E111", 1)]


# ---- Directories ----


def test_tables_and_xml_of_other_kinds_are_ignored(tmp_path: Path) -> None:
    written(tmp_path / "a.conll", "#begin document a\nAnn\t(1)\n#end document\n")
    written(tmp_path / "scores.tsv", "name\tscore\nours\t7\n")
    written(tmp_path / "build.xml", "<project/>\n")
    (finding,) = cs.read(tmp_path).findings
    assert finding.code.id == "W109" and "build.xml, scores.tsv" in finding.message
    (tmp_path / "a.conll").unlink()
    assert [code for code, _ in refusal(lambda: cs.read(tmp_path))] == ["E118", "E118"]
