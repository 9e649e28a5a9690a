"""Writing CoNLL-U: what udapi would write, and nothing else changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from corefscope import CannotExpress, Corpus, read, write
from corefscope.cli import main
from corefscope.formats.writing.files import encoded
from formats.contents import partition
from formats.corefud.contents import codes, conllu, mentions, rewritten, row, values, written

CANONICAL = {
    "trailing minus signs": (["(a-x-1-)"], ["(a-x-1)"]),
    "a head is filled in": (["(a", "a)"], ["(a--1", "a)"]),
    "a type is filled in": (["(a)", "(a-x)"], ["(a-x-1)", "(a-x-1)"]),
    "one type for all; the other is kept": (
        ["(a-x-1-k:v)", "(a-y-1-B:1)", "(a-y)"],
        ["(a-x-1-k:v)", "(a-x-1-B:1,orig_etype:y)", "(a-x-1-orig_etype:y)"],
    ),
    "other is sorted": (["(a-x-1-b:1,A:2,b:3,flag,z:)"], ["(a-x-1-A:2,b:3,flag,z:)"]),
    "percent signs stay": (["(a-x-1-k:y%2Cz)"], ["(a-x-1-k:y%2Cz)"]),
    "the longer one first": (["(b(a", "b)", "a)"], ["(a--1(b--1", "b)", "a)"]),
    "one word after openings": (["(b)(a", "a)"], ["(a--1(b--1)", "a)"]),
    "one word before closings": (["(a", "a)(b)"], ["(a--1", "(b--1)a)"]),
    "equal one-word mentions": (["(a)(b)"], ["(b--1)(a--1)"]),
    "closings from inside": (["(a", "(b", "a)b)"], ["(a--1", "(b--1", "b)a)"]),
    "parts": (
        ["(a[1/2]", "a[1/2])", "", "(a[2/2]--3)"],
        ["(a[1/2]--3", "a[1/2])", "", "(a[2/2]--3)"],
    ),
    "parts that touch": (["(a[1/2]--2)", "(a[2/2]--2)"], ["(a--2", "a)"]),
    "the first part says the rest": (
        ["(a[1/2]-x-1-k:1)", "", "(a[2/2]-x-2-k:2)"],
        ["(a[1/2]-x-2-k:1)", "", "(a[2/2]-x-2-k:1)"],
    ),
}


@pytest.mark.parametrize("name", CANONICAL)
def test_canonical_form(name: str, tmp_path: Path) -> None:
    given, expected = CANONICAL[name]
    found = rewritten(written(tmp_path, conllu(given)))
    assert found == {f"0:{n}": f"Entity={cell}" for n, cell in enumerate(expected, 1) if cell}


@pytest.mark.parametrize("fields", ["eid", "head-eid-etype", "GRP-etype-infstat-minspan"])
def test_other_fields(fields: str, tmp_path: Path) -> None:
    cell = {"eid": "(a", "head-eid-etype": "(2-a-x", "GRP-etype-infstat-minspan": "(a-x-new-1,2"}
    text = conllu([cell[fields], "a)"], fields=fields)
    assert encoded(read(written(tmp_path, text)), "corefud").decode() == text


def test_other_keys_and_columns_stay(tmp_path: Path) -> None:
    text = conllu(["Zoo|b=1|Entity=(a-x-1-)|A=2", ""]).replace("Entity=Zoo", "Zoo")
    text = text.replace(
        row("2"), "2-3\tw23\t_\t_\t_\t_\t_\t_\t_\tEntity=(q)\n" + row("2") + "\tmore"
    )
    again = encoded(read(written(tmp_path, text)), "corefud").decode()
    expected = text.replace("Zoo|b=1|Entity=(a-x-1-)|A=2", "A=2|b=1|Entity=(a-x-1)|Zoo")
    assert again == expected


def test_links(tmp_path: Path) -> None:
    text = conllu(
        [
            "(c)",
            "(b)",
            "Entity=(a--2|Bridge=c<a:z,b<a:_,c<a:b",
            "a)",
            "Entity=(a)|SplitAnte=c<a,b<a",
            "Entity=(d)|SplitAnte=c<d",
        ]
    )
    assert rewritten(written(tmp_path, text)) == {
        "0:1": "Entity=(c--1)",
        "0:2": "Entity=(b--1)",
        "0:3": "Bridge=c<a:b,c<a:z,b<a|Entity=(a--2|SplitAnte=c<a,b<a",
        "0:4": "Entity=a)",
        "0:5": "Entity=(a--1)",
        "0:6": "Entity=(d--1)",
    }
    out = tmp_path / "out.conllu"
    corpus = read(tmp_path / "file.conllu")
    assert [f.code.id for f in write(corpus, out, lossy=True)] == ["W170"]
    with pytest.raises(CannotExpress, match=r"split antecedents \(1\): entity d .*E302"):
        write(corpus, out)


def test_empty_nodes(tmp_path: Path) -> None:
    text = conllu({"0.1": "(a)", "1": "(b--2", "1.1": "b)", "2": "", "2.10": "(a)"})
    found = rewritten(written(tmp_path, text))
    assert found["0:0.1"] == found["0:2.10"] == "Entity=(a--1)"
    assert (found["0:1"], found["0:1.1"]) == ("Entity=(b--2", "Entity=b)")


def test_each_document_gets_its_declaration(tmp_path: Path) -> None:
    first = conllu(["(a)"], fields=None).replace("# newdoc id = x\n", "")
    second = conllu(["(a)"], fields="eid").replace("= x", "= y")
    text = encoded(read(written(tmp_path, first + second)), "corefud").decode()
    assert text.split("\n")[:2] == ["# newdoc id = file", "# global.Entity = eid"]
    assert text.count("# global.Entity = eid\n") == 2


def test_line_ends_stay(tmp_path: Path) -> None:
    text = conllu(["(a--1)"], [""]).replace("\n", "\r\n").encode()
    assert encoded(read(written(tmp_path, text)), "corefud") == text


def test_a_file_without_entities_stays_as_it_is(tmp_path: Path) -> None:
    text = conllu(["(a--1-", ""], fields="eid-etype-head") + "# a comment\n"
    assert encoded(read(written(tmp_path, text)), "corefud").decode() == text


def test_a_mention_over_two_sentences_is_written_as_it_was(tmp_path: Path) -> None:
    text = conllu(["", "(a--2"], ["a)"])
    assert encoded(read(written(tmp_path, text)), "corefud").decode() == text


def test_other_entities_for_the_same_text(tmp_path: Path) -> None:
    corpus = read(written(tmp_path, conllu(["(a-x-1)", "", "SpaceAfter=No"])))
    other = corpus.with_clusters({"x": [[(0, 1), ((0, 0), (2, 2))]]})
    assert values(encoded(other, "corefud").decode()) == {
        "0:1": "Entity=(0--1(0[1/2]--1)",
        "0:2": "Entity=0)",
        "0:3": "Entity=(0[2/2]--1)|SpaceAfter=No",
    }


@pytest.mark.parametrize(
    "clusters",
    [[[(0, 1), (1, 2)]], [[(0, 2), (1, 3)]], [[((0, 0), (2, 2)), ((1, 1), (3, 3))]]],
)
def test_mentions_that_brackets_cannot_express(
    clusters: list[list[object]], tmp_path: Path
) -> None:
    corpus = read(written(tmp_path, conllu(["(a)", "", "", ""]))).with_clusters({"x": clusters})
    if clusters == [[(0, 1), (1, 2)]]:
        found = values(encoded(corpus, "corefud").decode())
        assert found == {"0:1": "Entity=(0", "0:2": "Entity=0)(0", "0:3": "Entity=0)"}
        return
    with pytest.raises(CannotExpress, match=r"crosses .*JSON can .*E301"):
        encoded(corpus, "corefud")


# ---- Other formats ----

CONLL = b"""#begin document (x); part 000
x 0 0 Ann NNP * - - - - * (1)
x 0 1 saw VBD * - - - - * -
x 0 2 it PRP * - - - - * (2|(3)

x 0 0 now RB * - - - - * 2)
#end document
"""


def test_from_conll(tmp_path: Path) -> None:
    path = written(tmp_path, CONLL, "in.conll")
    out = tmp_path / "out.conllu"
    assert write(read(path), out) == []
    assert out.read_text() == (
        "# newdoc id = (x); part 000\n"
        "# global.Entity = eid\n"
        "1\tAnn\t_\t_\tNNP\t_\t_\t_\t_\tEntity=(1)\n"
        "2\tsaw\t_\t_\tVBD\t_\t_\t_\t_\t_\n"
        "3\tit\t_\t_\tPRP\t_\t_\t_\t_\tEntity=(2(3)\n"
        "\n"
        "1\tnow\t_\t_\tRB\t_\t_\t_\t_\tEntity=2)\n"
        "\n"
    )
    again = read(out)
    assert again.mention_spans.tolist() == [[0, 0], [2, 3], [2, 2]]


@pytest.mark.parametrize("format", ["conll", "jsonl", "native"])
def test_heads_by_default_are_not_heads_of_the_file(format: str, tmp_path: Path) -> None:
    """CoNLL has no heads: CorefUD is written without them, and they are not lost on the way back.

    Other formats do not get them as if they were known.
    """
    write(read(written(tmp_path, CONLL, "in.conll")), tmp_path / "out.conllu")
    write(read(tmp_path / "out.conllu"), tmp_path / "through", format)
    again = read(tmp_path / "through")
    write(again, tmp_path / "back.conll")
    assert [*map(partition, read(tmp_path / "back.conll"))] == [*map(partition, again)]
    if format == "jsonl":
        assert "head" not in (tmp_path / "through").read_text()


def test_heads_of_the_file_are_lost(tmp_path: Path) -> None:
    headless = conllu(["(b", "b)"], fields="eid").replace("newdoc id = x", "newdoc id = y")
    path = written(tmp_path, conllu(["(a-2", "a)"], fields="eid-head") + headless)
    with pytest.raises(CannotExpress, match=r"heads of mentions \(1\): .* in document 'x';"):
        write(read(path), tmp_path / "out.conll")


def test_from_json_lines_with_everything(tmp_path: Path) -> None:
    record = {
        "doc_key": "x",
        "sentences": [["Ann", "_", "saw", "it"]],
        "pos": [["PROPN", "_", "VERB", "PRON"]],
        "heads": [[2, -1, -1, 2]],
        "deprels": [["nsubj", "_", "root", "obj"]],
        "clusters": [[[0, 0], [1, 1]], [[[0, 0], [3, 3]]]],
        "entity_types": ["person", None],
        "mention_heads": [[0, 1], [3]],
        "empty_nodes": [[1, "1.1", "2:obl"]],
    }
    path = written(tmp_path, json.dumps(record) + "\n", "in.jsonl")
    text = encoded(read(path), "corefud").decode()
    assert text == (
        "# newdoc id = x\n"
        "# global.Entity = eid-etype-head-other\n"
        "1\tAnn\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(1[1/2]--2)(0-person-1)\n"
        "1.1\t_\t_\t_\t_\t_\t_\t_\t2:obl\tEntity=(0-person-1)\n"
        "2\tsaw\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
        "3\tit\t_\tPRON\t_\t_\t2\tobj\t_\tEntity=(1[2/2]--2)\n"
        "\n"
    )


def test_one_declaration_for_all_documents(tmp_path: Path) -> None:
    """Also for documents without types or without mentions: scorers use the last declaration."""
    records = [
        {"doc_key": name, "sentences": [["a", "b"]], "clusters": clusters, "entity_types": types}
        for name, clusters, types in (
            ("plain", [[[0, 0], [1, 1]]], [None]),
            ("typed", [[[0, 1]]], ["person"]),
            ("empty", [], []),
        )
    ]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.conllu"
    source.write_text("".join(json.dumps(record) + "\n" for record in records))
    write(read(source), target)
    lines = [line for line in target.read_text().splitlines() if "global" in line]
    assert lines == ["# global.Entity = eid-etype"] * 3
    again = read(target)
    assert "W103" not in codes(again)
    assert [*map(partition, again)] == [*map(partition, read(source))]


def test_a_document_without_declaration_gets_that_of_the_others(tmp_path: Path) -> None:
    plain = "# newdoc id = y\n1\tAnn" + "\t_" * 8 + "\n\n"
    path = written(tmp_path, conllu(["(a-x-1)"], fields="eid-etype-head") + plain)
    changed = encoded(read(path), "corefud").decode()
    assert changed.count("# global.Entity = eid-etype-head\n") == 2
    path.write_text(changed)
    assert codes(read(path)) == []


def test_what_cannot_be_written(tmp_path: Path) -> None:
    ids = Corpus.from_clusters({"x": [["m1", "m2"]]})
    with pytest.raises(CannotExpress, match="not spans"):
        encoded(ids, "corefud")
    with pytest.raises(CannotExpress, match="words are not known"):
        encoded(Corpus.from_clusters({"x": [[(0, 1)]]}), "corefud")
    record = {"doc_key": "x", "sentences": [["a\tb"]], "clusters": [[[0, 0]]]}
    with pytest.raises(CannotExpress, match="cannot stand in a column"):
        encoded(read(written(tmp_path, json.dumps(record) + "\n", "in.jsonl")), "corefud")


def test_to_conll(tmp_path: Path) -> None:
    gap = conllu(["(a[1/2]--1)", "", "(a[2/2]--1)"])
    with pytest.raises(CannotExpress, match=r"mentions with gaps.*E302"):
        write(read(written(tmp_path, gap)), tmp_path / "out.conll")
    assert not (tmp_path / "out.conll").exists()
    node = conllu({"1": "(a--2", "1.1": "a)", "2": ""})
    findings = write(read(written(tmp_path, node)), tmp_path / "out.conll", lossy=True)
    assert [f.code.id for f in findings] == ["W111", "W170", "W170"]
    corpus = read(tmp_path / "out.conll")
    assert corpus.mention_spans.tolist() == [[0, 1]]


def test_to_json(tmp_path: Path) -> None:
    text = conllu(["(a[1/2]--1)", "", "Entity=(a[2/2]--1)(b-x-1-k:v)|Bridge=a<b", "(c)"])
    corpus = read(written(tmp_path, text))
    layers, *lost = write(corpus, tmp_path / "out.json", lossy=True)
    assert layers.code.id == "W111"
    assert [finding.message.partition(" (")[0] for finding in lost] == [
        "entity types",
        "heads of mentions",
        "bridges",
        "other fields of brackets",
    ]
    assert json.loads((tmp_path / "out.json").read_text()) == {
        "x": [[[[0, 0], [2, 2]]], [[2, 2]], [[3, 3]]]
    }
    again = read(tmp_path / "out.json")
    assert again.mention_parts == corpus.mention_parts


# ---- The command line ----


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_commands(tmp_path: Path) -> None:
    path = written(tmp_path, conllu(["(a-x-2", "a)", "(b[1/2])", "", "(b[2/2]--1)"]))
    out = tmp_path / "out.conllu"
    assert run("convert", path, out) == (0, "", "")
    assert mentions(read(out)) == mentions(read(path))
    status, printed, _ = run("validate", path, out)
    assert status == 0
    assert printed.count("1 document, 2 mentions; 0 errors, 0 warnings") == 2
    status, printed, _ = run("stats", path, "--format", "csv")
    assert status == 0
    assert "tokens" in printed


def test_head_option(tmp_path: Path) -> None:
    path = written(tmp_path, conllu(["(a-2", "a)"], fields="eid-minspan"))
    for arguments in (["--head", "minspan"], ["--from", "corefud:head=minspan"]):
        assert run("convert", path, tmp_path / "out.jsonl", "--lossy", *arguments)[0] == 0
        record = json.loads((tmp_path / "out.jsonl").read_text())
        assert record["mention_heads"] == [[1]]
    assert run("stats", path, "--head", "nose")[0] == 2
    assert run("stats", path, "--input-format", "corefud:head=nose")[0] == 2


def test_findings_have_their_lines(tmp_path: Path) -> None:
    path = written(tmp_path, conllu(["(a", "b)"]))
    status, printed, _ = run("validate", path)
    assert status == 3
    assert f"{path}:4: b) closes a mention that was not opened" in printed
    assert codes(read(written(tmp_path, conllu(["(a", "(b)"])))) == ["W151"]


@pytest.mark.parametrize("record", ['"doc_key": "\\ud800"', '"doc_key": "x"'])
def test_half_a_character_cannot_be_written(record: str, tmp_path: Path) -> None:
    words = '[["\\udc00", "ran"]]' if "x" in record else '[["Ann", "ran"]]'
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{{record}, "sentences": {words}, "clusters": [[[0, 0]]]}}\n')
    with pytest.raises(CannotExpress, match=r"cannot be written as UTF-8 \[E302\]"):
        write(read(path), tmp_path / "x.conllu")
