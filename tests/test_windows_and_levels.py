"""Windows, levels and major entities: what is scored as one, where that is not a document."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import brute_force
import corefscope as cs
from commands import Command
from corefscope.choices import Level, Singletons
from corefscope.demo import KEY, RESPONSES
from corefscope.matching.division import Window, windows_asked
from corefscope.metrics.major import major_asked
from corefscope.options import make_options
from corefscope.scoring.scores import Scores
from corefscope.scoring.stored import stored_scores

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")

Span = tuple[int, int]
Entities = list[list[Span]]


class Text(NamedTuple):
    """The number of tokens of a document, its key and its response."""

    tokens: int
    key: Entities
    response: Entities

    @property
    def sides(self) -> tuple[Entities, Entities]:
        return self.key, self.response


Named = dict[str, dict[str, list[Span]]]
"""The mentions of each entity in each document."""
STANDARD = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
CASES = Path(__file__).resolve().parents[2] / "shared" / "cases" / "corpora" / "cases.jsonl"
score = Command("score")


# ---- Random texts, and their units from the definition ----


@st.composite
def texts(draw: st.DrawFn) -> Text:
    tokens = draw(st.integers(1, 24))
    spans = st.tuples(st.integers(0, tokens - 1), st.integers(0, 2)).map(
        lambda pair: (pair[0], min(sum(pair), tokens - 1))
    )
    known = sorted(draw(st.sets(spans, max_size=10)))
    sides = []
    for _ in range(2):
        places = draw(st.lists(st.integers(-1, 3), min_size=len(known), max_size=len(known)))
        entities: dict[int, list[Span]] = {}
        for place, span in zip(places, known, strict=True):
            if place >= 0:
                entities.setdefault(place, []).append(span)
        sides.append(list(entities.values()))
    return Text(tokens, sides[0], sides[1])


def corpora(documents: Mapping[str, Text]) -> tuple[cs.Corpus, cs.Corpus]:
    lengths = np.array([tokens for tokens, _, _ in documents.values()])
    key, response = (
        cs.Corpus.from_clusters({name: text.sides[side] for name, text in documents.items()})
        for side in range(2)
    )
    return (
        replace(key, document_tokens=lengths),
        replace(response, document_tokens=lengths),
    )


def within(entities: Entities, tokens: Iterable[int]) -> Entities:
    """What is left of entities among mentions that begin at some tokens."""
    wanted = set(tokens)
    left = [[span for span in entity if span[0] in wanted] for entity in entities]
    return [entity for entity in left if entity]


def cut(text: Text, size: int) -> list[tuple[Entities, Entities]]:
    tokens, key, response = text
    windows = [range(start, start + size) for start in range(0, tokens, size)]
    return [(within(key, window), within(response, window)) for window in windows]


def as_published(text: Text, size: int) -> list[tuple[Entities, Entities]]:
    tokens, key, response = text
    ends = [*range(size, tokens + 1, size), tokens]
    windows = [range(max(end - size + 1, 0), end) for end in ends]
    return [(within(key, window), within(response, window)) for window in windows]


def check(found: Scores, units: Sequence[tuple[Any, Any]], singletons: Singletons) -> None:
    """Compare all metrics with their definitions."""
    if singletons == "drop":
        drop = brute_force.without_singletons
        units = [(drop(key), drop(response)) for key, response in units]
    for id in STANDARD:
        expected = brute_force.METRICS[id](units)
        assert found[id].recall == pytest.approx(float(expected.recall), abs=1e-12), id
        assert found[id].precision == pytest.approx(float(expected.precision), abs=1e-12), id
        assert found[id].f1 == pytest.approx(float(expected.f1), abs=1e-12), id


@given(st.lists(texts(), min_size=1, max_size=3), st.integers(1, 30))
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_windows_equal_their_definition(
    singletons: Singletons, drawn: list[Text], size: int
) -> None:
    documents = {f"d{number}": text for number, text in enumerate(drawn)}
    found = cs.score(*corpora(documents), window=size, singletons=singletons)
    units = [unit for text in drawn for unit in cut(text, size)]
    check(found, units, singletons)
    assert len(found.document_names) == len(units)
    every = [sum(len(e) for text in drawn for e in text.sides[side]) for side in range(2)]
    if singletons == "keep":
        counts = found["mentions"].recall_counts[1], found["mentions"].precision_counts[1]
        assert counts == tuple(every), "every mention is in exactly one window"
    assert f"|window:{size}|docs:{len(drawn)}" in found.signature


@given(st.lists(texts(), min_size=1, max_size=3), st.integers(1, 12))
def test_published_windows_equal_their_definition(drawn: list[Text], size: int) -> None:
    documents = {f"d{number}": text for number, text in enumerate(drawn)}
    found = cs.score(*corpora(documents), profile=f"bookcoref-window:{size}")
    check(found, [unit for text in drawn for unit in as_published(text, size)], "keep")
    for side in range(2):
        times = [
            sum(span[0] in set(range(max(end - size + 1, 0), end)) for end in ends)
            for text in drawn
            for ends in [[*range(size, text.tokens + 1, size), text.tokens]]
            for entity in text.sides[side]
            for span in entity
        ]
        assert found.units is not None
        assert found.units.lost[side] == times.count(0)
        assert found.units.doubled[side] == times.count(2)
    (said,) = [finding for finding in found.findings if finding.code.id == "W220"]
    corrected = cs.score(*corpora(documents), window=size).conll
    assert corrected is not None
    assert said.message.endswith(f"correct windows give CoNLL {100 * corrected:.2f}")


def named(documents: Mapping[str, Text], side: int) -> Named:
    """Entities of one number are the same in all documents."""
    return {
        name: {f"e{number}": entity for number, entity in enumerate(text.sides[side])}
        for name, text in documents.items()
    }


def joined(entities: Named, documents: Iterable[str]) -> list[list[tuple[str, Span]]]:
    found: dict[str, list[tuple[str, Span]]] = {}
    for document in documents:
        for label, mentions in entities[document].items():
            found.setdefault(label, []).extend((document, span) for span in mentions)
    return list(found.values())


def links(entities: Sequence[Sequence[tuple[str, Span]]], *, within: bool) -> set[Any]:
    return {
        frozenset({one, other})
        for entity in entities
        for one in entity
        for other in entity
        if one != other and (one[0] == other[0]) == within
    }


@given(st.lists(texts(), min_size=1, max_size=4), st.data())
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_levels_equal_their_definition(
    singletons: Singletons, drawn: list[Text], data: st.DataObject
) -> None:
    documents = {f"d{number}": text for number, text in enumerate(drawn)}
    topics = {name: data.draw(st.sampled_from(["t", "u"])) for name in documents}
    key, response = named(documents, 0), named(documents, 1)
    groups: dict[Level, list[list[str]]] = {
        "document": [[name] for name in documents],
        "topic": [
            [name for name in documents if topics[name] == topic]
            for topic in dict.fromkeys(topics.values())
        ],
        "corpus": [list(documents)],
    }
    for level, units in groups.items():
        found = cs.score(key, response, level=level, topics=topics, singletons=singletons)
        sides = [(joined(key, unit), joined(response, unit)) for unit in units]
        check(found, sides, singletons)
        assert found.scored_documents == len(documents)
        if level == "document":
            assert found.across is None
            continue
        assert found.across is not None
        for where, links_found in found.across.links.items():
            pairs = [[links(side, within=where == "within") for side in unit] for unit in sides]
            common = sum(len(ours & theirs) for ours, theirs in pairs)
            assert links_found.recall_counts == (common, sum(len(ours) for ours, _ in pairs))
            assert links_found.precision_counts == (common, sum(len(r) for _, r in pairs))


@given(texts())
def test_the_corpus_of_one_document_is_its_document(text: Text) -> None:
    key, response = corpora({"d": text})
    plain, whole = cs.score(key, response), cs.score(key, response, level="corpus")
    assert plain.metrics == whole.metrics and plain.conll == whole.conll


# ---- Cases that others worked out ----

needs_cases = pytest.mark.skipif(not CASES.exists(), reason="no shared cases beside this checkout")


def cases(kind: str) -> list[dict[str, Any]]:
    if not CASES.exists():
        return []
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["kind"] == kind]


def check_figures(found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    for id, figures in expected.items():
        if id == "conll":
            assert found["conll"] == pytest.approx(figures, abs=1e-9)
        else:
            one = found["metrics"][id]
            own = [one[name] for name in ("recall", "precision", "f1")]
            assert own == pytest.approx(figures, abs=1e-9), id


def as_lines(documents: Iterable[Mapping[str, Any]], side: str) -> str:
    return "".join(
        json.dumps(
            {
                "doc_key": each["name"],
                "sentences": [["w"] * each["tokens"]],
                "clusters": each[side],
            }
        )
        + "\n"
        for each in documents
    )


@needs_cases
@pytest.mark.parametrize("case", cases("windows"), ids=lambda case: case["id"])
def test_shared_windows(case: dict[str, Any], tmp_path: Path) -> None:
    paths = []
    for side in ("key", "response"):
        path = tmp_path / f"{side}.jsonl"
        path.write_text(as_lines(case["documents"], side))
        paths.append(str(path))
    size = case["window"]
    for singletons in ("keep", "drop"):
        options = ["--window", f"{size}", "--singletons", singletons]
        check_figures(score.system_of(*paths, *options), case[singletons])
    found = score.system_of(*paths, "--profile", f"bookcoref-window:{size}")
    check_figures(found, case["bookcoref"])
    scores = cs.score(*paths, profile=f"bookcoref-window:{size}")
    assert scores.units is not None
    pairs = zip(scores.units.lost, scores.units.doubled, strict=True)
    assert (
        dict(zip(("key", "response"), map(list, pairs), strict=True))
        == case["published_lost_and_doubled"]
    )


@needs_cases
@pytest.mark.parametrize("case", cases("levels"), ids=lambda case: case["id"])
def test_shared_levels(case: dict[str, Any], tmp_path: Path) -> None:
    sides: list[Named] = []
    paths = []
    for side in ("key", "response"):
        found: Named = {name: {} for name in case["topics"]}
        for label, mentions in case[side].items():
            for document, first, last in mentions:
                found[document].setdefault(label, []).append((first, last))
        sides.append(found)
        corpus = cs.Corpus.from_clusters(found)
        path = str(tmp_path / f"{side}.jsonl")
        cs.write(replace(corpus, document_topics=list(case["topics"].values())), path, "native")
        paths.append(path)
    for level, by_rule in case["scores"].items():
        for singletons, expected in by_rule.items():
            options = ["--level", level, "--singletons", singletons]
            record = score.system_of(*paths, *options)
            check_figures(record, expected)
            scores = cs.score(*sides, level=level, singletons=singletons, topics=case["topics"])
            assert {id: s.f1 for id, s in scores.metrics.items()} == {
                id: figures["f1"] for id, figures in record["metrics"].items()
            }
            if level == "corpus":
                counts = {
                    where: {name: own[name] for name in ("common", "key", "response")}
                    for where, own in record["links"].items()
                }
                assert counts == case["links"]


# ---- Windows of staged matching, and of zeros ----

CONLLU = """# newdoc id = d
# global.Entity = eid-etype-head-other
1\tAnn\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_
{zero}3\tthe\t_\tDET\t_\t_\t4\tdet\t_\t{before}
4\tgirl\t_\tNOUN\t_\t_\t2\tobj\t_\t{at}

"""


def conllu(folder: Path, name: str, **cells: str) -> str:
    path = folder / f"{name}.conllu"
    path.write_text(CONLLU.format(**{"zero": "", "before": "_", "at": "_", **cells}))
    return str(path)


def test_a_huge_window_is_the_whole_document() -> None:
    huge = cs.score(KEY, RESPONSES["sieve"], window=10**400)
    assert huge.conll == cs.score(KEY, RESPONSES["sieve"]).conll


def test_a_pair_is_in_the_window_of_the_key(tmp_path: Path) -> None:
    """The key has 'the girl', which begins in the first window; the response 'girl' alone."""
    key = conllu(tmp_path, "key", before="Entity=(e1-person-2-", at="Entity=e1)")
    response = conllu(tmp_path, "response", at="Entity=(e1-person-1-)")
    whole = cs.score(key, response, match="head")
    assert whole["muc"].f1 == 1
    cut = cs.score(key, response, match="head", window=3)
    assert cut["muc"].recall_counts == (1, 1) and cut["muc"].precision_counts == (1, 1)
    # Unmatched, each stays in the window of its own first word.
    apart = cs.score(key, response, match="exact", window=3)
    assert apart["muc"].recall_counts == (0, 1) and apart["muc"].precision_counts == (0, 0)


ZERO = "2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1-)\n"


def test_a_zero_is_in_the_window_of_the_word_before(tmp_path: Path) -> None:
    path = conllu(tmp_path, "key", zero=ZERO, at="Entity=(e1-person-1-)")
    found = {size: cs.score(path, path, window=size) for size in (1, 2, 3, 4)}
    links = {size: scores["muc"].recall_counts[1] for size, scores in found.items()}
    assert links == {1: 0, 2: 1, 3: 1, 4: 2}, "windows count words, and the zero is not one"
    assert [len(scores.document_names) for scores in found.values()] == [4, 2, 2, 1]
    mentions = [each.metrics["mentions"].recall_counts[1] for each in found[2].per_document]
    assert mentions == [2, 1], "the zero follows the second word"


def test_a_zero_before_all_words_is_in_the_first_window(tmp_path: Path) -> None:
    first = ZERO.replace("2.1", "0.1")
    path = conllu(tmp_path, "key")
    text = Path(path).read_text().replace("1\tAnn", f"{first}1\tAnn")
    Path(path).write_text(text)
    assert cs.score(path, path, window=1)["muc"].recall_counts == (1, 1)


# ---- Tables of windows ----


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def book(tmp_path: Path) -> str:
    """One entity with a mention at every second token of ten, and a short document."""
    entity = [[[place, place] for place in range(0, 10, 2)]]
    documents = [
        {"name": "book", "tokens": 10, "key": entity},
        {"name": "note", "tokens": 3, "key": [[[0, 0], [2, 2]]]},
    ]
    return written(tmp_path, "book.jsonl", as_lines(documents, "key"))


@pytest.mark.parametrize("window", ["0", "-5", "5,0", "5,5"])
def test_sizes_that_are_refused(window: str, book: str) -> None:
    status, message = score.refused(book, book, "--window", window)
    assert status == 2 and "window" in message


@pytest.mark.parametrize(
    "window", [0, True, 1.5, [], [5, 5], {"book": {}}, {"book": {3: "a", 1: "b"}}]
)
def test_windows_that_are_refused_in_python(window: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        windows_asked(window)


# ---- Several sizes ----


def test_several_sizes() -> None:
    arguments = [str(KEY), str(RESPONSES["sieve"]), "--window", "50,200"]
    record = score.system_of(*arguments)
    alone = {
        size: score.system_of(*arguments[:2], *(["--window", size] if size else []))
        for size in ("50", "200", "")
    }
    assert [each["size"] for each in record["windows"]] == [50, 200, None]
    for part, own in zip(record["windows"], alone.values(), strict=True):
        assert part["metrics"] == own["metrics"] and part["conll"] == own["conll"]
        assert part["units"] == own.get("units", 10)
    assert record["metrics"] == alone[""]["metrics"], "the scores are those of whole documents"
    assert "window:" not in record["signature"]
    lines = score.printed(*arguments).splitlines()
    assert [line.split("  ")[0].strip() for line in lines[6:9]] == [
        "50 tokens",
        "200 tokens",
        "whole",
    ]
    table = list(csv.DictReader(io.StringIO(score.printed(*arguments, "--format", "csv"))))
    assert list(dict.fromkeys(row["window"] for row in table)) == ["50", "200", "whole"]
    for format in ("markdown", "latex"):
        for layout in ("plain", "paper"):
            text = score.printed(*arguments, "--format", format, "--layout", layout)
            assert text.count("tokens") == 2 and "whole" in text


@pytest.mark.parametrize(
    "options",
    [
        ["--window", "5,9", "--per-document"],
        ["--window", "5", "--by", "distance"],
        ["--window", "5", "--format", "reference"],
        ["--window", "5", "--profile", "corefud"],
        ["--window", "5", "--profile", "bookcoref-window"],
        ["--window", "5", "--level", "corpus"],
        ["--window", "5", "--duplicates", "reference"],
        ["--window", "5", "--metrics", "antecedents"],
        ["--level", "topic", "--profile", "ua-1"],
        ["--profile", "bookcoref-window:0"],
        ["--profile", "bookcoref-window:x"],
        ["--major", "0"],
        ["--major", "5", "--by", "distance"],
    ],
    ids=" ".join,
)
def test_combinations_that_are_refused(options: list[str]) -> None:
    status, message = score.refused(str(KEY), str(RESPONSES["sieve"]), *options)
    assert status == 2, message


# ---- Bad input ----


def test_ids_have_no_windows() -> None:
    with pytest.raises(cs.InvalidInput, match="E206"):
        cs.score([{"a", "b"}], [{"a", "b"}], window=5)


def test_published_windows_need_lengths() -> None:
    with pytest.raises(cs.InvalidInput, match=r"number of tokens .* unknown.*E501"):
        cs.score({"d": [[(0, 1)]]}, {"d": [[(0, 1)]]}, profile="bookcoref-window")


def test_local_names_are_refused(tmp_path: Path) -> None:
    key = {"a": {"x": [(0, 0)]}, "b": {"x": [(0, 0)]}}
    local = {"a": [[(0, 0)]], "b": [[(0, 0)]]}
    for pair in ((key, local), (local, key)):
        with pytest.raises(cs.InvalidInput, match=r"names hold only within document 'a'.*E501"):
            cs.score(*pair, level="corpus")
    with pytest.raises(cs.InvalidInput, match=r"document 'b' of the key has no topic.*E501"):
        cs.score(key, key, level="topic", topics={"a": "t"})
    text = (
        "#begin document a\nAnn\t(1)\n#end document\n#begin document b\nShe\t(1)\n#end document\n"
    )
    path = written(tmp_path, "x.conll", text)
    status, message = score.refused(path, path, "--level", "corpus")
    assert status == 3 and "E501" in message and "fix: --key-format" in message
    declared = ["--key-format", "conll:ids=corpus", "--response-format", "conll:ids=corpus"]
    record = score.system_of(path, path, "--level", "corpus", *declared)
    assert record["metrics"]["muc"]["recall_counts"] == [1, 1]
    apart = cs.score(key, key, level="topic", topics={"a": "t", "b": "u"})
    assert apart.document_names == ("t", "u")


def test_a_response_that_stays_within_topics() -> None:
    key = {"a": {"x": [(0, 0)]}, "b": {"x": [(0, 0)]}}
    response = {"a": {"x": [(0, 0)]}, "b": {"y": [(0, 0)]}}
    topics = {"a": "t", "b": "u"}
    found = cs.score(key, response, level="corpus", topics=topics)
    assert "W212" in {finding.code.id for finding in found.findings}
    for other, level, of in (
        (key, "corpus", topics),
        (response, "topic", topics),
        (response, "corpus", {}),
    ):
        quiet = cs.score(key, other, level=level, topics=of)  # type: ignore[arg-type]
        assert "W212" not in {finding.code.id for finding in quiet.findings}


def test_singletons_of_levels_are_counted() -> None:
    key = {"a": {"x": [(0, 0)], "y": [(1, 1)]}, "b": {"x": [(0, 0)]}}
    found = cs.score(key, key, level="corpus")
    assert found.across is not None
    assert found.across.singletons == {"key": (1, 2), "response": (1, 2)}


# ---- Explanations and analyses of cross-document files ----

STORMS = Path(__file__).resolve().parents[1] / "docs" / "examples"
PAIR = [str(STORMS / "storms.conll"), str(STORMS / "storms_system.conll")]


@pytest.mark.parametrize("metric", STANDARD)
def test_topics_are_explained(metric: str) -> None:
    """The terms of a topic add up to its score, and mentions name their documents."""
    scores = cs.score(*PAIR, level="topic")
    for each in scores.per_document:
        found = cs.explain(metric, *PAIR, level="topic", document=each.document)
        assert found.score == each.metrics[metric]
        assert str(found).startswith(f"{found.metric} of topic {each.document}")
    assert "The storm (0–1) in storm_a" in str(
        cs.explain(metric, *PAIR, level="topic", document="1")
    )
    whole = cs.explain(metric, *PAIR, level="corpus")
    assert whole.score == cs.score(*PAIR, level="corpus")[metric]
    assert str(whole).startswith(f"{whole.metric} of the corpus\n")


def test_explanations_need_one_topic() -> None:
    explain = Command("explain")
    status, message = explain.refused("b3", *PAIR, "--level", "topic")
    assert status == 2 and "the key has 2 topics; choose one with --document: 1, 2" in message
    status, message = explain.refused("b3", *PAIR, "--level", "topic", "--document", "9")
    assert status == 2 and "topic" in message
    printed = explain.run("b3", *PAIR, "--level", "document", "--document", "storm_b").stdout
    assert printed.startswith("B³ of document storm_b\n")
    with pytest.raises(ValueError, match="expected one: name it as the document"):
        cs.explain("b3", *PAIR, level="topic")
    with pytest.raises(ValueError, match="without windows"):
        cs.explain("b3", *PAIR, level="document", document="storm_a", profile="bookcoref-window")


def test_analyses_do_not_join_documents() -> None:
    assert len(cs.analyze(*PAIR, level="document").documents) == 4
    assert len(cs.analyze(*PAIR).documents) == 1
    with pytest.raises(cs.UnknownName, match="choice of level named 'topic'"):
        cs.analyze(*PAIR, level="topic")  # type: ignore[arg-type]
    status, message = Command("errors").refused(*PAIR, "--level", "topic")
    assert status == 2 and "'file', 'document'" in message


# ---- Statistics, stored scores, scorers ----


def test_windows_are_units_of_comparisons() -> None:
    systems = {name: RESPONSES[name] for name in ("sieve", "recency")}
    by_window = cs.compare(KEY, systems, window=50, unit="windows", metrics="muc", samples=50)
    by_document = cs.compare(KEY, systems, window=50, metrics="muc", samples=50)
    assert (by_window.units, by_document.units) == (50, 10)
    assert by_window.estimates["sieve"]["muc"].value == by_document.estimates["sieve"]["muc"].value
    said = [f.message for f in by_window.findings if f.code.id == "W502"]
    assert len(said) == 1 and "windows of a text are not independent" in said[0]
    assert "|window:50|docs:10|unit:windows|units:50|" in by_window.signature
    with pytest.raises(ValueError, match="expected a size of windows"):
        cs.compare(KEY, systems, unit="windows")
    with pytest.raises(ValueError, match="expected one to compare systems"):
        cs.compare(KEY, systems, window=[50, 100])


def test_topics_are_units_of_comparisons() -> None:
    key = {f"d{number}": {"x": [(0, 0), (2, 2)]} for number in range(6)}
    topics = {name: f"t{place % 3}" for place, name in enumerate(key)}
    for level in ("document", "topic"):
        found = cs.compare(
            key, {"a": key, "b": key}, level=level, topics=topics, unit="topics", samples=10
        )
        assert found.units == 3 and found.unit == "topics"
    with pytest.raises(cs.InvalidInput, match=r"has no topic.*E501"):
        cs.compare(key, {"a": key, "b": key}, unit="topics", samples=10)


@pytest.mark.parametrize("options", [{"window": 50}, {"profile": "bookcoref-window:50"}])
def test_scores_of_windows_are_read_back(options: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    words = [f"--{name}={value}" for name, value in options.items()]
    sides = [str(KEY), str(RESPONSES["sieve"])]
    score.run(*sides, *words, "--per-document", "--format", "json", "-o", str(path))
    chosen = make_options(**options)
    found, scored = (
        stored_scores(str(path), None, cs.read(KEY), chosen),
        cs.score(*sides, **options),
    )
    assert found.signature == scored.signature and found.texts == scored.texts
    assert found.per_document == scored.per_document
    with pytest.raises(cs.InvalidInput, match="E502"):
        stored_scores(str(path), None, cs.read(KEY), make_options())
    compared = Command("compare").run(
        str(KEY), str(path), str(RESPONSES["recency"]), *words, "--metrics", "muc", "--samples", "9"
    )
    assert compared.exit_code == 0, compared.stderr


def test_a_scorer_cuts_documents() -> None:
    key, response = [[(0, 0), (3, 3), (7, 7)]], [[(0, 0), (3, 3)], [(7, 7), (9, 9)]]
    scorer, other = cs.Scorer(window=5), cs.Scorer(window=5)
    scorer.update(key, response)
    other.update(key, key, "named")
    other.update(response, key)
    scorer.merge(other)
    names = ("0@1", "0@2", "named@1", "named@2", "2@1", "2@2")
    found = scorer.compute()
    assert found.document_names == names
    whole = cs.score(
        {"0": key, "named": key, "2": response}, {"0": response, "named": key, "2": key}, window=5
    )
    assert found.per_document == whole.per_document and found.signature == whole.signature


# ---- What a tester found ----


def test_no_documents_in_place_of_mentions() -> None:
    """Entities with documents in their mentions are refused, not read as documents."""
    with pytest.raises(TypeError, match=r"expected the mentions of each document"):
        cs.score({"x": [("a", 0, 1), ("b", 2, 3)]}, {"x": [("a", 0, 1)]}, level="corpus")


def test_names_hold_across_topics_in_mentions_as_json(tmp_path: Path) -> None:
    """The ids of these formats are those of a corpus; one entity has mentions in two topics."""
    mention = '{{"doc_id": "{}", "topic": "{}", "tokens_ids": [1], "cluster_id": 2}}'
    key = written(tmp_path, "k.json", f"[{mention.format('d', 't')}, {mention.format('e', 'u')}]")
    table = "topic\tdoc_id\tmention_id\tcluster_id\nt\td\tm\ta\nu\te\tn\ta\n"
    for path in (key, written(tmp_path, "k.tsv", table)):
        found = cs.score(path, path, level="corpus", metrics="muc")
        assert found.muc.recall_counts == (1, 1)


@pytest.mark.parametrize("name", ["jsonl", "native", "json"])
def test_names_hold_where_the_user_says_so(name: str, tmp_path: Path) -> None:
    """The first entity of each document is the same, because that is what was declared."""
    corpus = cs.Corpus.from_clusters({"a": [[(0, 0)]], "b": [[(0, 0)]]})
    path = str(tmp_path / ("x.json" if name == "json" else "x.jsonl"))
    if name == "jsonl":
        documents = [{"name": each, "tokens": 1, "key": [[[0, 0]]]} for each in "ab"]
        Path(path).write_text(as_lines(documents, "key"))
    else:
        cs.write(corpus, path, name)
    read = cs.read(path, f"{name}:ids=corpus")
    assert cs.score(read, read, level="corpus", metrics="muc").muc.recall_counts == (1, 1)


def test_a_missing_document_in_one_window_is_read_back(tmp_path: Path) -> None:
    documents = [{"name": name, "tokens": 4, "key": [[[0, 0], [1, 1]]]} for name in "ab"]
    key = written(tmp_path, "key.jsonl", as_lines(documents, "key"))
    response = written(tmp_path, "response.jsonl", as_lines(documents[:1], "key"))
    path = str(tmp_path / "scores.json")
    score.run(key, response, "--window", "30", "--per-document", "--format", "json", "-o", path)
    found = stored_scores(path, None, cs.read(key), make_options(window=30))
    assert list(found.missing) == ["b"]


def test_windows_of_a_key_without_words_cannot_be_compared() -> None:
    key = {"x": [[(0, 0), (4, 4)]]}
    with pytest.raises(cs.InvalidInput, match=r"other windows.*depends on the response.*E502"):
        cs.compare(key, {"a": {"x": [[(0, 0), (9, 9)]]}, "b": key}, window=3, samples=9)


@pytest.mark.parametrize("options", [["--major"]], ids=" ".join)
def test_endless_side_files(options: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COREFSCOPE_MAX_LINE", "1000")
    status, message = score.refused(str(KEY), str(RESPONSES["sieve"]), *options, "/dev/zero")
    assert status == 3 and "[E119]" in message and message.count("[E") == 1


def test_a_gate_takes_one_size(tmp_path: Path) -> None:
    path = str(tmp_path / "base.json")
    sides = [str(KEY), str(RESPONSES["sieve"])]
    score.run(*sides, "--format", "json", "-o", path)
    status, message = Command("gate").refused(*sides, "--baseline", path, "--window", "50,100")
    assert status == 2 and "several sizes" in message


@pytest.mark.parametrize("options", [{"profile": "bookcoref-window:3"}, {"window": [3, 4]}])
def test_scorers_take_one_size(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected one size"):
        cs.Scorer(**options)


# ---- Major entities ----


@given(texts(), st.integers(1, 4))
def test_major_entities_equal_their_definition(text: Text, least: int) -> None:
    _, key, response = text
    if not any(len(entity) >= least for entity in key):
        with pytest.raises(cs.InvalidInput, match="E138"):
            cs.score(*corpora({"d": text}), major=least)
        return
    found = cs.score(*corpora({"d": text}), major=least).major
    assert found is not None
    best = brute_force.METRICS["ceafm"]([(key, response)]).recall
    assert len(found.entities) == sum(len(entity) >= least for entity in key)
    if least == 1:
        common = Fraction(sum(each.common for each in found.entities))
        assert common == best * sum(map(len, key)), "the alignment is that of CEAFm"
    for each in found.entities:
        entity = key[int(each.entity)]
        assert each.mentions == len(entity)
        if each.common:
            pairs = {(len(other), len(set(entity) & set(other))) for other in response}
            assert (each.response_mentions, each.common) in pairs
    shares = [2 * e.common / (e.mentions + e.response_mentions) for e in found.entities]
    assert found.macro == pytest.approx(sum(shares) / len(shares))
    weights = [e.mentions for e in found.entities]
    weighted = sum(w * f1 for w, f1 in zip(weights, shares, strict=True)) / sum(weights)
    assert found.weighted == pytest.approx(weighted)


def test_major_entities_of_a_file(tmp_path: Path) -> None:
    paths = [str(KEY), str(RESPONSES["sieve"])]
    document = "(demo/fiction/train); part 000"
    path = written(tmp_path, "major.tsv", f"{document}\t5\n")
    record = score.system_of(*paths, "--major", path)["major"]
    (entity,) = record["entities"]
    assert (entity["document"], entity["entity"], entity["mentions"]) == (document, "5", 18)
    assert record["macro"] == record["weighted"] == entity["f1"] == 12 / 24
    everywhere = score.system_of(*paths, "--major", written(tmp_path, "all.tsv", "0\n"))["major"]
    assert len(everywhere["entities"]) > 1
    assert {each["entity"] for each in everywhere["entities"]} == {"0"}
    table = score.printed(*paths, "--major", path)
    assert "macro mean" in table and "weighted mean" in table
    rows = list(
        csv.DictReader(io.StringIO(score.printed(*paths, "--major", path, "--format", "csv")))
    )
    assert [row["f1"] for row in rows if row["metric"].startswith("major")] == ["0.5", "0.5"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a\tb\tc\n", 1, "a document, a tab and an entity"),
        ("x\n\t5\n", 2, "a document, a tab and an entity"),
        ("\n", None, "names no entity"),
        ("nobody\n", None, "the key has no entity 'nobody'"),
        ("novel\t5\n", None, "the key has no document 'novel'"),
        ("(demo/fiction/train); part 000\t99\n", None, "of the key has no entity '99'"),
    ],
)
def test_bad_files_of_major_entities(
    text: str, line: int | None, said: str, tmp_path: Path
) -> None:
    path = written(tmp_path, "major.tsv", text)
    status, message = score.refused(str(KEY), str(RESPONSES["sieve"]), "--major", path)
    assert status == 3 and "[E138]" in message and said in message
    assert (f"major.tsv:{line}: " in message) == (line is not None)


def test_major_entities_that_no_document_has() -> None:
    status, message = score.refused(str(KEY), str(RESPONSES["sieve"]), "--major", "5000")
    assert status == 3 and "no entity has 5,000 mentions in one document" in message
    assert major_asked("5").least == 5
    assert Window(size=5).mark == "5"
