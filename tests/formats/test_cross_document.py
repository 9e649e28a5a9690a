"""Entities of several documents: CoNLL with topics, JSON mentions, ECB+."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import corefscope as cs
from commands import Command
from corefscope.choices import Level
from formats.contents import codes, contents, refusal, written

ROWS = [
    "1 1_0 a.xml 0 1 Ann True (7)",
    "1 1_0 a.xml 0 2 slept True (8",
    "1 1_0 a.xml 1 3 well True 8)",
    "1 1_0 b.xml 0 1 She True (7)",
    "1 1_0 b.xml 0 2 dreamt False -",
]
MARKED = "#begin document one\n{}#end document\n"


def cross_document(folder: Path, rows: list[str], name: str = "x.conll") -> str:
    lines = "".join("\t".join(row.split(" ")) + "\n" for row in rows)
    return written(folder / name, MARKED.format(lines))


APART = "cdcr:documents=column:3"


def test_a_section_is_a_document_by_default(tmp_path: Path) -> None:
    """The reference scorer and the published figures score what '#begin document' begins."""
    path = cross_document(tmp_path, ROWS)
    corpus = cs.read(path)
    assert contents(corpus) == {"one": (5, [("7", [(0, 0), (3, 3)]), ("8", [(1, 2)])])}
    assert corpus["one"].words == ["Ann", "slept", "well", "She", "dreamt"]
    assert corpus["one"].sentences == [range(2), range(2, 3), range(3, 5)]
    (finding,) = corpus.findings
    assert finding.code.id == "W163" and finding.message.startswith(
        "the third column names 2 documents"
    )
    assert "choose the level 'document'" in finding.message
    blanks = written(tmp_path / "blanks.conll", MARKED.format("\n".join([*ROWS, ""])))
    assert codes(cs.read(blanks, "cdcr")) == ["W163"]
    only = [row for row in ROWS if "a.xml" in row]
    assert not cs.read(cross_document(tmp_path, only)).findings


@pytest.mark.parametrize("format", [None, APART])
def test_a_bare_id_inside_its_mention(format: str | None, tmp_path: Path) -> None:
    rows = [*ROWS[:2], "1 1_0 a.xml 0 3 so True 8", *ROWS[2:]]
    corpus = cs.read(cross_document(tmp_path, rows), format)
    assert ("8", [(1, 3)]) in next(iter(contents(corpus).values()))[1]
    assert [(f.code.id, f.line) for f in corpus.findings if f.line] == [("W103", 4)]


def test_documents_are_taken_apart(tmp_path: Path) -> None:
    corpus = cs.read(cross_document(tmp_path, ROWS), APART)
    assert contents(corpus) == {
        "a.xml": (3, [("7", [(0, 0)]), ("8", [(1, 2)])]),
        "b.xml": (2, [("7", [(0, 0)])]),
    }
    assert corpus.document_topics == ["1", "1"]
    assert corpus["a.xml"].words == ["Ann", "slept", "well"]
    assert corpus["b.xml"].words == ["She", "dreamt"]
    assert corpus["a.xml"].sentences == [range(2), range(2, 3)]
    assert corpus["b.xml"].layer("subtopics") == ["1_0", "1_0"]
    (finding,) = corpus.findings
    assert finding.code.id == "W163" and "1 entity has mentions" in finding.message


def test_a_document_begins_on_its_first_row(tmp_path: Path) -> None:
    for name in ("one.conll", "two.conll"):
        cross_document(tmp_path, ["", *ROWS], name)
    with pytest.raises(cs.InvalidInput) as caught:
        cs.read(tmp_path, APART)
    first, *_ = caught.value.findings
    assert first.code.id == "E106" and "occurred before, at" in first.found
    assert first.line == 3 and "one.conll:3" in first.found


@pytest.mark.parametrize(
    ("documents", "name"), [("column:1", "1"), ("column:2", "1_0"), ("begin", "one")]
)
def test_documents_of_a_topic_as_one(documents: str, name: str, tmp_path: Path) -> None:
    corpus = cs.read(cross_document(tmp_path, ROWS), f"cdcr:documents={documents}")
    assert contents(corpus) == {name: (5, [("7", [(0, 0), (3, 3)]), ("8", [(1, 2)])])}
    assert corpus[name].words == ["Ann", "slept", "well", "She", "dreamt"]
    assert corpus[name].sentences == [range(2), range(2, 3), range(3, 5)]
    assert codes(corpus) == (["W163"] if documents == "begin" else [])


OWN_SECTIONS = "".join(
    MARKED.format("".join(row.replace(" ", "\t") + "\n" for row in ROWS if name in row))
    for name in ("a.xml", "b.xml")
)
OTHER_TOPIC = [row.replace("1 1_0 b.xml", "2 2_0 b.xml") for row in ROWS]


@pytest.mark.parametrize(
    ("rows", "topics", "f1"),
    [(ROWS, ["1", "1"], 1.0), (OTHER_TOPIC, ["1", "2"], 0.0)],
    ids=["one topic", "two topics"],
)
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_levels_join_documents(
    rows: list[str], topics: list[str], f1: float, tmp_path: Path
) -> None:
    """The only link is between documents; it counts in their topic, and always in the corpus."""
    path = cross_document(tmp_path, rows)
    corpus = cs.read(path, by_document=True)
    assert corpus.document_topics == topics and codes(corpus) == ["W163"]
    found = {level: cs.score(path, path, level=level, metrics="muc") for level in LEVELS}
    values = {level: scores["muc"].f1 for level, scores in found.items()}
    assert values == {"file": 1.0, "document": 0.0, "topic": f1, "corpus": 1.0}
    said = [{finding.code.id for finding in scores.findings} for scores in found.values()]
    assert said == [{"W163"}, {"W163"}, set(), set()]
    assert found["topic"].document_names == tuple(dict.fromkeys(topics))


LEVELS: tuple[Level, ...] = ("file", "document", "topic", "corpus")


TABBED = "".join(row.replace(" ", "\t") + "\n" for row in ROWS)


@pytest.mark.parametrize("documents", ["column:1", "column:2", "column:3"])
def test_a_file_that_was_written_twice(documents: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.conll", 2 * MARKED.format(TABBED))
    format = f"cdcr:documents={documents}"
    assert refusal(lambda: cs.read(path, format)) == [("E106", line) for line in (9, 12)]
    with pytest.raises(cs.InvalidInput, match=r"occurred before, at line 2, after another"):
        cs.read(path, format)
    assert refusal(lambda: cs.read(path)) == [("E106", 8)]


@pytest.mark.parametrize("documents", ["column:1", "column:2", "column:3"])
def test_documents_of_a_topic_may_have_sections_of_their_own(
    documents: str, tmp_path: Path
) -> None:
    corpus = cs.read(written(tmp_path / "x.conll", OWN_SECTIONS), f"cdcr:documents={documents}")
    assert len(corpus) == (2 if documents == "column:3" else 1)
    assert sum(map(len, (document.words or () for document in corpus))) == len(ROWS)


def test_two_sections_of_one_name(tmp_path: Path) -> None:
    path = written(tmp_path / "x.conll", OWN_SECTIONS)
    assert refusal(lambda: cs.read(path, "cdcr:documents=begin")) == [("E106", 6)]


XCORE = {
    "tokens": [["Ann", "slept"], ["She", "dreamt"]],
    "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]], [[0, 1, 1]]],
    "clusters_token_text": [["Ann", "She"], ["slept"]],
}


def test_documents_of_xcore(tmp_path: Path) -> None:
    """Two objects are two topics, so that their entities of one number are different ones."""
    path = written(tmp_path / "x.jsonl", f"{json.dumps(XCORE)}\n{json.dumps(XCORE)}\n")
    corpus = cs.read(path)
    assert corpus.document_topics == ["x#1", "x#1", "x#2", "x#2"]
    (finding,) = corpus.findings
    assert finding.code.id == "W163" and "2 entities have" in finding.message
    joined = cs.read(path, "maverick:documents=topic")
    own = (4, [("0", [(0, 0), (2, 2)]), ("1", [(1, 1)])])
    assert contents(joined) == {"x#1": own, "x#2": own}
    assert not joined.findings


def test_a_missing_link_between_documents_of_xcore_costs(tmp_path: Path) -> None:
    missing = {**XCORE, "clusters_token_offsets": [[[0, 0, 0], [0, 1, 1]], [[1, 0, 0]]]}
    del missing["clusters_token_text"]
    corpora = []
    for name, value in (("key", XCORE), ("response", missing)):
        (tmp_path / name).mkdir()
        path = written(tmp_path / name / "x.json", json.dumps(value))
        corpora.append(cs.read(path, "maverick:documents=topic"))
    assert cs.score(*corpora)["muc"].f1 == 0


def test_other_conventions_of_joined_documents(tmp_path: Path) -> None:
    exclusive = [[[0, 0, 1], [1, 0, 1]], [[0, 1, 2]]]
    path = written(tmp_path / "x.json", json.dumps({**XCORE, "clusters_token_offsets": exclusive}))
    with pytest.raises(cs.InvalidInput, match="maverick:documents=topic,ends=exclusive"):
        cs.read(path, "maverick:documents=topic")
    corpus = cs.read(path, "maverick:documents=topic,ends=exclusive")
    assert contents(corpus) == {"x": (4, [("0", [(0, 0), (2, 2)]), ("1", [(1, 1)])])}
    with pytest.raises(cs.UnknownName, match="no choice of documents"):
        cs.read(path, "maverick:documents=column:1")


@pytest.mark.parametrize(
    ("text", "found"),
    [("#begin document x\n#end document\n", ("E105", None)), ("1\t2\n", ("E135", 1))],
)
def test_no_rows(text: str, found: tuple[str, int | None], tmp_path: Path) -> None:
    path = written(tmp_path / "x.conll", text)
    assert refusal(lambda: cs.read(path, APART)) == [found]


def test_unknown_choice_of_documents(tmp_path: Path) -> None:
    path = cross_document(tmp_path, ROWS)
    with pytest.raises(cs.UnknownName, match="no choice of documents"):
        cs.read(path, "cdcr:documents=column:9")


def test_names_that_occur_in_two_topics(tmp_path: Path) -> None:
    rows = [*ROWS, "2 2_0 a.xml 0 1 Bob True (7)", *ROWS[:1]]
    corpus = cs.read(cross_document(tmp_path, rows), APART)
    assert corpus.document_names == ("1/a.xml", "b.xml", "2/a.xml")
    # The last row continues the first document, although others stand between.
    assert [corpus[name].words for name in ("1/a.xml", "2/a.xml")] == [
        ["Ann", "slept", "well", "Ann"],
        ["Bob"],
    ]


def test_columns_as_in_other_files(tmp_path: Path) -> None:
    path = cross_document(tmp_path, ROWS)
    assert cs.read(path, columns="word=6").document_names == ("one",)
    assert cs.read(path, "conll").document_names == ("one",)


@pytest.mark.parametrize(
    ("row", "finding"),
    [
        ("1 1_0 b.xml 0 3 . True 8)", ("E101", 7)),
        ("1 1_0 b.xml 0 3 . True (9", ("E101", 7)),
        ("1 1_0 b.xml 0 3 . True 9", ("E135", 7)),
        ("1 1_0 b.xml 0 3 .", ("E135", 7)),
    ],
)
def test_errors_of_columns(row: str, finding: tuple[str, int], tmp_path: Path) -> None:
    path = cross_document(tmp_path, [*ROWS, row])
    assert refusal(lambda: cs.read(path, APART)) == [finding]


def test_a_mention_must_end_in_its_document(tmp_path: Path) -> None:
    rows = [ROWS[0].replace("(7)", "(9"), ROWS[3].replace("(7)", "9)")]
    path = cross_document(tmp_path, rows)
    assert refusal(lambda: cs.read(path, APART)) == [("E101", 3), ("E101", 2)]
    assert contents(cs.read(path)) == {"one": (2, [("9", [(0, 1)])])}


MENTION = '{{"doc_id": "{}", "tokens_ids": {}, "cluster_id": {}, "topic": 1}}'


def test_mentions_as_json(tmp_path: Path) -> None:
    mentions = [
        MENTION.format("a.xml", [1], 7),
        MENTION.format("a.xml", [2, 3], 8),
        MENTION.format("b.xml", [1], 7),
        MENTION.format("b.xml", [2, 5, 4], '"9"'),
    ]
    corpus = cs.read(written(tmp_path / "x.json", f"[{','.join(mentions)}]"))
    assert contents(corpus) == {
        "a.xml": (3, [("7", [(0, 0)]), ("8", [(1, 2)])]),
        "b.xml": (5, [("7", [(0, 0)]), ("9", [((1, 1), (3, 4))])]),
    }
    assert corpus["a.xml"].words is None
    assert codes(corpus) == ["W163"]


@pytest.mark.parametrize("tokens", ["[]", "[-1]", '["1"]', "[1.5]", "null", f"[{10**12}]"])
def test_errors_of_json(tokens: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", f"[{MENTION.format('a', tokens, 7)}]")
    assert refusal(lambda: cs.read(path)) == [("E112", 1)]


def ecb(name: str, markables: str, relations: str, words: str = "Ann slept well .") -> str:
    tokens = "".join(
        f'<token t_id="{number}" sentence="{number // 3}" number="0">{word}</token>\n'
        for number, word in enumerate(words.split(), start=1)
    )
    return (
        f'<?xml version="1.0"?>\n<Document doc_name="{name}" doc_id="1">\n{tokens}'
        f"<Markables>{markables}</Markables>\n<Relations>{relations}</Relations>\n</Document>\n"
    )


def markable(tag: str, id: int, *tokens: int) -> str:
    anchors = "".join(f'<token_anchor t_id="{token}"/>' for token in tokens)
    return f'<{tag} m_id="{id}">{anchors}</{tag}>'


TARGET = '<HUMAN m_id="9" TAG_DESCRIPTOR="ann" instance_id="HUM17"/>'
ACROSS = (
    '<CROSS_DOC_COREF r_id="31" note="HUM17"><source m_id="1"/><target m_id="9"/></CROSS_DOC_COREF>'
)
WITHIN = '<INTRA_DOC_COREF r_id="32"><source m_id="2"/><source m_id="3"/></INTRA_DOC_COREF>'


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    """Two documents with the same numbers for different mentions."""
    folder = tmp_path / "corpus" / "7"
    folder.mkdir(parents=True)
    marks = [markable("HUMAN", 1, 1), markable("ACTION_STATE", 2, 2, 4), markable("ACTION", 3, 3)]
    marks += [markable("TIME", 4, 4), TARGET]
    for name in ("7_1.xml", "7_2.xml"):
        written(folder / name, ecb(name, "".join(marks), ACROSS + WITHIN))
    return folder.parent


def test_ecb(topic: Path) -> None:
    corpus = cs.read(topic)
    assert corpus.offsets.format == "ecb"
    assert corpus.document_topics == ["7", "7"]
    assert contents(corpus) == {
        name: (
            4,
            [
                ("HUM17", [(0, 0)]),
                (f"{name}#r32", [((1, 1), (3, 3)), (2, 2)]),
                (f"{name}#m4", [(3, 3)]),
            ],
        )
        for name in ("7_1.xml", "7_2.xml")
    }
    assert corpus["7_1.xml"].sentences == [range(2), range(2, 4)]
    assert codes(corpus) == ["W163"], "only the entity of both documents has one label"


def test_ecb_with_two_names_of_an_entity(tmp_path: Path) -> None:
    marks = markable("HUMAN", 1, 1) + TARGET.replace("HUM17", "HUM18")
    corpus = cs.read(written(tmp_path / "1_1.xml", ecb("1_1.xml", marks, ACROSS)))
    (finding,) = [each for each in corpus.findings if each.code.id == "W160"]
    assert "'HUM17'" in finding.message and "'HUM18'" in finding.message
    assert [entity.label for entity in corpus["1_1.xml"].entities] == ["HUM18"]


@pytest.mark.parametrize(
    ("level", "labels"), [("events", ["#r32"]), ("entities", ["HUM17", "#m4"])]
)
def test_events_or_entities(level: str, labels: list[str], topic: Path) -> None:
    document = cs.read(topic, f"ecb:level={level}")["7_1.xml"]
    assert [entity.label.removeprefix("7_1.xml") for entity in document.entities] == labels


@pytest.mark.parametrize(
    ("markables", "relations", "code"),
    [
        (markable("HUMAN", 1, 9), "", "E135"),
        (markable("HUMAN", 1, 1), '<CROSS_DOC_COREF><source m_id="5"/></CROSS_DOC_COREF>', "E135"),
        (markable("HUMAN", 1, 1) * 2, "", "E135"),
        ('<token t_id="7">x</token>', "", "E135"),
        ("", '<COREF_anchor><source m_id="5"/></COREF_anchor>', "E135"),
    ],
)
def test_errors_of_ecb(markables: str, relations: str, code: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.xml", ecb("x", markables, relations))
    ((found, line),) = refusal(lambda: cs.read(path))
    assert found == code and line is not None


def test_relations_of_ecb_that_are_not_coreference(tmp_path: Path) -> None:
    marks = "".join(markable("ACTION", id, id) for id in (1, 2, 3))
    plot = '<PLOT_LINK r_id="33"><source m_id="1"/><source m_id="2"/></PLOT_LINK>'
    corpus = cs.read(written(tmp_path / "x.xml", ecb("x", marks, plot * 2 + WITHIN)))
    assert contents(corpus) == {"x": (4, [("x#r32", [(1, 1), (2, 2)]), ("x#m1", [(0, 0)])])}
    assert codes(corpus) == ["W160"] and "PLOT_LINK (2)" in corpus.findings[0].message


@pytest.mark.parametrize("kind", ["sentences", "tokens last", "prefixes"])
def test_ecb_in_another_order(kind: str, tmp_path: Path) -> None:
    text = ecb("x", markable("ACTION", 2, 2) + markable("ACTION", 3, 3, 4), WITHIN)
    start, tokens, annotations = re.split(r"(<token .*</token>\n)(?=<Mark)", text, flags=re.DOTALL)
    end = "</Document>\n"
    other = {
        "sentences": f'{start}<s id="1">{tokens}</s>{annotations}',
        "tokens last": start + annotations.removesuffix(end) + tokens + end,
        "prefixes": re.sub(r"<(/?)(?=\w)", r"<\1x:", text).replace("doc_id", 'xmlns:x="y" doc_id'),
    }[kind]
    corpus = cs.read(written(tmp_path / "x.xml", other))
    assert contents(corpus) == {"x": (4, [("x#r32", [(1, 1), (2, 3)])])}
    assert not corpus.findings


def test_ecb_without_any_link(tmp_path: Path) -> None:
    """A link to a mention in another document is a link, too."""
    marks = "".join(markable("HUMAN", id, id) for id in (1, 2, 3)) + TARGET
    for name in ("a", "b"):
        written(tmp_path / f"{name}.xml", ecb(name, marks, ""))
    assert codes(cs.read(tmp_path)) == ["W157"]
    for name in ("a", "b"):
        written(tmp_path / f"{name}.xml", ecb(name, marks, ACROSS))
    assert codes(cs.read(tmp_path)) == ["W163"]


def test_two_tokens_of_ecb_with_one_id(tmp_path: Path) -> None:
    """A mention could be at either of them."""
    text = ecb("x", markable("HUMAN", 1, 2), "").replace('t_id="3"', 't_id="2"')
    path = written(tmp_path / "x.xml", text)
    assert refusal(lambda: cs.read(path)) == [("E135", 5)]
    with pytest.raises(cs.InvalidInput, match="the t_id '2' occurred before, on line 4"):
        cs.read(path)


def test_topics_survive_a_choice_of_documents(topic: Path) -> None:
    assert cs.read(topic).only("7_2.xml").document_topics == ["7"]


def test_a_cross_document_response_is_split(tmp_path: Path) -> None:
    """The key has separate documents, and links between documents are not counted."""
    key = written(
        tmp_path / "key.conll",
        "#begin document a.xml\nAnn\t(1)\nslept\t(2\nwell\t2)\n#end document\n"
        "#begin document b.xml\nShe\t(1)\ndreamt\t-\n#end document\n",
    )
    path = cross_document(tmp_path, ROWS)
    done = Command("score").run(key, path, "--response-format", APART, "--format", "json")
    assert done.exit_code == 0 and "[W163]" in done.stderr
    with pytest.warns(cs.CorefscopeWarning, match="W163"):
        scores = cs.score(key, cs.read(path, APART))
    assert scores["mentions"].f1 == 1 and scores["b3"].f1 == 1


@pytest.mark.parametrize("rows", [1, 1998, 1999, 2000, 2001])
def test_long_documents_are_read_in_parts(rows: int, tmp_path: Path) -> None:
    """A part may have no row, but only the line that ends the document."""
    corpus = cs.read(cross_document(tmp_path, ["1 1_0 a.xml 0 1 Ann True (7)"] * rows))
    (document,) = corpus
    assert len(document.words or ()) == len(corpus.mention_entity) == rows


def test_mentions_that_count_tokens_from_0(tmp_path: Path) -> None:
    mention = {"doc_id": "a.xml", "topic": "1", "cluster_id": 7}
    rows = [{**mention, "tokens_ids": [0]}, {**mention, "tokens_ids": [2, 3]}]
    path = written(tmp_path / "x.json", json.dumps(rows))
    with pytest.raises(cs.InvalidInput, match=r"counted from 0.*'cdcr-json:base=0' \[E113\]"):
        cs.read(path)
    assert contents(cs.read(path, "cdcr-json:base=0")) == {"a.xml": (4, [("7", [(0, 0), (2, 3)])])}


def test_what_the_reader_found_is_shown_if_documents_cannot_be_paired(tmp_path: Path) -> None:
    key = written(
        tmp_path / "key.conll",
        "#begin document a.xml\nAnn\t(1)\nslept\t(2\nwell\t2)\n#end document\n"
        "#begin document b.xml\nShe\t(1)\ndreamt\t-\n#end document\n",
    )
    refused = Command("score").run(key, cross_document(tmp_path, ROWS))
    assert refused.exit_code == 3 and refused.stdout == ""
    assert "[E201]" in refused.stderr and "fix: --level" in refused.stderr
