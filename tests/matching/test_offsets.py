"""Offsets that are off by one: found, explained, and mended by declaring a convention."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.corpus import Corpus
from corefscope.corpus.offsets import CONVENTIONS, DEFAULT, Convention, Ends
from corefscope.findings import Code, Finding
from corefscope.formats.registry import parse_format
from corefscope.matching.matching import MatchingOptions, match_corpora
from corefscope.matching.shifts import SHIFTS, OffsetShift

WORDS = ["Mara", "lost", "her", "red", "kite", "near", "the", "pier", "and", "it", "sank", "."]
KEY = [[(0, 0), (2, 2)], [(2, 4), (9, 9)], [(6, 7)]]
"""Spans, of which few are others when they are shifted."""
NAMES = ["--key-format", "--response-format"]


def record(clusters: list[list[tuple[int, int]]], **fields: Any) -> str:
    return json.dumps({"doc_key": "d", "sentences": [WORDS], "clusters": clusters, **fields}) + "\n"


def written_as(convention: Convention) -> list[list[tuple[int, int]]]:
    """The key as a program with this convention writes it."""
    start, end = convention.shift
    return [[(first - start, last - end) for first, last in entity] for entity in KEY]


def shifted(shift: tuple[int, int], by: int = 1) -> list[list[tuple[int, int]]]:
    """The key in the middle of a text, so that it can be shifted to all sides."""
    start, end = shift
    return [
        [(10 * a + 10 + by * start, 10 * b + 15 + by * end) for a, b in entity] for entity in KEY
    ]


def run(command: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def of_shift(findings: Any) -> list[Finding]:
    return [finding for finding in findings if finding.code is Code.SHIFTED]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("convention", CONVENTIONS[1:], ids=str)
@pytest.mark.parametrize("side", [0, 1])
def test_named_format_fixes_the_warning(convention: Convention, side: int, folder: Path) -> None:
    # Without sentences nothing says that spans lie outside the text.
    plain = {"sentences": None}
    for name, clusters in (("a", KEY), ("b", written_as(convention))):
        (folder / f"{name}.jsonl").write_text(record(clusters, **plain))
    files = "a.jsonl b.jsonl" if side else "b.jsonl a.jsonl"
    status, out, err = run(f"score {files} --metrics mentions --format json")
    assert status == 0 and err.count("W208") == 1
    options = ",".join(f"{name}={value}" for name, value in convention.options())
    assert f"the {('key', 'response')[side]} with the format 'jsonl:{options}'" in err
    assert "warning[W208] b.jsonl: " in err and f"  fix: {NAMES[side]} jsonl:{options}\n" in err
    status, out, err = run(
        f"score {files} --metrics mentions --format json {NAMES[side]} jsonl:{options}"
    )
    assert json.loads(out)["systems"][0]["metrics"]["mentions"]["f1"] == 1
    assert (status, err) == (0, "")


def test_python_is_told_how_to_read(folder: Path) -> None:
    for name, clusters in (("a", KEY), ("b", written_as(Convention(ends="exclusive")))):
        (folder / f"{name}.jsonl").write_text(record(clusters, sentences=None))
    with pytest.warns(cs.CorefscopeWarning) as warned:
        cs.score("a.jsonl", "b.jsonl")
    assert "cs.read(path, format='jsonl:ends=exclusive') reads the response" in str(
        warned[0].message
    )
    response = cs.read("b.jsonl", format="jsonl:ends=exclusive")
    assert cs.score("a.jsonl", response).conll == 1


def test_wrongly_declared_convention(folder: Path) -> None:
    (folder / "a.json").write_text(json.dumps({"d": shifted((0, 0))}))
    (folder / "b.json").write_text(json.dumps({"d": shifted((1, 1))}))
    _, _, err = run("score a.json b.json --response-format json:ends=exclusive,base=1")
    assert "read the response with the format 'json:base=1'" in err
    assert "the ends of the response look inclusive" in err


@pytest.mark.parametrize("shift", SHIFTS, ids=str)
def test_every_shift_is_found(shift: OffsetShift) -> None:
    key, response = shifted((0, 0)), shifted(shift[:2], by=-1)
    with pytest.warns(cs.CorefscopeWarning, match="W208"):
        scores = cs.score({"d": key}, {"d": response})
    (finding,) = of_shift(scores.findings)
    assert str(shift) in finding.message
    assert ": 5 of 5 mentions are in the key with" in finding.message
    assert ", 0 as they are read; expected" in finding.message
    expected: dict[tuple[int, int], list[str]] = {
        (0, -1): ["response with Corpus.from_clusters(documents, ends='exclusive')"],
        (-1, -1): ["response with Corpus.from_clusters(documents, base=1)"],
        (0, 1): ["key with Corpus.from_clusters(documents, ends='exclusive')"],
        (1, 1): ["key with Corpus.from_clusters(documents, base=1)"],
        (-1, -2): ["response with Corpus.from_clusters(documents, base=1, ends='exclusive')"],
        (1, 2): ["key with Corpus.from_clusters(documents, base=1, ends='exclusive')"],
        (1, 0): [
            "key with Corpus.from_clusters(documents, base=1)",
            "response with Corpus.from_clusters(documents, ends='exclusive')",
        ],
        (-1, 0): [
            "response with Corpus.from_clusters(documents, base=1)",
            "key with Corpus.from_clusters(documents, ends='exclusive')",
        ],
        (1, -1): ["no convention of offsets explains this"],
        (-1, 1): ["no convention of offsets explains this"],
    }
    for part in expected[shift[:2]]:
        assert part in finding.message


def test_advice_for_clusters_in_memory_fixes_them() -> None:
    exclusive = written_as(Convention(0, "exclusive"))
    with pytest.warns(cs.CorefscopeWarning, match="W208"):
        cs.score({"d": KEY}, {"d": exclusive})
    response = Corpus.from_clusters({"d": exclusive}, ends="exclusive")
    assert cs.score({"d": KEY}, response).mentions.f1 == 1


def test_brackets_have_no_convention_to_declare(folder: Path) -> None:
    lines = "".join(
        f"{word}\t{cell}\n"
        for word, cell in zip("abcde", ["(1)", "-", "(1)", "-", "-"], strict=True)
    )
    later = "".join(
        f"{word}\t{cell}\n"
        for word, cell in zip("abcde", ["-", "(1)", "-", "(1)", "-"], strict=True)
    )
    for name, body in (("a", lines), ("b", later)):
        (folder / f"{name}.conll").write_text(f"#begin document d\n{body}#end document\n")
    _, _, err = run("score a.conll b.conll")
    assert "every mention of the response one token earlier" in err
    assert "no option can change how these files are read" in err and "jsonl" not in err


def test_characters_have_options_of_their_own(folder: Path) -> None:
    """A shift by tokens is no convention of characters, but these can be counted otherwise."""
    words = "abcdefghijkl"
    cells = ["(1)", "-", "(1)", "-", "(2)", "-", "-", "(2)", "-", "-", "-", "-"]
    rows = "".join(f"{word}\t{cell}\n" for word, cell in zip(words, cells, strict=True))
    (folder / "d.conll").write_text(f"#begin document d\n{rows}#end document\n")
    places = [[[2 * t + 2, 2 * t + 3] for t in entity] for entity in ([0, 2], [4, 7])]
    given = {"doc_key": "d", "text": " ".join(words), "clusters": places}
    (folder / "f.json").write_text(json.dumps(given))
    _, _, err = run("score d.conll f.json")
    assert "every mention of the response one token earlier" in err
    assert "read as characters (Unicode code points), counted from 0, with exclusive ends" in err
    assert "'fastcoref:OPTION'" in err and "no option" not in err


@pytest.mark.parametrize(
    ("declared", "advised"),
    [
        ("fastcoref", "fastcoref:base=1"),
        ("fastcoref:ends=exclusive", "fastcoref:base=1,ends=exclusive"),
    ],
)
def test_the_convention_is_that_of_the_file(declared: str, advised: str, folder: Path) -> None:
    """A file of fastcoref with tokens counts them, although others count characters."""
    convention = Convention(1, "exclusive" if "ends" in declared else "inclusive")
    given: dict[str, Any] = {"doc_key": "d", "text": " ".join(WORDS)}
    given |= {"tokens": [*WORDS, "…", "…"], "clusters": written_as(convention)}
    (folder / "a.jsonl").write_text(record(KEY).replace('"."', '".", "…", "…"'))
    (folder / "b.json").write_text(json.dumps(given))
    _, _, err = run(f"score a.jsonl b.json --response-format {declared}")
    assert "characters" not in err
    assert f"read the response with the format '{advised}'" in err
    _, out, err = run(
        f"score a.jsonl b.json --metrics mentions --format json --response-format {advised}"
    )
    assert json.loads(out)["systems"][0]["metrics"]["mentions"]["f1"] == 1
    assert "W208" not in err


def test_only_the_options_of_the_format_are_advised(folder: Path) -> None:
    """Mentions of cdcr-json are lists of tokens, which have no ends that could be exclusive."""

    def mentions(clusters: list[list[tuple[int, int]]]) -> str:
        return json.dumps(
            [
                {"doc_id": "d", "cluster_id": label, "tokens_ids": list(range(a + 1, b + 2))}
                for label, entity in enumerate(clusters)
                for a, b in entity
            ]
        )

    (folder / "a.json").write_text(mentions(shifted((0, 0))))
    (folder / "b.json").write_text(mentions(shifted((0, 1))))
    _, _, err = run("score a.json b.json")
    assert "W208" in err and "cdcr-json:" not in err
    assert "no option can change" in err and "fix: --" not in err
    (folder / "b.json").write_text(mentions(shifted((1, 1))))
    _, _, err = run("score a.json b.json")
    assert "read the key with the format 'cdcr-json:base=0'" in err


def documents(*shifts: tuple[int, int]) -> dict[str, list[list[tuple[int, int]]]]:
    """One document for each shift, all of the same key."""
    return {f"d{number}": shifted(shift) for number, shift in enumerate(shifts)}


def found(key: Any, response: Any) -> Finding | None:
    """The finding on offsets, if there is one."""
    ours, theirs = (
        side if isinstance(side, Corpus) else Corpus.from_clusters(side) for side in (key, response)
    )
    findings = of_shift(match_corpora(ours, theirs, MatchingOptions()).findings)
    assert len(findings) <= 1
    return findings[0] if findings else None


@pytest.mark.parametrize(
    ("by", "columns"),
    [
        ((0, 1), "entity, start, end - 1"),
        ((1, 1), "entity, start - 1, end - 1"),
        ((1, 2), "entity, start - 1, end - 2"),
    ],
)
def test_the_advice_for_arrays_mends_them(by: tuple[int, int], columns: str) -> None:
    entity, start, end = (np.array(each) for each in ([0, 0, 1], [5, 20, 40], [9, 22, 47]))
    key = Corpus.from_arrays(entity, start, end)
    response = Corpus.from_arrays(entity, start + by[0], end + by[1])
    finding = found(key, response)
    assert finding is not None
    assert f"make the response with Corpus.from_arrays({columns}, …)" in finding.message


COMMANDS = [
    "score a.jsonl b.jsonl",
    "score a.jsonl b.jsonl --format reference",
    "score a.jsonl b.jsonl --by mention-type",
    "errors a.jsonl b.jsonl",
    "nec a.jsonl b.jsonl",
    "compare a.jsonl a.jsonl b.jsonl",
    "report a.jsonl b.jsonl -o report.html",
    "explain muc a.jsonl b.jsonl",
    "profiles a.jsonl b.jsonl",
    "gate a.jsonl b.jsonl --baseline base.json",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_pairs_says_it_once(command: str, folder: Path) -> None:
    names = {"ner": [[[0, 0, "PERSON"]]]}
    longer = [[*WORDS, "!"]]
    for name, clusters in (("a", KEY), ("b", written_as(Convention(0, "exclusive")))):
        (folder / f"{name}.jsonl").write_text(record(clusters, sentences=longer, **names))
    run("score a.jsonl b.jsonl --format json -o base.json")
    status, _, err = run(command)
    assert status in (0, 1)
    assert err.count("[W208]") == 1


def test_scorer_reports_shift_once() -> None:
    scorer = cs.Scorer()
    response = written_as(Convention(0, "exclusive"))
    for _ in range(3):
        scorer.update(KEY, response)
        with pytest.warns(cs.CorefscopeWarning, match="W208"):
            findings = of_shift(scorer.compute().findings)
        assert len(findings) == 1
    other = cs.Scorer()
    other.merge(scorer)
    with pytest.warns(cs.CorefscopeWarning, match="W208"):
        assert len(of_shift(other.compute().findings)) == 1
    scorer.reset()
    scorer.update(KEY, KEY)
    assert not scorer.compute().findings


@pytest.mark.parametrize(
    ("right", "wrong", "far", "warns"),
    [
        (0, 2, 0, True),
        (0, 1, 0, False),
        (3, 6, 0, True),
        (3, 5, 0, False),
        (0, 2, 8, True),
        (0, 2, 9, False),
    ],
)
def test_thresholds_of_a_shift(right: int, wrong: int, far: int, warns: bool) -> None:
    """With every end one token earlier, what is right is lost and what is wrong is right."""
    key = [(10 * n, 10 * n + 3) for n in range(right + wrong + far)]
    off = [0] * right + [1] * wrong + [5] * far
    response = [(first, last + by) for (first, last), by in zip(key, off, strict=True)]
    ours, theirs = (Corpus.from_clusters({"d": [side]}) for side in (key, response))
    comparison = match_corpora(ours, theirs, MatchingOptions())
    assert bool(of_shift(comparison.findings)) == warns


def test_shifts_are_tried_only_where_useful() -> None:
    same = Corpus.from_clusters({"d": KEY})
    assert match_corpora(same, same, MatchingOptions()).shifts.is_partial


def test_shifts_are_counted_as_sets_say() -> None:
    random = np.random.default_rng(3)
    documents = []
    for _ in range(2):
        first = random.integers(0, 12, (60, 1))
        spans = np.hstack([first, first + random.integers(0, 3, (60, 1))]).tolist()
        where = random.integers(0, 3, 60).tolist()
        documents.append({(d, a, b) for d, (a, b) in zip(where, spans, strict=True)})
    sides = [
        Corpus.from_clusters({f"{d}": [{(a, b) for e, a, b in side if e == d}] for d in range(3)})
        for side in documents
    ]
    counts = match_corpora(sides[0], sides[1], MatchingOptions()).shifts
    assert not counts.is_partial
    for reading in SHIFTS:
        moved = {(d, a + reading.start, b + reading.end) for d, a, b in documents[1]}
        assert counts.shifted[reading] == len(moved & documents[0])


def test_very_large_offsets_do_not_wrap() -> None:
    last = 2**31 - 1
    key = {f"{n}": [[(0, 0), (last, last)]] for n in range(50)}
    response = {f"{n}": [[(1, last)]] for n in range(50)}
    scores = cs.score(key, response)
    assert not of_shift(scores.findings)


def test_ids_that_are_not_spans_are_left_alone() -> None:
    corpus = Corpus.from_clusters({"d": [["m1", (1, 3), 7]]}, ends="exclusive", base=1)
    assert list(corpus.mention_ids or ()) == ["m1", (0, 1), 7]
    assert not cs.score([[1, 2], [3]], [[2, 3], [4]]).findings


@pytest.mark.parametrize(
    ("ends", "base", "span"), [("exclusive", 0, (3, 3)), ("inclusive", 1, (0, 2))]
)
def test_span_that_does_not_fit_convention(
    ends: Ends, base: Any, span: tuple[int, int], folder: Path
) -> None:
    with pytest.raises(cs.InvalidInput, match=r"expected .* \[E113\]"):
        Corpus.from_clusters({"d": [[span]]}, ends=ends, base=base)
    (folder / "a.json").write_text(json.dumps({"d": [[span]]}))
    (folder / "a.jsonl").write_text(record([[span]]))
    for name in ("json", "jsonl"):
        with pytest.raises(cs.InvalidInput, match="E113"):
            cs.read(f"a.{name}", f"{name}:ends={ends},base={base}")


def test_span_just_beyond_the_text(folder: Path) -> None:
    (folder / "a.jsonl").write_text(record([[(10, 12)], [(12, 12)], [(12, 14)]]))
    with pytest.raises(cs.InvalidInput) as error:
        cs.read("a.jsonl")
    exclusive, first, far = (finding.message for finding in error.value.findings)
    assert "ends=exclusive" in exclusive
    assert "base=1" in first
    assert "=1" not in far and "exclusive" not in far


def test_convention_applies_to_all_token_numbers(folder: Path) -> None:
    fields = {"ner": [[[0, 0, "PERSON"], [6, 7, "LOC"]]], "heads": [[-1] + [0] * 11]}
    types = {"entity_types": ["PER", None, "LOC"], "deprels": [["dep"] * 12]}
    (folder / "a.jsonl").write_text(record(KEY, **fields, **types))
    other = {"ner": [[[1, 2, "PERSON"], [7, 9, "LOC"]]], "heads": [[0] + [1] * 11]}
    (folder / "b.jsonl").write_text(
        record(written_as(Convention(1, "exclusive")), **other, **types)
    )
    ours = cs.read("a.jsonl")["d"]
    theirs = cs.read("b.jsonl", "jsonl:base=1,ends=exclusive")["d"]
    assert theirs.corpus.findings == ()
    assert theirs.entities == ours.entities
    assert theirs.names == ours.names
    assert theirs.layer("heads") == ours.layer("heads")
    assert theirs.attributes == ours.attributes and ours.attributes


def test_formats_take_a_field_and_a_convention() -> None:
    for text in ("jsonl:found,ends=exclusive", "jsonl:ends=exclusive,clusters=found"):
        _, options = parse_format(text)
        assert options.clusters == "found"
        assert options.convention(DEFAULT) == Convention(0, "exclusive")
    formats = ["json", "json:ends=exclusive", "json:base=1", "json:base=1,ends=exclusive"]
    assert [parse_format(text)[1].convention(DEFAULT) for text in formats] == list(CONVENTIONS)
    for wrong in ("json:clusters", "json:unit=character", "cdcr-json:ends=exclusive"):
        with pytest.raises(cs.UnknownName):
            parse_format(wrong)
    for wrong in ("jsonl:base=2", "jsonl:ends=open", "jsonl:base=1,base=0"):
        with pytest.raises(cs.UnknownName):
            parse_format(wrong)


def texts(count: int) -> dict[str, list[list[tuple[int, int]]]]:
    """Return entities with mentions so dense that some match under any shift."""
    dice, entities = Random(1), {}
    for number in range(count):
        spans = sorted((s, s + dice.choice([0, 1, 3, 6])) for s in dice.sample(range(90), 40))
        entities[f"d{number}"] = [spans[place::8] for place in range(8)]
    return entities


def moved(entities: list[list[tuple[int, int]]], by: int) -> list[list[tuple[int, int]]]:
    return [[(start + by, end + by) for start, end in entity] for entity in entities]


def test_documents_in_another_order_are_not_moved() -> None:
    key = texts(12)
    others = dict(zip(key, [*list(key.values())[1:], key["d0"]], strict=True))
    assert not cs.score(key, others).findings


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ([["a", "b", "c"], ["d", "e"]], [["1", "2", "3"], ["4", "5"]]),
        ([[(0, 0), (9, 9)], [(20, 20), (31, 31), (50, 50)]], [[(n, n + n) for n in range(1, 7)]]),
    ],
)
def test_no_mention_in_common_is_reported_once(key: Any, response: Any) -> None:
    with pytest.warns(cs.CorefscopeWarning, match="no mention of the response is in the key"):
        (finding,) = cs.score(key, response).findings
    assert finding.code is Code.NO_COMMON_MENTION
    scorer = cs.Scorer()
    scorer.FOLD_AT = 0
    scorer.update(key, response)
    with pytest.warns(cs.CorefscopeWarning, match="W215"):
        assert [f.code for f in scorer.compute().findings] == [finding.code]
    scorer.update(key, key)
    assert not scorer.compute().findings


def test_few_mentions_or_missing_document_in_common() -> None:
    """Neither is reported as having nothing in common."""
    assert not cs.score([["a", "b", "c", "d"]], [["1", "2", "3", "4", "5"]]).findings
    key = {"a": [["a", "b", "c", "d", "e"]], "b": [["a", "b"]]}
    assert not cs.score(key, {"a": [], "b": [["1", "2", "3", "4", "5", "6"]]}).findings


def test_finding_that_replaces_nothing_in_common() -> None:
    """A finding that explains why replaces the finding that nothing is in common."""
    key = {"d": [[(0, 0), (3, 3), (9, 9)], [(15, 16), (22, 24)]]}
    with pytest.warns(cs.CorefscopeWarning, match="W208"):
        scores = cs.score(key, {"d": moved(key["d"], 1)})
    assert [finding.code for finding in scores.findings] == [Code.SHIFTED]


def test_a_document_whose_mentions_all_lie_inside_tokens(folder: Path) -> None:
    """There is nothing to shift in such a document, while others have spans."""
    words = [f"word{number}x" for number in range(20)]
    text = " ".join(words)
    begins = [text.index(word) for word in words]
    key, response = "", ""
    for name, cut in (("a", 1), ("b", 0)):
        pairs = [[number, number] for number in range(20)]
        key += json.dumps({"doc_key": name, "sentences": [words], "clusters": [pairs]}) + "\n"
        places = [[a, a + len(word) - cut] for a, word in zip(begins, words, strict=True)]
        moved = places if cut else places[1:5]
        response += json.dumps({"doc_key": name, "text": text, "clusters": [moved]}) + "\n"
    (folder / "key.jsonl").write_text(key)
    (folder / "response.jsonl").write_text(response)
    code, out, err = run("score key.jsonl response.jsonl")
    assert code == 0 and "20 mentions begin or end inside a token of the key" in err
    assert "Mentions" in out
