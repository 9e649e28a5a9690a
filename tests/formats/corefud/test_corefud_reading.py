"""Each rule of reading CoNLL-U with entities, on a small document of its own."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import corefscope as cs
from commands import Command
from corefscope import Corpus, InvalidInput, UnknownName, read
from corefscope.corpus.links import Bridge
from formats.corefud.contents import codes, conllu, mentions, row, written


def read_text(folder: Path, text: str | bytes) -> Corpus:
    return read(written(folder, text))


def refused(folder: Path, text: str | bytes) -> list[tuple[str, int | None]]:
    """Return codes and lines of the errors."""
    with pytest.raises(InvalidInput) as raised:
        read_text(folder, text)
    return [(f.code.id, f.line) for f in raised.value.findings if f.is_error]


ONE_WORD = (["0:1"], "0:1")

READ = {
    "one word": (["(a)", "(a-person)"], {"a": [ONE_WORD, (["0:2"], "0:2")]}),
    "several words and a head": (
        ["(a-x-2-", "", "a)"],
        {"a": [(["0:1", "0:2", "0:3"], "0:2")]},
    ),
    "no head: the first word": (["(a-x", "a)"], {"a": [(["0:1", "0:2"], "0:1")]}),
    "closing before opening": (
        ["(a--1", "a)(b--2", "b)"],
        {"a": [(["0:1", "0:2"], "0:1")], "b": [(["0:2", "0:3"], "0:3")]},
    ),
    "one word before a closing": (
        ["(a--1", "(b--1)a)"],
        {"a": [(["0:1", "0:2"], "0:1")], "b": [(["0:2"], "0:2")]},
    ),
    "crossing mentions of two entities": (
        ["(a--1", "(b--1", "a)", "b)"],
        {"a": [(["0:1", "0:2", "0:3"], "0:1")], "b": [(["0:2", "0:3", "0:4"], "0:2")]},
    ),
    "nested mentions of one entity": (
        ["(a--3(a--2", "a)", "a)"],
        {"a": [(["0:1", "0:2", "0:3"], "0:3"), (["0:1", "0:2"], "0:2")]},
    ),
    "the last opened one is closed": (
        ["(a--1", "(a--1", "a)a)"],
        {"a": [(["0:1", "0:2", "0:3"], "0:1"), (["0:2", "0:3"], "0:2")]},
    ),
    "a copy of a mention": (["(a)(a)"], {"a": [ONE_WORD, ONE_WORD]}),
    "entities by first mention, equal ones by id": (
        ["(c)(b)", "(a)"],
        {"b": [ONE_WORD], "c": [ONE_WORD], "a": [(["0:2"], "0:2")]},
    ),
    "more words first": (
        ["(b--1)(a--1", "a)"],
        {"a": [(["0:1", "0:2"], "0:1")], "b": [ONE_WORD]},
    ),
    "a gap": (
        ["(a[1/2]--3", "a[1/2])", "", "(a[2/2]--3)"],
        {"a": [(["0:1", "0:2", "0:4"], "0:4")]},
    ),
    "the last part has the head": (
        ["(a[1/2]--1)", "", "(a[2/2]--2)"],
        {"a": [(["0:1", "0:3"], "0:3")]},
    ),
    "three parts": (
        ["(a[1/3]--1)", "", "(a[2/3]--1)", "", "(a[3/3]--2)"],
        {"a": [(["0:1", "0:3", "0:5"], "0:3")]},
    ),
    "a plain mention in the gap": (
        ["(a[1/2]--1)", "(a--1)", "(a[2/2]--1)"],
        {"a": [(["0:1", "0:3"], "0:1"), (["0:2"], "0:2")]},
    ),
    "a part continues the oldest mention": (
        ["(a[1/2]--1)", "(b)", "(a[2/2]--2)", "(a[1/2]--1)", "", "(a[2/2]--1)"],
        {
            "a": [(["0:1", "0:3"], "0:3"), (["0:4", "0:6"], "0:4")],
            "b": [(["0:2"], "0:2")],
        },
    ),
    "any id": (["(Ω3.x--1", "Ω3.x)"], {"Ω3.x": [(["0:1", "0:2"], "0:1")]}),
    "among other keys": (["Discourse=x:1->2|Entity=(a)|SpaceAfter=No"], {"a": [ONE_WORD]}),
}


@pytest.mark.parametrize("name", READ)
def test_brackets(name: str, tmp_path: Path) -> None:
    cells, expected = READ[name]
    cells = [c if "=" in c or not c else f"Entity={c}" for c in cells]
    text = conllu(cells).replace("Entity=Discourse", "Discourse")
    corpus = read_text(tmp_path, text)
    assert mentions(corpus) == expected
    assert list(mentions(corpus)) == list(expected)
    assert codes(corpus) == []


WARNED = {
    "text without a bracket": (["b", "(a)"], ["W181"], {"a": [(["0:2"], "0:2")]}),
    "never closed": (["(b", "(a)"], ["W151"], {"a": [(["0:2"], "0:2")]}),
    "a pipe ends the value": (["Entity=(a--1-x|y)", "(b)"], ["W151"], {"b": [(["0:2"], "0:2")]}),
    "a missing last part": (
        ["(a[1/2]--2", "a[1/2])"],
        ["W103"],
        {"a": [(["0:1", "0:2"], "0:1")]},
    ),
    "other totals": (
        ["(a[1/2]--2)", "", "(a[2/3]--2)"],
        ["W103"],
        {"a": [(["0:1", "0:3"], "0:1")]},
    ),
    "a closing bracket without number": (
        ["(a[1/2]--2", "a)", "", "(a[2/2]--2)"],
        ["W103"],
        {"a": [(["0:1", "0:2", "0:4"], "0:2")]},
    ),
    "parts that touch": (
        ["(a[1/2]--2)", "(a[2/2]--2)"],
        ["W103"],
        {"a": [(["0:1", "0:2"], "0:2")]},
    ),
    "one part": (["(a[1/1]--1)"], ["W103"], {"a": [ONE_WORD]}),
    "head 0": (["(a-x-0", "a)"], [], {"a": [(["0:1", "0:2"], "0:1")]}),
    "head 0 of one word": (["(a-x-0)"], [], {"a": [ONE_WORD]}),
    "head 9 of one word": (["(a-x-9)"], [], {"a": [ONE_WORD]}),
    "head 0 of parts": (
        ["(a[1/2]--0)", "", "(a[2/2]--0)"],
        [],
        {"a": [(["0:1", "0:3"], "0:1")]},
    ),
    "a blank between brackets": (["(a--1) (b--1)"], [], {"a": [ONE_WORD], "b": [ONE_WORD]}),
    "a blank in a bracket": (["(a- x-1)"], [], {"a": [ONE_WORD]}),
    "two types": (["(a-x)", "(a-y)"], ["W103"], {"a": [ONE_WORD, (["0:2"], "0:2")]}),
    "a minus sign too many": (["(a-x-1-k:v-w)"], ["W103"], {"a": [ONE_WORD]}),
    "two values": (["Entity=(b)|Entity=(a)"], ["W181"], {"a": [ONE_WORD]}),
    "a link without an entity": (["(a)", "Bridge=b<a"], ["W181"], {"a": [ONE_WORD]}),
    "two brackets on one word": (["(a--1(b)a)"], [], {"a": [ONE_WORD], "b": [ONE_WORD]}),
}


@pytest.mark.parametrize("name", WARNED)
def test_what_is_dropped_or_mended_is_reported(name: str, tmp_path: Path) -> None:
    cells, expected, found = WARNED[name]
    corpus = read_text(tmp_path, conllu(cells))
    assert codes(corpus) == expected
    assert mentions(corpus) == found


REFUSED = {
    "closed, not opened": (["", "a)"], ("E101", 4)),
    "fields in a closing bracket": (["(a-x", "a-x)"], ("E101", 4)),
    "an empty bracket": (["()"], ("E135", 3)),
    "an empty id": (["(-x)"], ("E135", 3)),
    "a blank in an id": (["(a b)"], ("E135", 3)),
    "an equals sign in an id": (["(a=b)"], ("E135", 3)),
    "no part numbers": (["(a[x])"], ("E135", 3)),
    "a closing without part numbers": (["(a", "a[x])"], ("E135", 4)),
    "no value at all": (["Entity"], ("E135", 3)),
    "a head that is no number": (["(a-x-y)"], ("E135", 3)),
    "an empty head": (["(a-x--", "a)"], ("E135", 3)),
    "a head that is too big": (["(a-x-3", "a)"], ("E135", 3)),
    "no head in a last part of one word": (["(a[1/2]-x-1)", "", "(a[2/2])"], ("E135", 5)),
    "a second part alone": (["(a[2/2]--1)"], ("E135", 3)),
    "nothing to continue": (["(a)", "(a[2/2]--1)"], ("E135", 4)),
    "interleaved": (["(a[1/2]--1)", "(a[1/2]--1)", "(a[2/2]--1)", "(a[2/2]--1)"], ("E135", 5)),
    "part numbers that close a plain mention": (["(a", "a[2/2])"], ("E135", 4)),
    "a bridge to itself": (["Entity=(a)|Bridge=a<a"], ("E135", 3)),
    "a bridge without a sign": (["Entity=(a)|Bridge=b"], ("E135", 3)),
    "a bridge with two signs": (["Entity=(a)|Bridge=b<a<c"], ("E135", 3)),
    "a bridge of nothing": (["Entity=(a)|Bridge=a<b"], ("E135", 3)),
    "a bridge to nothing": (["Entity=(a)|Bridge=b<a"], ("E135", 3)),
    "an antecedent of nothing": (["Entity=(a)|SplitAnte=a<b"], ("E135", 3)),
    "an unknown antecedent": (["Entity=(a)|SplitAnte=b<a"], ("E135", 3)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused(name: str, tmp_path: Path) -> None:
    cells, expected = REFUSED[name]
    text = conllu(cells)
    if name == "no value at all":
        text = text.replace("Entity=Entity", "Entity")
    found = refused(tmp_path, text)
    assert expected in found


# ---- Words ----


def test_empty_nodes_are_tokens_in_the_order_of_ids(tmp_path: Path) -> None:
    text = conllu({"1": "(a--1", "2": "a)", "1.1": "", "0.1": "(b)", "2.10": "(c)", "2.9": ""})
    corpus = read_text(tmp_path, text)
    assert mentions(corpus) == {
        "b": [(["0:0.1"], "0:0.1")],
        "a": [(["0:1", "0:1.1", "0:2"], "0:1")],
        "c": [(["0:2.10"], "0:2.10")],
    }
    nodes = corpus.empty_nodes
    assert nodes is not None
    assert nodes.token.tolist() == [0, 2, 4, 5]
    assert nodes.words_before.tolist() == [0, 1, 2, 2]
    assert nodes.opens_sentence.tolist() == [1, 0, 0, 0]
    assert nodes.order.tolist() == [1, 1, 9, 10]
    assert list(nodes.ids) == ["0.1", "1.1", "2.9", "2.10"]
    assert corpus.document_tokens.tolist() == [6]


def test_numbers_of_empty_nodes_go_through_the_document(tmp_path: Path) -> None:
    text = conllu({"1": "", "1.1": ""}, {"1": "(a)", "2": "", "2.1": ""})
    text += "# newdoc id = y\n" + row("1") + "\n" + row("1.1").replace("_\t_", "1:obj\t_", 4) + "\n"
    nodes = read_text(tmp_path, text).empty_nodes
    assert nodes is not None
    assert nodes.document.tolist() == [0, 0, 1]
    assert nodes.token.tolist() == [1, 4, 1]
    assert nodes.sentence.tolist() == [0, 1, 0]
    assert nodes.words_before.tolist() == [1, 3, 1]


def test_dependencies_of_empty_nodes_are_kept(tmp_path: Path) -> None:
    line = "1.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj|2:nsubj:pass\tEntity=(a)"
    nodes = read_text(
        tmp_path, conllu(["", ""]).replace(row("2"), f"{line}\n{row('2')}")
    ).empty_nodes
    assert nodes is not None
    assert list(nodes.dependencies) == ["1:nsubj|2:nsubj:pass"]


def test_words_alone_make_the_digest(tmp_path: Path) -> None:
    plain = read_text(tmp_path, conllu(["", "(a)"]))
    with_nodes = read_text(tmp_path, conllu({"0.1": "(a)", "1": "", "1.1": "", "2": ""}))
    other = read_text(tmp_path, conllu(["", "(a)"]).replace("w2", "v2"))
    assert plain.word_digests == with_nodes.word_digests != other.word_digests


def test_multiword_tokens_are_no_tokens(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, conllu({"1-2": "(b)", "1": "(a--2", "2": "a)"}))
    assert mentions(corpus) == {"a": [(["0:1", "0:2"], "0:2")]}
    assert codes(corpus) == ["W181"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("blanks", [1, 3])
def test_line_ends_and_blank_lines(end: str, blanks: int, tmp_path: Path) -> None:
    text = conllu(["(a)", ""], ["(a)"]).replace("\n\n", "\n" * (blanks + 1)).replace("\n", end)
    corpus = read_text(tmp_path, text)
    assert mentions(corpus) == {"a": [ONE_WORD, (["1:1"], "1:1")]}
    assert codes(corpus) == []


def test_a_file_without_a_last_blank_line(tmp_path: Path) -> None:
    assert mentions(read_text(tmp_path, conllu(["", "(a)"]).rstrip())) == {"a": [(["0:2"], "0:2")]}


def test_columns_that_are_missing_or_too_many(tmp_path: Path) -> None:
    text = (
        conllu(["(a)", "", ""]).replace(row("2"), "2\tw2\t_").replace(row("3"), row("3") + "\t(b)")
    )
    corpus = read_text(tmp_path, text)
    assert mentions(corpus) == {"a": [ONE_WORD]}
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W115", 4), ("W115", 5)]


def test_entity_in_comments_and_words_means_nothing(tmp_path: Path) -> None:
    text = conllu(["(a)", ""]).replace("w2\t_", "Entity=(b)\tEntity=(b)")
    corpus = read_text(tmp_path, "# text = Entity=(b)|(c)\n" + text)
    assert list(mentions(corpus)) == ["a"]
    assert codes(corpus) == []


def test_carriage_returns_alone_are_no_line_ends(tmp_path: Path) -> None:
    assert refused(tmp_path, conllu(["(a)"], ["(a)"]).replace("\n", "\r")) == [("E115", 1)]


@pytest.mark.parametrize(
    ("cell", "fields"), [("(e-1-x-1)", "eid-etype-head-other"), ("(e1-x-1)", "eid-head")]
)
def test_fields_that_are_shifted_are_named(cell: str, fields: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=f"the fields are {fields}, which a minus"):
        read_text(tmp_path, conllu([cell], fields=fields))


def test_a_block_without_words_is_skipped(tmp_path: Path) -> None:
    text = conllu(["(a)"], {"1.1": "(b)"}) + "# newdoc id = lost\n\n" + row("1", "(a)") + "\n"
    corpus = read_text(tmp_path, text)
    assert corpus.document_names == ("x",)
    assert mentions(corpus) == {"a": [ONE_WORD, (["1:1"], "1:1")]}
    assert sorted(codes(corpus)) == ["W181", "W181"]


def test_ids(tmp_path: Path) -> None:
    assert refused(tmp_path, conllu({"1": "(a)", "x": ""})) == [("E135", 4)]
    assert refused(tmp_path, conllu({"1": "(a)", "1.0": ""})) == [("E135", 4)]
    twice = conllu(["(a)", ""]).replace(row("2"), row("1"))
    assert refused(tmp_path, twice) == [("E135", 4)]
    assert codes(read_text(tmp_path, conllu({"1": "(a)", "3": ""}))) == ["W103"]


def test_neighbouring_sentences_need_different_ids(tmp_path: Path) -> None:
    def numbered(*ids: str) -> str:
        blocks = [f"# sent_id = {id}\n{row('1', '(a)')}\n" for id in ids]
        return "# newdoc id = x\n# global.Entity = eid\n" + "\n".join(blocks)

    assert codes(read_text(tmp_path, numbered("1", "2", "1"))) == []
    assert refused(tmp_path, numbered("1", "2", "2")) == [("E135", 9)]


def test_a_large_file_is_read_in_blocks(tmp_path: Path) -> None:
    """Blocks end anywhere in sentences and documents."""
    sentence = ["(a--1", "", "a)", "(b)"]
    filler = "# text = " + "x" * 4000 + "\n"
    body = conllu(*[sentence] * 500).replace("\n\n", f"\n\n{filler}")
    text = body + body.replace("newdoc id = x", "newdoc id = y")
    assert len(text) > 3 << 20
    corpus = read_text(tmp_path, text)
    assert codes(corpus) == []
    assert corpus.document_tokens.tolist() == [2000, 2000]
    (first, second) = (corpus.mention_spans[list(corpus.mentions_of(d))].tolist() for d in (0, 1))
    assert first == second
    assert sorted(first) == sorted(
        [[4 * n, 4 * n + 2] for n in range(500)] + [[4 * n + 3, 4 * n + 3] for n in range(500)]
    )
    assert corpus.word_digests is not None
    assert corpus.word_digests[0] == corpus.word_digests[1]


def test_gzip(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(conllu(["(a)"]).encode()), "file.conllu.gz")
    corpus = read(path)
    assert mentions(corpus) == {"a": [ONE_WORD]}
    assert corpus["x"].words == ["w1"]


# ---- Declarations and documents ----


@pytest.mark.parametrize(
    ("fields", "cells"),
    [
        ("eid", ["(a", "a)"]),
        ("head-etype-eid-other", ["(1-x-a-", "a)"]),
        ("GRP-etype-infstat", ["(a-x-new", "a)"]),
        ("eid-entity-head", ["(a-x-1", "a)"]),
        ("eid-etype-head-infstat-other", ["(a-x-1-new-k:v", "a)"]),
    ],
)
def test_declared_fields(fields: str, cells: list[str], tmp_path: Path) -> None:
    corpus = read_text(tmp_path, conllu(cells, fields=fields))
    assert mentions(corpus) == {"a": [(["0:1", "0:2"], "0:1")]}
    assert codes(corpus) == []


def test_a_declaration_is_needed(tmp_path: Path) -> None:
    assert refused(tmp_path, conllu(["", "(a)"], fields=None)) == [("E112", 3)]
    assert codes(read_text(tmp_path, conllu([""], fields=None))) == ["W116"]
    assert ("E135", 2) in refused(tmp_path, conllu(["(a)"], fields="id-etype"))


@pytest.mark.parametrize("place", ["first", "last"])
def test_a_declaration_may_come_late(place: str, tmp_path: Path) -> None:
    text = conllu(["(a-x-1)"], ["(a)"], fields=None)
    declared = "# global.Entity  =  eid-etype-head\n"
    text = text.replace("\n\n1", f"\n\n{declared}1") if place == "first" else text + declared + "\n"
    assert mentions(read_text(tmp_path, text)) == {"a": [ONE_WORD, (["1:1"], "1:1")]}


def test_a_declaration_of_a_later_document_holds_for_the_first(tmp_path: Path) -> None:
    text = conllu(["(a)"], fields=None) + conllu(["(b)"]).replace("= x", "= y")
    corpus = read_text(tmp_path, text)
    assert corpus.document_names == ("x", "y")
    assert mentions(corpus, 0) == {"a": [ONE_WORD]}


def test_a_declaration_holds_from_its_document_on(tmp_path: Path) -> None:
    first = conllu(["(a-x-2", "a)"])
    second = conllu(["(2-a", "a)"], fields="head-eid").replace("= x", "= y")
    third = conllu(["(2-a", "a)"], fields=None).replace("= x", "= z")
    corpus = read_text(tmp_path, first + second + third)
    assert codes(corpus) == ["W103"]
    assert [mentions(corpus, n) for n in range(3)] == [{"a": [(["0:1", "0:2"], "0:2")]}] * 3


def test_names_of_documents(tmp_path: Path) -> None:
    def document(header: str) -> str:
        return f"{header}{row('1', '(a)')}\n\n"

    declared = "# global.Entity = eid\n"
    assert read_text(tmp_path, document(declared)).document_names == ("file",)
    text = document(declared) + document("# newdoc\n") + document("# newdoc id = a b\n")
    corpus = read_text(tmp_path, text)
    assert corpus.document_names == ("file", "2", "a b")
    assert corpus.entity_labels == ["a", "a", "a"]
    twice = declared + document("# newdoc id = a\n") * 2
    assert refused(tmp_path, twice) == [("E106", 5)]


def test_documents_of_one_name_can_be_joined(tmp_path: Path) -> None:
    text = conllu(["(a)"]) + conllu(["(a)"], fields=None)
    path = written(tmp_path, text)
    assert refused(tmp_path, text) == [("E106", 5)]
    corpus = read(path, "corefud:names=join")
    assert corpus.document_names == ("x",)
    assert mentions(corpus) == {"a": [ONE_WORD, (["1:1"], "1:1")]}
    with pytest.raises(UnknownName, match="choice of names"):
        read(path, "corefud:names=keep")


def test_entities_are_those_of_their_document(tmp_path: Path) -> None:
    text = conllu(["(a)"]) + conllu(["(a-y)"]).replace("= x", "= y")
    corpus = read_text(tmp_path, text)
    assert corpus.entity_document.tolist() == [0, 1]
    assert codes(corpus) == []


# ---- Sentences ----


def test_a_mention_may_reach_into_the_next_sentence(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, conllu(["", "(a--2"], ["a)", ""]))
    assert mentions(corpus) == {"a": [(["0:2", "1:1"], "1:1")]}
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W103", 4)]


def test_but_no_further(tmp_path: Path) -> None:
    assert refused(tmp_path, conllu(["(a--2"], [""], ["a)"])) == [("E101", 3)]


def test_parts_must_be_in_one_sentence(tmp_path: Path) -> None:
    assert refused(tmp_path, conllu(["(a[1/2]--1)"], ["(a[2/2]--1)"])) == [("E135", 3)]


def test_the_official_scorer_reads_parts_in_two_sentences(tmp_path: Path) -> None:
    """It counts the words of such a mention by their numbers alone when it looks for the head."""
    text = conllu(["", "(a[1/2]--1)", "(b--1)"], ["(a[2/2]--1)", "(b--1)"])
    path = written(tmp_path, text)
    corpus = cs.read(path, join_names=True)
    assert mentions(corpus)["a"] == [(["0:2", "1:1"], "1:1")]
    assert [(f.code.id, f.line) for f in corpus.findings] == [("W103", 4)]
    with pytest.warns(cs.CorefscopeWarning, match="W103"):
        scores = cs.score(path, path, profile="corefud", singletons="keep")
    assert scores.conll == 1
    file = str(path)
    assert Command("score").run(file, file, "--profile", "corefud-exact").exit_code == 0
    assert Command("score").run(file, file).exit_code == 3


# ---- Types and links ----


def types(corpus: Corpus) -> dict[str, str]:
    assert corpus.openings is not None
    return dict(zip(corpus.entity_labels, corpus.openings.types, strict=True))


def test_the_first_type_counts(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, conllu(["(a)(b--1)", "(a-x)(b-y-1)", "(a-x)(c)"]))
    assert types(corpus) == {"a": "x", "b": "y", "c": ""}
    assert codes(corpus) == []


def test_links(tmp_path: Path) -> None:
    text = conllu(
        [
            "Entity=(c)|Bridge=a<c:part,b<c,b<c:_",
            "(a)",
            "(b)",
            "Entity=(d)|SplitAnte=a<d,b<d,c<e,b<e",
            "(c)(e)",
        ]
    ).replace("c<e,b<e", "e<d")
    corpus = read_text(tmp_path, text)
    assert list(corpus.entity_labels) == ["c", "a", "b", "d", "e"]
    assert corpus.split_antecedents == {3: (1, 2, 4)}
    assert corpus.bridges == (Bridge(0, 1, "part"), Bridge(0, 2, ""), Bridge(0, 2, ""))


def test_the_older_key_of_split_antecedents(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, conllu(["(a)", "(b)", "Entity=(c)|Split=a<c,b<c"]))
    assert corpus.split_antecedents == {2: (0, 1)}


def test_a_bridge_belongs_to_the_mention_opened_last(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, conllu(["(a)", "(b)", "Entity=(b)|Bridge=a<b"]))
    assert corpus.bridges == (Bridge(2, 0, ""),)


def test_links_to_what_is_left_out_are_left_out(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, conllu(["(a", "(b)", "Entity=(c)|Bridge=a<c|SplitAnte=a<c,b<c"]))
    assert corpus.split_antecedents == {1: (0,)}
    assert corpus.bridges == ()
    assert codes(corpus) == ["W151"] * 3


def test_a_part_of_a_corpus_keeps_its_links(tmp_path: Path) -> None:
    second = conllu(["(a)", "(b)(z)", "Entity=(c)|Bridge=a<c:x|SplitAnte=a<c,b<c"])
    text = conllu(["(q)", "(a[1/2]--1)", "", "(a[2/2]--1)"]) + second.replace("= x", "= y")
    corpus = read_text(tmp_path, text).only("y")
    assert corpus.split_antecedents == {3: (0, 1)}
    assert corpus.bridges == (Bridge(3, 0, "x"),)
    assert corpus.mention_parts == {}
    assert corpus.openings is not None
    assert list(corpus.openings.texts) == ["a", "b", "z", "c"]


# ---- Heads from minimal spans ----


def test_heads_from_minimal_spans(tmp_path: Path) -> None:
    fields = "GRP-etype-minspan-head"
    path = written(tmp_path, conllu(["(a-x-2,3-1", "", "a)", "(b)"], fields=fields))
    assert mentions(read(path))["a"] == [(["0:1", "0:2", "0:3"], "0:1")]
    for corpus in (read(path, head="minspan"), read(path, "corefud:head=minspan")):
        assert mentions(corpus)["a"] == [(["0:1", "0:2", "0:3"], "0:2")]


def test_no_minimal_spans(tmp_path: Path) -> None:
    corpus = read(written(tmp_path, conllu(["(a--2", "a)"])), head="minspan")
    assert codes(corpus) == ["W237"]
    assert mentions(corpus)["a"] == [(["0:1", "0:2"], "0:2")]


# ---- What the file is ----


@pytest.mark.parametrize("name", ["file.conllu", "file.txt"])
def test_the_format_is_recognised_by_content(name: str, tmp_path: Path) -> None:
    assert mentions(read(written(tmp_path, conllu(["(a)"]), name))) == {"a": [ONE_WORD]}
    plain = conllu([""], fields=None).replace("# newdoc id = x\n", "")
    assert codes(read(written(tmp_path, plain, name))) == ["W116"]


def test_binary_and_odd_bytes(tmp_path: Path) -> None:
    assert refused(tmp_path, conllu(["(a)"]).encode() + b"\0") == [("E107", 5)]
    corpus = read_text(tmp_path, conllu(["(a)"]).encode().replace(b"w1", b"\xff"))
    assert codes(corpus) == ["W107"]
    assert corpus["x"].words == ["\udcff"]


def test_no_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, "# a comment\n")
    with pytest.raises(InvalidInput, match="no sentence"):
        read(path, "corefud")
