"""What ``stats`` counts, on a corpus counted by hand and against brute force."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from pathlib import Path
from statistics import mean, median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from corefscope.corpus.description import Description, Spread, describe, description_table
from corefscope.corpus.mentions import Clusters, Parts, joined
from corefscope.results.table import as_text
from strategies import Span, SpanDocument, conll_text, span_documents

CONLL = """#begin document (a)
0\tShe\t(1)
1\tsaw\t-
2\tthe\t(2
3\tdog\t-
4\tof\t-
5\ther\t(3|(1)
6\tfriend\t2)|3)
7\tand\t-
8\tit\t(2)
9\tbarked\t-
#end document
#begin document (b)
0\tNobody\t-
1\tcame\t-
#end document
#begin document (c)
0\tone\t(7
1\ttwo\t(8
2\tthree\t7)
3\tfour\t8)
4\tfive\t(7)
#end document
"""
"""In (a), 1 is at 0 and 5, 2 at 2–6 and 8, 3 at 5–6; in (c), 7 is at 0–2 and 4 and crosses 8."""


@pytest.fixture
def by_hand(tmp_path: Path) -> Description:
    path = tmp_path / "hand.conll"
    path.write_text(CONLL, encoding="utf-8")
    return describe(cs.read(str(path)))


def test_things_are_counted(by_hand: Description) -> None:
    assert by_hand.path is not None and by_hand.path.endswith("hand.conll")
    assert by_hand.documents == 3
    assert by_hand.tokens == 17
    assert by_hand.mentions == 8
    assert by_hand.entities == 5
    assert by_hand.singletons == 2


def test_entities_are_counted_by_size(by_hand: Description) -> None:
    assert by_hand.entity_sizes == Spread(mean=1.6, median=2.0, ninety_percent=2.0, largest=2)
    assert by_hand.size_classes == {
        "1": 2,
        "2": 3,
        "3–5": 0,
        "6–10": 0,
        "11–50": 0,
        "over 50": 0,
    }


def test_mentions_are_measured_in_tokens(by_hand: Description) -> None:
    """1, 1; 5, 1; 2 tokens in (a), 3, 1; 3 tokens in (c)."""
    lengths = by_hand.mention_lengths
    assert lengths is not None
    assert lengths.mean == 17 / 8
    assert lengths.median == 1.5
    assert lengths.largest == 5


def test_nested_and_crossing_mentions(by_hand: Description) -> None:
    """Her in her friend in the dog of her friend."""
    assert by_hand.nested == 2
    assert by_hand.deepest == 2
    assert by_hand.crossing == 1


def test_distances_within_entities(by_hand: Description) -> None:
    """5 tokens from She to her, 6 from the dog to it, 4 from one to five."""
    distances = by_hand.distances
    assert distances is not None
    assert (distances.mean, distances.median, distances.largest) == (5, 5, 6)
    assert distances.ninety_percent == pytest.approx(5.8)


@pytest.mark.parametrize(
    ("size", "name"),
    [
        (1, "1"),
        (2, "2"),
        (3, "3–5"),
        (5, "3–5"),
        (6, "6–10"),
        (10, "6–10"),
        (11, "11–50"),
        (50, "11–50"),
        (51, "over 50"),
        (500, "over 50"),
    ],
)
def test_every_size_has_its_class(size: int, name: str) -> None:
    classes = describe(cs.Corpus.from_clusters({"d": [range(size)]})).size_classes
    assert {each: count for each, count in classes.items() if count} == {name: 1}


def test_mentions_without_positions() -> None:
    description = describe(cs.Corpus.from_clusters({"d": [list("abc"), list("de"), ["f"]]}))
    assert (description.mentions, description.entities, description.singletons) == (6, 3, 1)
    assert description.tokens is None
    assert description.mention_lengths is None
    assert description.nested is None
    assert description.deepest is None
    assert description.crossing is None
    assert description.distances is None


def test_spans_without_a_text_have_no_tokens() -> None:
    description = describe(cs.Corpus.from_clusters({"d": [[(0, 3), (1, 2)]]}))
    assert description.tokens is None
    assert description.nested == 1


def test_an_empty_corpus_can_be_described() -> None:
    nothing: list[dict[str, Clusters]] = [{}, {"d": []}, {"d": [[]]}]
    for documents in nothing:
        description = describe(cs.Corpus.from_clusters(documents))
        assert description.documents == len(documents)
        assert (description.mentions, description.entities, description.singletons) == (0, 0, 0)
        assert description.entity_sizes is None
        assert set(description.size_classes.values()) == {0}


def test_repeated_mention_is_not_nested() -> None:
    description = describe(cs.Corpus.from_clusters({"d": [[(0, 1), (4, 4)], [(0, 1)]]}))
    assert description.mentions == 3
    assert description.nested == 0
    assert description.deepest == 0


def test_no_nesting_across_documents() -> None:
    corpus = cs.Corpus.from_clusters({"a": [[(0, 9)]], "b": [[(1, 2)]], "c": [[(5, 12)]]})
    description = describe(corpus)
    assert (description.nested, description.deepest, description.crossing) == (0, 0, 0)


corpora = st.lists(span_documents(shared_starts=True), min_size=1, max_size=3).map(
    lambda documents: {f"({number})": document for number, document in enumerate(documents)}
)


@settings(max_examples=300)
@given(corpora)
def test_nesting_and_distances_equal_brute_force(
    corpus: dict[str, SpanDocument],
) -> None:
    description = describe(
        cs.Corpus.from_clusters({name: each.entities for name, each in corpus.items()})
    )
    depths, crossing, distances = [0], 0, []
    for document in corpus.values():
        spans = [span for entity in document.entities for span in entity]
        depths += [sum(lies_in(span, other) for other in spans) for span in spans]
        crossing += sum(cross(*pair) for pair in combinations(spans, 2))
        for entity in document.entities:
            starts = sorted(start for start, _ in entity)
            distances += [there - here for here, there in pairwise(starts)]
    assert description.nested == sum(depth > 0 for depth in depths)
    assert description.deepest == max(depths)
    assert description.crossing == crossing
    is_spread_of(description.distances, distances)


def lies_in(span: Span, other: Span) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def cross(one: Span, other: Span) -> bool:
    tokens, others = set(range(one[0], one[1] + 1)), set(range(other[0], other[1] + 1))
    return bool(tokens & others) and not tokens <= others and not others <= tokens


@settings(max_examples=100)
@given(corpora)
def test_sizes_and_lengths_equal_brute_force(corpus: dict[str, SpanDocument]) -> None:
    entities = [entity for document in corpus.values() for entity in document.entities]
    description = describe(
        cs.Corpus.from_clusters({name: each.entities for name, each in corpus.items()})
    )
    is_spread_of(description.entity_sizes, [len(entity) for entity in entities])
    lengths = [end - start + 1 for entity in entities for start, end in entity]
    is_spread_of(description.mention_lengths, lengths)
    assert description.mentions == len(lengths)
    assert description.entities == len(entities)
    assert description.singletons == sum(len(entity) == 1 for entity in entities)
    assert sum(description.size_classes.values()) == len(entities)


@settings(max_examples=50)
@given(corpora)
def test_description_of_a_file(
    tmp_path_factory: pytest.TempPathFactory, corpus: dict[str, SpanDocument]
) -> None:
    path = tmp_path_factory.mktemp("stats") / "corpus.conll"
    path.write_text(conll_text(corpus), encoding="utf-8")
    found = describe(cs.read(str(path)))
    spans = describe(
        cs.Corpus.from_clusters({name: each.entities for name, each in corpus.items()})
    )
    assert found.tokens == sum(document.tokens for document in corpus.values())
    assert figures(found) == figures(spans)


def figures(description: Description) -> Mapping[str, object]:
    named = {name: getattr(description, name) for name in Description.__struct_fields__}
    return {name: value for name, value in named.items() if name not in ("path", "tokens")}


def is_spread_of(found: Spread | None, values: list[int]) -> None:
    if not values:
        assert found is None
        return
    assert found is not None
    assert found.mean == pytest.approx(mean(values))
    assert found.median == median(values)
    assert found.largest == max(values)
    assert found.median <= found.ninety_percent <= found.largest
    assert sum(value <= found.ninety_percent for value in values) >= 0.9 * (len(values) - 1)


def test_deep_nesting_is_not_quadratic() -> None:
    """20,000 mentions, each around the one before, and 20,000 side by side."""
    depth = np.arange(20_000)
    nested = describe(cs.Corpus.from_arrays(depth // 2, start=20_000 - depth, end=20_000 + depth))
    assert (nested.nested, nested.deepest, nested.crossing) == (19_999, 19_999, 0)
    apart = describe(cs.Corpus.from_arrays(depth // 2))
    assert (apart.nested, apart.deepest, apart.crossing) == (0, 0, 0)


TABLE = """\
                                       hand
-------------------------------------------
documents                                 3
tokens                                   17
mentions                                  8
entities                                  5
  singletons                              2
  of 2 mentions                           3
  of 3–5 mentions                         0
  of 6–10 mentions                        0
  of 11–50 mentions                       0
  of over 50 mentions                     0
entity size, mean                      1.60
entity size, median                    2.00
entity size, 90 %                      2.00
entity size, largest                      2
mention length, mean                   2.12
mention length, median                 1.50
mention length, 90 %                   3.60
mention length, largest                   5
nested mentions                           2
  deepest nesting                         2
crossing pairs of mentions                1
distance to the next mention, mean     5.00
distance to the next mention, median   5.00
distance to the next mention, 90 %     5.80
distance to the next mention, largest     6
"""


def test_every_figure_is_in_the_table(by_hand: Description) -> None:
    assert as_text(description_table([by_hand], ["hand"])) == TABLE


# ---- Gaps ----


def test_words_in_a_gap_are_not_words_of_the_mention() -> None:
    """The first mention has four tokens, two of them before its gap; 2–3 is in the gap."""
    gapped = ((0, 1), (4, 5))
    description = describe(cs.Corpus.from_clusters({"d": [[gapped, (2, 3)], [(4, 5), (0, 5)]]}))
    assert description.mention_lengths is not None
    assert description.mention_lengths.mean == (4 + 2 + 2 + 6) / 4
    # Inside 0–5 are all others, and in the mention with the gap is 4–5.
    assert (description.nested, description.deepest, description.crossing) == (3, 2, 0)


def test_a_gap_can_make_a_crossing_pair() -> None:
    description = describe(cs.Corpus.from_clusters({"d": [[((0, 1), (4, 5)), (1, 2)]]}))
    assert (description.nested, description.deepest, description.crossing) == (0, 0, 1)


parted = st.sets(st.integers(0, 9), min_size=1, max_size=6).map(
    lambda words: joined(tuple((word, word) for word in sorted(words)))
)


@given(st.lists(st.lists(parted, max_size=6, unique=True), min_size=1, max_size=3))
def test_nesting_of_word_sets_equals_brute_force(documents: list[list[Parts]]) -> None:
    ids = [[parts if len(parts) > 1 else parts[0] for parts in each] for each in documents]
    corpus = cs.Corpus.from_clusters({str(n): [each] for n, each in enumerate(ids)})
    description = describe(corpus)
    depths, crossing, sizes = [0], 0, []
    for document in documents:
        sets = [{t for a, b in parts for t in range(a, b + 1)} for parts in document]
        sizes += [len(words) for words in sets]
        depths += [sum(words < other for other in sets) for words in sets]
        crossing += sum(
            bool(one & other) and not one <= other and not other <= one
            for one, other in combinations(sets, 2)
        )
    assert (description.nested, description.deepest) == (sum(d > 0 for d in depths), max(depths))
    assert description.crossing == crossing
    is_spread_of(description.mention_lengths, sizes)
