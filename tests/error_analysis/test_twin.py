"""The twin of the error analysis agrees with itself, its specification and the published tool."""

from __future__ import annotations

import gzip
import json
from ast import literal_eval
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings

import corefscope as cs
import error_twin as twin
from annotated import NAME, Annotated, annotated, conll_text, corpora, expressible
from error_twin import Clustering, Parsed, Span

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "errors" / "cases.jsonl.gz"

needs_cases = pytest.mark.skipif(not CASES.exists(), reason="no cases beside this checkout")

TOOL_NAMES = {
    "Correct Span": "alter_span",
    "Introduce Mention": "introduce",
    "Split from Cluster": "split",
    "Merge into Cluster": "merge",
    "Remove Mention": "remove",
    "Span Error": "span_error",
    "Conflated Entities": "conflated_entities",
    "Extra Mention": "extra_mention",
    "Extra Entity": "extra_entity",
    "Divided Entity": "divided_entity",
    "Missing Mention": "missing_mention",
    "Missing Entity": "missing_entity",
}

Side = Callable[[twin.Clusters], Clustering]
sides = pytest.mark.parametrize("side", [twin.without_singletons, twin.clustering])
"""Both ways with singletons: dropped and kept."""


@dataclass(frozen=True)
class Toy:
    """One mention a token, a noun (n) or a pronoun (p)."""

    words: str

    @property
    def sentences(self) -> list[range]:
        return [range(len(self.words))]

    def head(self, span: Span) -> int:
        return span[1]

    def is_pronoun(self, span: Span) -> bool:
        return self.words[span[0]] == "p"


def tokens(clusters: str) -> Clustering:
    """Clusters of one-token mentions, as in `012 34`."""
    return twin.clustering([(int(at), int(at)) for at in each] for each in clusters.split())


@pytest.mark.parametrize(
    ("words", "gold", "system", "expected"),
    [
        ("npp", "12", "012", {"conflated_entities": 1}),
        ("npppppp", "135 246", "012 35 46", {"conflated_entities": 2, "divided_entity": 2}),
        ("nnpp", "23", "012", {"extra_entity": 1, "conflated_entities": 1, "missing_mention": 1}),
        ("nnnn", "23", "012", {"conflated_entities": 1, "extra_mention": 1, "missing_mention": 1}),
        ("nnnn", "13", "012", {"conflated_entities": 1, "extra_mention": 1, "missing_mention": 1}),
        ("pppp", "03", "012", {"extra_entity": 1, "missing_mention": 1}),
        ("ppp", "12", "012", {"conflated_entities": 1}),
        ("npp", "012", "12", {"divided_entity": 1}),
        ("npnp", "012", "13", {"missing_entity": 1, "divided_entity": 1, "extra_mention": 1}),
        ("pppp", "0123", "12", {"missing_entity": 1, "divided_entity": 1}),
        (
            "npnnn",
            "012",
            "134",
            dict.fromkeys(
                ["missing_entity", "divided_entity", "extra_entity", "conflated_entities"], 1
            ),
        ),
    ],
)
def test_quick_checks(words: str, gold: str, system: str, expected: dict[str, int]) -> None:
    """The first ten rows of the table of section 14; row 4 with each place of the valid noun."""
    done = twin.step_by_step(Toy(words), tokens(gold), tokens(system))
    assert done.errors == dict.fromkeys(twin.ERRORS, 0) | expected


def test_a_spurious_main_piece_stays_behind_alone_unless_it_is_deleted() -> None:
    """The second row of the table."""
    given = Toy("npppppp"), tokens("135 246"), tokens("012 35 46")
    last = "cumulative:missing_entity"
    assert twin.corrected(*given, "berkeley")[last] == tokens("0 135 246")
    assert twin.corrected(*given, "standard")[last] == tokens("135 246")


@pytest.mark.parametrize(("article", "expected"), [("the", 1), ("The", 0)])
def test_quick_check_of_trimming(article: str, expected: int) -> None:
    document = text(
        f"{article} DT (TOP(S(NP* | Acme NNP * | 's POS *) | saw VBD (VP* | Bob NNP (NP*))))"
    )
    gold, system = [[(0, 2), (4, 4)]], [[(1, 1), (4, 4)]]
    assert document.words[document.head((0, 2))] == "'s"
    done = twin.step_by_step(document, gold, system)
    assert done.errors["span_error"] == expected
    assert done.pairs == [((1, 1), (0, 2))] * expected


def test_quick_check_of_a_head_bucket_of_three() -> None:
    document = text("old JJ (TOP(NP* | big JJ (NP* | red JJ (NP* | dog NN *)))) | Bob NNP (NP*)")
    spans: list[Span] = [(0, 3), (1, 3), (2, 3)]
    assert {document.head(span) for span in spans} == {3}
    two = twin.alter_spans(document, [[(2, 3), (4, 4)]], [[(0, 3), (1, 3), (4, 4)]])
    assert two[0] == []
    one = twin.alter_spans(document, [[(2, 3), (4, 4)]], [[(0, 3), (4, 4)]])
    assert one == ([((0, 3), (2, 3))], twin.clustering([[(2, 3), (4, 4)]]))


def test_an_ambiguous_trim_class_pairs_the_closest_spans_and_leaves_the_others() -> None:
    document = text("the DT * | , , * | Acme NNP * | , , * | 's POS *")
    gold: list[list[Span]] = [[(0, 2), (2, 2)]]
    system: list[list[Span]] = [[(0, 4), (2, 3)]]
    classes = twin.ambiguous_classes(document, gold, system)
    assert classes == [(frozenset(system[0]), frozenset(gold[0]))]
    pairs, altered = twin.alter_spans(document, gold, system)
    assert pairs == [((2, 3), (2, 2))]
    assert altered == twin.clustering([[(0, 4), (2, 2)]])


def test_a_missing_gold_singleton_is_introduced_and_no_error() -> None:
    done = twin.step_by_step(Toy("nnn"), tokens("0 12"), tokens("12"))
    assert done.operations == dict.fromkeys(twin.OPERATIONS, 0) | {"introduce": 1}
    assert not any(done.errors.values())


def test_a_spurious_singleton_is_split_and_removed_and_no_error() -> None:
    done = twin.step_by_step(Toy("nnn"), tokens("12"), tokens("0 12"))
    assert done.operations == dict.fromkeys(twin.OPERATIONS, 0) | {"split": 1, "remove": 1}
    assert not any(done.errors.values())


@pytest.mark.parametrize(
    ("words", "gold", "system", "rows"),
    [
        ("ppn", "012", "012", {"yes_yes_same": 2}),
        ("pnn", "01", "02", {"yes_yes_different": 1}),
        ("npn", "12", "01", {"yes_no": 1}),
        ("pnpp", "01", "02", {"yes_no": 1}),
        ("pnnn", "01", "23", {"yes_absent": 1}),
        ("npn", "01", "12", {"no_yes": 1}),
        ("pnnn", "23", "01", {"absent_yes": 1}),
        ("np", "01", "01", {}),
        ("pp", "01", "01", {}),
    ],
)
def test_every_row_of_table_9(words: str, gold: str, system: str, rows: dict[str, int]) -> None:
    found = twin.cataphora(Toy(words), tokens(gold), tokens(system))
    assert found == dict.fromkeys(twin.CATAPHORA, 0) | rows


@sides
@settings(max_examples=400)
@given(annotated())
def test_the_closed_form_counts_what_the_steps_count(side: Side, drawn: Annotated) -> None:
    document, gold, system = document_of(drawn), side(drawn.key), side(drawn.response)
    done = twin.step_by_step(document, gold, system)
    found = twin.closed_form(document, gold, done.altered)
    assert done.operations == {"alter_span": len(done.pairs)} | found.operations
    assert done.errors == {"span_error": len(done.pairs)} | found.errors


@sides
@settings(max_examples=200)
@given(annotated())
def test_what_equals_gold_needs_nothing(side: Side, drawn: Annotated) -> None:
    document, gold = document_of(drawn), side(drawn.key)
    done = twin.step_by_step(document, gold, gold)
    assert not done.steps
    assert not done.found
    assert set(twin.corrected(document, gold, gold, "standard").values()) == {gold}


@settings(max_examples=400)
@given(annotated())
def test_all_repairs_together_give_gold(drawn: Annotated) -> None:
    """Berkeley's leave spurious singletons behind, and nothing else."""
    gold, system = map(twin.without_singletons, (drawn.key, drawn.response))
    last = "cumulative:missing_entity"
    assert twin.corrected(document_of(drawn), gold, system, "standard")[last] == gold
    rest = twin.corrected(document_of(drawn), gold, system, "berkeley")[last]
    assert rest >= gold
    assert all(len(cluster) == 1 for cluster in rest - gold)
    assert not twin.mentions(rest - gold) & twin.mentions(gold)


@settings(max_examples=150)
@given(annotated())
def test_with_singletons_kept_all_repairs_give_gold_but_for_its_missing_singletons(
    drawn: Annotated,
) -> None:
    document, gold, system = document_of(drawn), *map(twin.clustering, (drawn.key, drawn.response))
    altered = twin.alter_spans(document, gold, system)[1]
    found = {c for c in gold if len(c) > 1 or c <= twin.mentions(altered)}
    repaired = twin.corrected(document, gold, system, "standard")
    assert repaired["cumulative:missing_entity"] == found


@settings(max_examples=150)
@given(annotated())
def test_table_9_and_its_mirror_image_agree(drawn: Annotated) -> None:
    document, gold, system = document_of(drawn), drawn.key, drawn.response
    here, there = twin.cataphora(document, gold, system), twin.cataphora(document, system, gold)
    swapped = {"yes_no": "no_yes", "yes_absent": "absent_yes"}
    swapped |= {other: row for row, other in swapped.items()}
    assert here == {row: there[swapped.get(row, row)] for row in here}


@settings(max_examples=150)
@given(annotated())
def test_the_reader_reads_what_was_written(drawn: Annotated) -> None:
    assume(expressible(drawn.key))
    ((name, rows),) = twin.parts(conll_text(drawn, drawn.key)).items()
    assert name == ("test/0", "000")
    assert twin.parsed(rows) == document_of(drawn)
    assert twin.read_clusters(rows) == twin.clustering(drawn.key)


@settings(max_examples=150)
@given(annotated())
def test_every_drawn_parse_is_a_tree_with_its_head_inside(drawn: Annotated) -> None:
    trees = document_of(drawn).trees
    assert [tree.label for tree in trees] == ["TOP"] * len(drawn.sentences)
    assert [tree.span for tree in trees] == [(s[0], s[-1]) for s in drawn.sentences]
    assert all(tree.span[0] <= tree.head <= tree.span[1] for tree in trees)


@settings(max_examples=100)
@given(drawn=annotated())
def test_a_corpus_of_a_drawn_document_has_its_columns_and_its_clusters(
    drawn: Annotated, tmp_path_factory: pytest.TempPathFactory
) -> None:
    key, response = corpora(drawn, tmp_path_factory.mktemp("drawn") / "key.conll")
    document = key[NAME]
    assert (document.words, document.tags) == (drawn.words, drawn.tags)
    assert (document.parse, document.names) == (drawn.parse, drawn.names)
    assert document.sentences == drawn.sentences
    assert clusters_of(key) == twin.clustering(drawn.key)
    assert clusters_of(response) == twin.clustering(drawn.response)


@cache
def cases() -> list[dict[str, Any]]:
    if not CASES.exists():
        return []
    return [json.loads(line) for line in gzip.open(CASES, "rt", encoding="utf-8")]


@needs_cases
def test_all_cases_are_there() -> None:
    assert len(cases()) == 152


@needs_cases
@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["case"]))
def test_the_tool_counts_the_same(case: dict[str, Any]) -> None:
    assert counted(case, twin.without_singletons) == expected_of(case)
    assert counted(case, twin.clustering) == expected_of(case["keep_singletons"])


@needs_cases
@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["case"]))
def test_the_tool_finds_the_same_errors(case: dict[str, Any]) -> None:
    """As far as the beginnings of its rows of properties tell (section 10.2)."""
    key = twin.parts(case["key"])
    found: list[tuple[Any, ...]] = []
    for name, rows in twin.parts(case["response"]).items():
        document = twin.parsed(key[name])
        gold, system = map(twin.read_clusters, (key[name], rows))
        done = twin.step_by_step(document, gold, twin.without_singletons(system))
        found += [shown(document, gold, done, error) for error in done.found]
    printed = [literal_eval(row) for row in case["properties"]]
    assert Counter(found) == Counter(tuple(row[: LENGTHS[row[0]]]) for row in printed)


LENGTHS = {
    "span error": 3,
    "extra entity": 3,
    "missing entity": 3,
    "extra mention": 4,
    "missing mention": 4,
    "split": 5,
    "merge": 5,
}
"""How many fields of a row are compared."""


def shown(
    document: Parsed, gold: Clustering, done: twin.Transformation, error: twin.Error
) -> tuple[Any, ...]:
    """The beginning of the tool's row for an error."""
    kind, part = error
    words = kind.split("_")
    if kind == "span_error":
        pair = next(pair for pair in done.pairs if part == frozenset(pair))
        return "span error", *(sentence_span(document, span) for span in pair)
    if words[1] == "mention":
        return " ".join(words), words[0], type_of(document, min(part)), text_of(document, min(part))
    side = gold if words[0] in ("divided", "missing") else done.altered
    cluster = next(cluster for cluster in side if part <= cluster)
    if words[0] in ("extra", "missing"):
        return " ".join(words), words[0], len(part if words[0] == "extra" else cluster)
    key = "split" if kind == "conflated_entities" else "merge"
    text = text_of(document, min(part)) if len(part) == 1 else None
    return key, key, len(part), len(cluster - part), text


def type_of(document: Parsed, span: Span) -> str:
    """Pronoun, name or nominal (section 3)."""
    if document.is_pronoun(span):
        return "pronoun"
    return "name" if document.tags[document.head(span)] in ("NNP", "NNPS") else "nominal"


def text_of(document: Parsed, span: Span) -> str:
    return "_".join(document.words[span[0] : span[1] + 1]).lower()


def sentence_span(document: Parsed, span: Span) -> tuple[int, int, int]:
    """The tool's own spans: sentence, start, and end behind the last token."""
    number = next(at for at, sentence in enumerate(document.sentences) if span[0] in sentence)
    start = document.sentences[number][0]
    return number, span[0] - start, span[1] - start + 1


def counted(case: dict[str, Any], side: Side) -> dict[str, int]:
    """Operations and errors in all parts that the response has."""
    key = twin.parts(case["key"])
    total: Counter[str] = Counter(dict.fromkeys([*twin.OPERATIONS, *twin.ERRORS], 0))
    for name, rows in twin.parts(case["response"]).items():
        document, gold = twin.parsed(key[name]), side(twin.read_clusters(key[name]))
        done = twin.step_by_step(document, gold, side(twin.read_clusters(rows)))
        total.update(done.operations | done.errors)
    return dict(total)


def expected_of(counts: dict[str, dict[str, int]]) -> dict[str, int]:
    printed = counts["operations"] | counts["errors"]
    return {TOOL_NAMES[name]: count for name, count in printed.items()}


def text(columns: str) -> Parsed:
    """A sentence of words, tags and parse bits, as in `Bob NNP (NP*) | ran VBD *`."""
    rows = [token.split() for token in columns.split(" | ")]
    words, tags, parse = ([row[at] for row in rows] for at in range(3))
    return Parsed(words, tags, parse, [range(len(words))])


def document_of(drawn: Annotated) -> Parsed:
    return Parsed(drawn.words, drawn.tags, drawn.parse, drawn.sentences)


def clusters_of(corpus: cs.Corpus) -> Clustering:
    return twin.clustering(
        [(mention.start, mention.end) for mention in entity] for entity in corpus[NAME].entities
    )
