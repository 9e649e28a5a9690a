"""Nothing is lost in silence: annotations are refused, and what is left out is listed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from anaphora_text import COLUMNS
from corefscope import CannotExpress, Corpus, read, score, write
from corefscope.cli import main
from corefscope.formats.registry import writings
from corefscope.formats.writing.abilities import Feature
from corefscope.formats.writing.losses import losses_of
from formats.contents import contents, partition

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
PLAIN_UA = f"""# global.columns = {COLUMNS} NOM_SEM
# newdoc id = x
1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=a) _ _ _
2 sees _ _ _ _ _ _ _ _ _ _ _ _
3 it _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=b) _ _ _
3.1 _ _ _ _ _ _ _ 2:obj _ _ _ _ _
"""
PLAIN_COREFUD = """# newdoc id = x
# global.Entity = eid-etype-head-other
1	Ann	_	_	_	_	_	_	_	Entity=(e1--1)
2	sees	_	_	_	_	_	_	_	Entity=(e2--1)
3	it	_	_	_	_	_	_	_	Entity=(e3--1)
3.1	_	_	_	_	_	_	_	2:obj	Entity=(e1--1)

"""
TARGETS = ("conll", "jsonl", "json", "corefud")
MARKS = {
    "split antecedents": ("MarkableID=b", "MarkableID=b|ElementOf=1"),
    "minimum spans": ("MarkableID=b", "MarkableID=b|Min=3"),
    "non-referring expressions": ("EntityID=1|MarkableID=b", "EntityID=2-Pseudo|MarkableID=b"),
    "bridges": ("MarkableID=b) _", "MarkableID=b) (MarkableID=b|MentionAnchor=a)"),
    "discourse deixis": (
        "2 sees _ _ _ _ _ _ _ _ _ _ _",
        "2 sees _ _ _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=d)",
    ),
}
LINES = {
    "split antecedents": ("Entity=(e3--1)", "Entity=(e3--1)|SplitAnte=e1<e3,e2<e3"),
    "bridges": ("Entity=(e3--1)", "Bridge=e1<e3:part|Entity=(e3--1)"),
    "entity types": ("(e3--1)", "(e3-person-1)"),
    "other fields of brackets": ("(e3--1)", "(e3--1-x:y)"),
    "morphological features": ("3\tit\t_\t_\t_\t_", "3\tit\t_\t_\t_\tNumber=Sing"),
}


def lost(folder: Path, text: str, extension: str, target: str) -> list[str]:
    """What a conversion says it does not write."""
    source = folder / f"in.{extension}"
    source.write_text(text, encoding="utf-8")
    corpus = read(source)
    findings = write(corpus, folder / f"out.{target}", target, lossy=True)
    layers = [finding.message for finding in findings if finding.code.id == "W111"]
    left_out = [finding.message for finding in findings if finding.code.id == "W170"]
    if left_out:
        with pytest.raises(CannotExpress) as refused:
            write(corpus, folder / "never", target)
        assert len(refused.value.findings) == len(left_out)
        assert not (folder / "never").exists()
    else:
        assert write(corpus, folder / f"out.{target}", target) == findings
    listed = layers[0].partition(": ")[2].split(", ") if layers else []
    return sorted([*listed, *(message.partition(" (")[0] for message in left_out)])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MARKS)
def test_universal_anaphora(name: str, target: str, tmp_path: Path) -> None:
    old, new = MARKS[name]
    assert old in PLAIN_UA
    before = lost(tmp_path, PLAIN_UA, "conllua", target)
    marked = [] if target in ("corefud", "jsonl") else ["empty nodes"]
    assert before == (["empty nodes", "tokens"] if target == "json" else marked)
    changed = PLAIN_UA.replace(old, new, 1)
    markables = "annotations that only its format has"
    assert set(lost(tmp_path, changed, "conllua", target)) == {*before, markables}


@pytest.mark.parametrize("target", TARGETS)
def test_trees_of_universal_anaphora(target: str, tmp_path: Path) -> None:
    changed = PLAIN_UA.replace("1 Ann _ _ _ _ _", "1 Ann _ _ _ _ 2", 1)
    has_place = target in ("jsonl", "corefud")
    assert ("dependency heads" in lost(tmp_path, changed, "conllua", target)) is not has_place


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", LINES)
def test_corefud(name: str, target: str, tmp_path: Path) -> None:
    old, new = LINES[name]
    assert old in PLAIN_COREFUD
    before = lost(tmp_path, PLAIN_COREFUD, "conllu", target)
    after = lost(tmp_path, PLAIN_COREFUD.replace(old, new, 1), "conllu", target)
    is_kept = target == "corefud" or (name == "entity types" and target == "jsonl")
    assert set(after) - set(before) == (set() if is_kept else {name})


def test_the_layer_that_is_not_read(tmp_path: Path) -> None:
    old, new = MARKS["discourse deixis"]
    source = tmp_path / "in.conllua"
    source.write_text(PLAIN_UA.replace(old, new), encoding="utf-8")
    corpus = read(source, format="ua:layer=deixis")
    (finding,) = write(corpus, tmp_path / "out.jsonl", lossy=True)
    assert finding.message.startswith(
        "annotations that only its format has (2) are left out, because jsonl cannot "
        "express them: markable a in document 'x'"
    )


def test_heads_of_mentions_and_levels(tmp_path: Path) -> None:
    """JSON lines have both, CorefUD has heads, and the others have neither."""
    record = (
        '{"doc_key": "x", "sentences": [["a", "b"]], "clusters": [[[0, 1]]],'
        ' "mention_heads": [[1]], "mention_levels": [["NAM"]]}\n'
    )
    found = {target: lost(tmp_path, record, "jsonl", target) for target in TARGETS}
    both = ["heads of mentions", "mention levels"]
    assert found == {
        "conll": both,
        "jsonl": [],
        "json": [*both, "tokens"],
        "corefud": ["mention levels"],
    }


def test_mentions_that_touch(tmp_path: Path) -> None:
    """CorefUD can express mentions of one entity that share a token; CoNLL columns cannot."""
    record = (
        '{"doc_key": "x", "sentences": [["a", "b", "c"]], "clusters": [[[0, 1], [1, 2], [2, 2]]]}'
    )
    source = tmp_path / "in.jsonl"
    source.write_text(record)
    assert write(read(source), tmp_path / "out.conllu") == []
    (document,) = read(tmp_path / "out.conllu")
    assert {mention.id for mention in document.entities[0]} == {(0, 1), (1, 2), (2, 2)}
    shares = r"share one token .*\(1, 2\) of .*touches \(0, 1\).*E301"
    with pytest.raises(CannotExpress, match=shares):
        write(read(source), tmp_path / "out.conll")


def test_levels_from_tags_are_not_lost(tmp_path: Path) -> None:
    source = tmp_path / "in.conllu"
    text = PLAIN_COREFUD.replace("Ann\t_\t_", "Ann\t_\tPROPN").replace("(e1--1)", "(e1-person-1)")
    source.write_text(text)
    corpus = read(source)
    (document,) = corpus
    assert document.attributes and any(each.level for each in document.attributes.values())
    features = [loss.feature for loss in losses_of(corpus, "conll")[0]]
    assert features == [Feature.EMPTY_NODES, Feature.TYPES, Feature.HEADS]


def labelled(folder: Path, labels: Sequence[str]) -> Corpus:
    """Two documents with two entities each, which have these labels."""
    clusters = '"clusters": [[[0, 1], [3, 3]], [[1, 1], [2, 3]]]'
    lines = (
        f'{{"doc_key": "{name}", "sentences": [["a", "b"], ["c", "d"]], {clusters}}}\n'
        for name in "xy"
    )
    (folder / "in.jsonl").write_text("".join(lines))
    return replace(read(folder / "in.jsonl"), entity_labels=labels)


ODD_LABELS = {
    "conll": ["hall (2)", "a|b", "2+2", "PER", "the*", "*", "", "\ud800", "a\tb"],
    "corefud": ["Ann_Lee-0", "hall (2)", "a|b", "a=b", "x[1/2]", "", "\ud800", "a\tb"],
}


@pytest.mark.parametrize(
    ("format", "label"), [(format, label) for format in ODD_LABELS for label in ODD_LABELS[format]]
)
def test_labels_that_brackets_cannot_hold(format: str, label: str, tmp_path: Path) -> None:
    """They become numbers that no other entity has, the same one in all documents."""
    corpus = labelled(tmp_path, ["1", label, label, "e2"])
    target = tmp_path / f"out.{'conllu' if format == 'corefud' else format}"
    (finding,) = write(corpus, target)
    assert finding.code.id == "W111"
    assert f"as numbers: {label!r} (2); their mentions" in finding.message
    again = read(target)
    assert not again.findings
    spans = [[(0, 1), (3, 3)], [(1, 1), (2, 3)]]
    assert {name: sorted(found) for name, (_, found) in contents(again).items()} == {
        "x": sorted(zip(["1", "2"], spans, strict=True)),
        "y": sorted(zip(["2", "e2"], spans, strict=True)),
    }


@pytest.mark.parametrize("format", ["conll", "corefud"])
def test_labels_that_brackets_can_hold(format: str, tmp_path: Path) -> None:
    corpus = labelled(tmp_path, ["Ann_Lee", "e.2", "2+b", "é"])
    target = tmp_path / f"out.{'conllu' if format == 'corefud' else format}"
    assert write(corpus, target) == []
    again = read(target)
    assert {entity.label for document in again for entity in document.entities} == {
        *("Ann_Lee", "e.2", "2+b", "é")
    }
    assert [*map(partition, again)] == [*map(partition, corpus)]


def test_the_message_names_three_labels(tmp_path: Path) -> None:
    corpus = labelled(tmp_path, ["(a)", "(b)", "(c)", "(d)"])
    (finding,) = write(corpus, tmp_path / "out.conll")
    assert "numbers: '(a)' (1), '(b)' (2), '(c)' (3), and 1 more; their" in finding.message


ODD_TYPES = {
    "corefud": ["A-B", "A(B", "A|B", "A B", "a]"],
    "brat": ["A B", "A;B", "A:B", "PROP_PER", "Untyped"],
}


@pytest.mark.parametrize(
    ("format", "type"), [(format, type) for format in ODD_TYPES for type in ODD_TYPES[format]]
)
def test_types_that_would_be_read_as_others(format: str, type: str, tmp_path: Path) -> None:
    """They are refused; if they may be lost, the mentions and the other types stay."""
    record = {
        "doc_key": "x",
        "sentences": [["a", "b", "c"]],
        "clusters": [[[0, 0], [1, 1]], [[2, 2]]],
        "entity_types": [type, "PER"],
    }
    source, target = tmp_path / "in.jsonl", tmp_path / "out"
    source.write_text(json.dumps(record))
    corpus = read(source)
    with pytest.raises(CannotExpress, match=r"entity types \(2\).*E302"):
        write(corpus, target, format)
    assert not target.exists()
    findings = write(corpus, target, format, lossy=True)
    assert [finding.code.id for finding in findings if "types" in finding.message] == ["W170"]
    (document,) = again = read(target)
    assert [*map(partition, again)] == [*map(partition, corpus)]
    found = {span: each.type for span, each in (document.attributes or {}).items()}
    assert found[2, 2] == "PER"
    assert found.get((0, 0)) in (None, "Mention", "")


def test_types_of_the_same_form_as_names_of_entities(tmp_path: Path) -> None:
    """In brat, a type such as X-1 may be an entity; two entities of one mention stay apart."""
    record = {
        "doc_key": "x",
        "sentences": [["a", "b", "c"]],
        "clusters": [[[0, 0]], [[1, 1]], [[2, 2]]],
        "entity_types": ["X-1", "X-1", "PER"],
    }
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps(record))
    corpus = read(source)
    write(corpus, tmp_path / "out", "brat")
    (document,) = again = read(tmp_path / "out")
    assert [*map(partition, again)] == [*map(partition, corpus)]
    assert document.attributes
    assert [document.attributes[n, n].type for n in range(3)] == ["X-1", "X-1", "PER"]


def test_the_help_names_every_format_that_is_written() -> None:
    text = " ".join(CliRunner().invoke(main, ["convert", "--help"]).output.split())
    listed = text.partition("Format of OUT: ")[2].partition(" (")[0]
    assert set(re.split(", | or ", listed)) == set(writings())


@pytest.mark.parametrize("format", ["conll", "corefud", "spacy"])
def test_a_line_break_as_a_word_is_written_as_a_placeholder(format: str, tmp_path: Path) -> None:
    """BookCoref has such tokens."""
    record = {"sentences": [["Ann", "\n"], [" ", "She", "slept"]], "clusters": [[[0, 0], [3, 3]]]}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"doc_key": "x", **record}))
    found = write(read(path), tmp_path / "out", format)
    assert [(each.code.id, "only blanks" in each.message) for each in found] == [("W111", True)]
    (document,) = again = read(tmp_path / "out", format)
    assert document.words == ["Ann", "_", "_", "She", "slept"]
    assert score(path, again, missing="error").conll == 1
