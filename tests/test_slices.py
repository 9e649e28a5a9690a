"""Slices: every mention has one label, and the scores of slices follow from the labels.

The labels are worked out a second time in the simplest way, by looking at all pairs of mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from annotated import NAME, Annotated, annotated, corpora
from corefscope.breakdown.measure import AnaphorLinks, ByType, score_by_type
from corefscope.breakdown.slices import SLICES, nested
from corefscope.choices import SliceKind
from corefscope.corpus.mentions import Parts, joined
from corefscope.demo import KEY, RESPONSES
from corefscope.matching.matching import match_corpora
from corefscope.metrics import STANDARD
from corefscope.options import make_options
from universal_examples import KEYS, Document, Span, corpus, layers_of

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")

Entities = Sequence[Sequence[Span]]
Label = Callable[[str, Span, Entities], str]
"""The label of a mention, given its document and all entities of its side."""


def sliced(key: cs.Corpus, response: cs.Corpus, kind: SliceKind) -> ByType:
    options = make_options()
    matching = match_corpora(key, response, options.matching)
    return score_by_type(matching, "keep", kind, options.metrics)


def own(mention: Span, entities: Entities) -> list[Span]:
    """The mentions of its entity, in the order of the text."""
    return sorted(next(entity for entity in entities if mention in entity))


def size(_: str, mention: Span, entities: Entities) -> str:
    count = len(own(mention, entities))
    if count <= 2:
        return str(count)
    return "3-5" if count <= 5 else "6-10" if count <= 10 else "11+"


def distance(_: str, mention: Span, entities: Entities) -> str:
    entity = own(mention, entities)
    place = entity.index(mention)
    if place == 0:
        return "first"
    tokens = mention[0] - entity[place - 1][1]
    if tokens <= 50:
        return "0-10" if tokens <= 10 else "11-50"
    return "51-200" if tokens <= 200 else "201-1000"


def spread(_: str, mention: Span, entities: Entities) -> str:
    begins = [begin for begin, _ in own(mention, entities)]
    tokens = begins[-1] - begins[0]
    return "0-50" if tokens <= 50 else "51-200" if tokens <= 200 else "201-1000"


def is_inside(one: Span, other: Span) -> bool:
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def nesting(_: str, mention: Span, entities: Entities) -> str:
    others = [m for entity in entities for m in entity]
    inside = any(is_inside(mention, other) for other in others)
    outside = any(is_inside(other, mention) for other in others)
    return {(0, 0): "none", (1, 0): "inside", (0, 1): "outside"}.get((inside, outside), "both")


def labels_of(corpus: cs.Corpus, label: Label) -> dict[str, list[list[str]]]:
    found = {}
    for document in corpus:
        entities = [[(m.start, m.end) for m in entity] for entity in document.entities]
        found[document.name] = [[label(document.name, m, entities) for m in e] for e in entities]
    return found


def only(corpus: cs.Corpus, wanted: str, label: Label) -> cs.Corpus:
    """The corpus with the mentions of one label alone."""
    labels = labels_of(corpus, label)
    clusters: dict[str, list[list[Span]]] = {}
    for document in corpus:
        kept = [
            [(m.start, m.end) for m, own in zip(entity, names, strict=True) if own == wanted]
            for entity, names in zip(document.entities, labels[document.name], strict=True)
        ]
        clusters[document.name] = [entity for entity in kept if entity]
    return corpus.with_clusters(clusters)


def check_against_labels(
    key: cs.Corpus, response: cs.Corpus, kind: SliceKind, label: Label
) -> None:
    """Compare filtered scores and numbers of mentions with those of labels by hand."""
    found = sliced(key, response, kind)
    counts = [
        Counter(one for document in labels_of(side, label).values() for e in document for one in e)
        for side in (key, response)
    ]
    shown = set(found.filter) - set(SLICES[kind].always)
    assert shown <= {*counts[0], *counts[1]} <= set(found.filter)
    for name, scores in found.filter.items():
        assert found.mentions(name) == (counts[0][name], counts[1][name])
        expected = cs.score(only(key, name, label), only(response, name, label))
        for metric in STANDARD:
            assert scores[metric].recall_counts == pytest.approx(expected[metric].recall_counts)
            assert scores[metric].f1 == pytest.approx(expected[metric].f1)


def check_sums(key: cs.Corpus, response: cs.Corpus, kind: SliceKind) -> None:
    """The slices divide the mentions, so that what is attributed to them adds up to the whole."""
    found, whole = sliced(key, response, kind), cs.score(key, response)

    def total(scores: Iterable[cs.Score]) -> list[float]:
        rows = [(*score.recall_counts, *score.precision_counts) for score in scores]
        return [sum(column) for column in zip(*rows, strict=True)] or [0.0] * 4

    counts = [*whole.b3.recall_counts, *whole.b3.precision_counts]
    assert total(found.credit.values()) == pytest.approx(counts)
    muc = whole.muc
    anaphors = total(found.anaphor.values())
    assert anaphors[1] == muc.recall_counts[1] and anaphors[3] == muc.precision_counts[1]
    assert anaphors[0] == anaphors[2], "what is right is right on both sides"
    links: Sequence[AnaphorLinks] = list(found.links.values())
    assert sum(each.key for each in links) == muc.recall_counts[1]
    assert sum(each.response for each in links) == muc.precision_counts[1]
    assert sum(found.mentions(name)[0] for name in found.credit) == len(key.mention_entity)


BY_HAND: dict[SliceKind, Label] = {
    "entity-size": size,
    "distance": distance,
    "spread": spread,
    "nesting": nesting,
}
NO_LAYERS = [kind for kind in get_args(SliceKind) if kind not in ("upos", "relation")]


@pytest.mark.parametrize("kind", BY_HAND)
def test_slices_of_the_demo(kind: SliceKind) -> None:
    check_against_labels(cs.read(KEY), cs.read(RESPONSES["sieve"]), kind, BY_HAND[kind])


@pytest.mark.parametrize("kind", NO_LAYERS)
def test_slices_of_the_demo_add_up(kind: SliceKind) -> None:
    check_sums(cs.read(KEY), cs.read(RESPONSES["sieve"]), kind)


@settings(max_examples=60)
@given(text=annotated())
def test_slices_of_any_document(tmp_path_factory: pytest.TempPathFactory, text: Annotated) -> None:
    path = tmp_path_factory.mktemp("any") / "text.conll"
    key, response = corpora(text, path)
    for kind, label in BY_HAND.items():
        check_against_labels(key, response, kind, label)
    for kind in NO_LAYERS:
        check_sums(key, response, kind)
    assert key.document_names == (NAME,)


spans = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda ends: (min(ends), max(ends)))


tokens = st.sets(st.integers(0, 8), min_size=1, max_size=5)
"""Most of these mentions have gaps."""


def parts_of_tokens(mention: set[int]) -> Parts:
    return joined(tuple((token, token) for token in sorted(mention)))


@given(
    st.sets(st.one_of(spans.map(lambda span: (span,)), tokens.map(parts_of_tokens)), max_size=12)
)
def test_nested_mentions(mentions: set[Parts]) -> None:
    words = {parts: {t for a, b in parts for t in range(a, b + 1)} for parts in mentions}
    inside, outside = nested(mentions)
    assert inside == {m for m in mentions if any(words[m] < words[other] for other in mentions)}
    assert outside == {m for m in mentions if any(words[other] < words[m] for other in mentions)}


TEXTS = {name: layers_of(document.text) for name, document in KEYS.items()}


def head_of(name: str, mention: Span) -> int:
    """The first word whose head is outside; an empty node only if there is nothing else."""
    text = TEXTS[name]
    empty = {token for token, _, _ in text.empty}
    tokens = range(mention[0], mention[1] + 1)
    heads = [int(text.columns["heads"][token]) for token in tokens]
    outside = [t for t, h in zip(tokens, heads, strict=True) if h not in tokens and t not in empty]
    return (outside or [mention[0]])[0]


def zero(name: str, mention: Span, _: Entities) -> str:
    return "zero" if TEXTS[name].columns["words"][head_of(name, mention)] == "∅" else "overt"


def upos(name: str, mention: Span, _: Entities) -> str:
    return TEXTS[name].columns["tags"][head_of(name, mention)]


def relation(name: str, mention: Span, _: Entities) -> str:
    head = head_of(name, mention)
    graph = {token: deps.split(":", 1)[1] for token, _, deps in TEXTS[name].empty}
    return graph.get(head, TEXTS[name].columns["deprels"][head]).split(":")[0]


def entities_of(tokens: int) -> st.SearchStrategy[list[list[Span]]]:
    ends = st.integers(0, tokens - 1)
    span = st.tuples(ends, st.integers(0, 3)).map(
        lambda pair: (pair[0], min(pair[0] + pair[1], tokens - 1))
    )
    return st.lists(st.tuples(span, st.integers(0, 3)), unique_by=lambda pair: pair[0]).map(
        lambda pairs: [e for n in range(4) if (e := [span for span, own in pairs if own == n])]
    )


@settings(max_examples=40)
@given(st.data())
def test_slices_by_universal_dependencies(data: st.DataObject) -> None:
    tokens = {name: len(text.columns["words"]) for name, text in TEXTS.items()}
    key, response = (
        corpus(
            {
                name: Document(text=KEYS[name].text, key=data.draw(entities_of(count)))
                for name, count in tokens.items()
            }
        )
        for _ in range(2)
    )
    of_heads: dict[SliceKind, Label] = {"zero": zero, "upos": upos, "relation": relation}
    for kind, label in of_heads.items():
        check_against_labels(key, response, kind, label)
        check_sums(key, response, kind)


def test_slices_of_three_languages() -> None:
    """What a reader sees of the examples."""
    key = corpus(KEYS)
    zeros = sliced(key, key, "zero")
    assert {name: zeros.mentions(name) for name in zeros.filter} == {
        "overt": (18, 18),
        "zero": (3, 3),
    }
    assert list(zeros.filter) == ["overt", "zero"]
    assert list(sliced(key, key, "mention-type").filter) == ["name", "nominal", "pronoun", "zero"]
    heads = sliced(key, key, "upos")
    assert {name: heads.mentions(name)[0] for name in heads.filter} == {
        "PRON": 7,
        "NOUN": 7,
        "DET": 5,
        "PROPN": 2,
    }
    relations = sliced(key, key, "relation").filter
    assert {"nsubj", "obj", "det"} <= set(relations) and not any(":" in name for name in relations)
    types = sliced(key, key, "entity-type")
    assert {name: types.mentions(name)[0] for name in types.filter} == {
        "person": 7,
        "object": 1,
        "no name": 13,
    }


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["(nw/wsj/00/wsj_0001); part 000", "(bn/abc/00/abc_0001); part 000"], ["nw", "bn"]),
        (["GUM_academic_art", "GUM_bio_byron", "GUM_bio_dvorak"], ["academic", "bio", "bio"]),
        (["nw/wsj/00/a", "nw/wsj/01/b", "nw/wsj/01/c"], ["00", "01", "01"]),
        (["one", "two"], ["one", "two"]),
        (["nw_alone"], ["nw"]),
    ],
)
def test_genres_by_names(names: list[str], expected: list[str]) -> None:
    """The first part in which names differ."""
    whole = cs.Corpus.from_clusters({name: [[(0, 0), (2, 2)]] for name in names})
    found = sliced(whole, whole, "genre")
    assert found.kind == "genre"
    assert {name: found.mentions(name)[0] for name in found.filter} == {
        name: 2 * count for name, count in Counter(expected).items()
    }


def test_no_zero_is_no_row() -> None:
    assert list(sliced(cs.read(KEY), cs.read(KEY), "zero").filter) == ["overt"]
