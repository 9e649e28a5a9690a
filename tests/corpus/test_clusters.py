"""What Python callers pass as clusters: what is read, and what is refused with which advice."""

from __future__ import annotations

import warnings
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import corefscope as cs
from corefscope.corpus import Corpus
from corefscope.demo import KEY as DEMO_KEY
from corefscope.findings import AnyCode, Code

CLUSTERS: Any = [[(0, 1), (4, 4)], [(2, 2), (6, 8)]]
RECORD = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}

DOCUMENTS = r"\{document: clusters\}"
REFUSED: dict[str, tuple[Any, str]] = {
    "a list of documents": ([CLUSTERS, CLUSTERS], DOCUMENTS),
    "a list of documents of sets": ([[{(0, 1), (4, 4)}], [{(2, 2)}]], DOCUMENTS),
    "a list of documents of texts": ([[["a", "b"], ["c"]], [["a"]]], DOCUMENTS),
    "a list of documents of numbers": ([[[1, 2, 3], [4, 5]], [[6]]], DOCUMENTS),
    "a list of documents of triples": ([[[1, 2, 3], [4, 5, 6]], [[7, 8, 9]]], DOCUMENTS),
    "a list of documents of arrays": ([np.arange(9).reshape(3, 3)], DOCUMENTS),
    "a list of documents of tuples": ([[("a", "b"), ("c",)], [("a", "b", "c")]], DOCUMENTS),
    "a list of documents of tuples of one": ([[("a",), ("b",)], [("a",)]], DOCUMENTS),
    "a list of documents of tuples of numbers": ([[(1, 2, 3), (4,)], [(5, 6, 7)]], DOCUMENTS),
    "a list of documents whose entities are tuples": (
        [[((0, 0), (2, 3), (7, 7)), ((5, 5), (9, 9))], [((0, 1), (4, 4))]],
        DOCUMENTS + ".*corefscope.Mention",
    ),
    "a list of documents with a singleton": ([[((0, 0), (2, 3)), ((7, 7),)]], DOCUMENTS),
    "a record of clusters alone": ({"clusters": CLUSTERS}, DOCUMENTS + r".*record\['clusters'\]"),
    "a record of predictions alone": (
        {"predicted_clusters": CLUSTERS},
        DOCUMENTS + r".*record\['predicted_clusters'\]",
    ),
    "texts": (["abc", "de"], "'abc' instead of an entity.*list of entities"),
    "a text among entities": ([["a"], "bc"], "'bc' instead of an entity"),
    "a flat list of spans": ([(0, 1), (3, 4)], "flat list of spans"),
    "a flat list of spans as lists": ([[0, 0], [2, 3]], "flat list of spans"),
    "an array of spans": (np.array([[0, 1], [3, 4]]), "flat list of spans"),
    "numbers": ([1, 2, 3], "1 instead of an entity"),
    "nothing": (None, "None is not a list of entities"),
    "None as an entity": ([None], "None instead of an entity"),
    "None as a mention": ([[None]], "None instead of a mention"),
    "None in a mention": ([[(0, None)]], r"\(0, None\) instead of a mention"),
    "parts out of order": ([[((4, 5), (0, 1))]], "instead of a mention with gaps"),
    "a fraction": ([[(0, 1.5)]], r"1\.5\) instead of a mention"),
    "not a number": ([[(0, float("nan"))]], "instead of a mention"),
    "truth": ([[(True, 2)]], r"\(True, 2\) instead of a mention"),
    "a number": (7, "7 is not a list of entities"),
    "some entities by name": (
        {"d": {"e1": [(0, 1)]}, "x": CLUSTERS},
        r"document 'd': .*values\(\)",
    ),
    "a document that is None": ({"d": None}, "document 'd': None"),
    "documents by number": ({1: CLUSTERS}, "names of documents must be strings"),
}
ENTRANCES: dict[str, Callable[[Any], object]] = {
    "score": lambda given: cs.score(CLUSTERS, given),
    "score, as a key": lambda given: cs.score(given, CLUSTERS),
    "analyze": lambda given: cs.analyze(CLUSTERS, given),
    "nec": lambda given: cs.nec(CLUSTERS, given),
    "compare": lambda given: cs.compare(CLUSTERS, {"a": given, "b": CLUSTERS}),
    "make_report": lambda given: cs.make_report(CLUSTERS, {"a": given}),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_what_is_not_clusters_is_refused(case: str, entrance: str) -> None:
    given, message = REFUSED[case]
    with pytest.raises(TypeError, match=message):
        ENTRANCES[entrance](given)


RECORDS: dict[str, tuple[Any, str]] = {
    "a list of JSON records": ([RECORD], ""),
    "a JSON record": (RECORD, ""),
    "a record without a name": ({"tokens": ["a"], "clusters": [[[0, 0]]]}, ""),
}
"""Documents of JSON formats, which a scorer of clusters does not take."""


@pytest.mark.parametrize("given", [RECORD, [RECORD]], ids=["one", "a list"])
def test_a_record_is_a_document(given: Any) -> None:
    scores = cs.score([RECORD], given)
    assert scores["b3"].f1 == 1
    assert list(scores.document_names) == [RECORD["doc_key"]]


@pytest.mark.parametrize("case", [*REFUSED, *RECORDS])
def test_a_scorer_refuses_it_and_stays_as_it_was(case: str) -> None:
    scorer = cs.Scorer()
    scorer.update(CLUSTERS, CLUSTERS)
    given, _ = (REFUSED | RECORDS)[case]
    for sides in ((given, CLUSTERS), (CLUSTERS, given)):
        with pytest.raises(TypeError):
            scorer.update(*sides)
    assert scorer.compute().mentions.recall_counts == (4, 4)


class Tensor:
    """A number as torch has it: no int, equal to nothing, hashed by where it is."""

    ndim = 0

    def __init__(self, value: float) -> None:
        self.value = value

    def item(self) -> float:
        return self.value

    def __eq__(self, other: object) -> bool:
        raise AssertionError("a tensor was compared")

    __hash__ = object.__hash__

    def __iter__(self) -> Iterator[object]:
        raise TypeError("iteration over a 0-d tensor")


class Index:
    """A number that is only good as an index."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


@pytest.mark.parametrize(
    "number",
    [Tensor, Index, np.int64, np.uint8, np.array, float, np.float32],
    ids=lambda number: number.__name__,
)
def test_whole_numbers_of_any_type(number: Callable[[int], Any]) -> None:
    given = [[tuple(number(t) for t in span) for span in entity] for entity in CLUSTERS]
    corpus = Corpus.from_clusters({"d": given})
    assert corpus.mention_spans.tolist() == [[0, 1], [4, 4], [2, 2], [6, 8]]
    lists = [[list(span) for span in entity] for entity in given]
    assert cs.score(CLUSTERS, lists).conll == 1
    scorer = cs.Scorer()
    scorer.update(CLUSTERS, given)
    assert scorer.compute().conll == 1


@pytest.mark.parametrize("number", [Tensor, Index, np.int64, np.array])
def test_numbers_of_any_type_are_ids(number: Callable[[int], Any]) -> None:
    given = [[number(1), number(2), number(3)], [number(4)]]
    assert cs.score([[1, 2, 3], [4]], given).conll == 1


def test_arrays_of_spans_are_entities() -> None:
    assert cs.score(CLUSTERS, [np.array(entity) for entity in CLUSTERS]).conll == 1
    assert cs.score(CLUSTERS, np.array(CLUSTERS)).conll == 1


def test_what_holds_no_number_is_no_mention() -> None:
    with pytest.raises(TypeError, match="instead of"):
        cs.score(CLUSTERS, [[(np.array([0, 1]), np.array([2, 3]))]])


@pytest.mark.parametrize(
    "clusters",
    [
        [[1, 2], [4, 3]],
        [[1, 2], [3, 4], [5]],
        [{1, 2}, {3, 4}],
        [(1, 2), (3, 4, 5)],
        [["a", "b"], ["c", "d"]],
        [("a", "b"), ("c", "d")],
        [[("x", 1), ("y", 2)]],
        [[("d", "m1"), ("d", "m2")], [("e", "m1")]],
        [[("the", "cat"), ("the", "old", "cat")]],
        [[(0, 3, 3), (1, 0, 2)]],
        [[(0, 1), (4, 5, 8, 9)]],
        [dict.fromkeys("ab"), dict.fromkeys("c")],
        [range(2), range(2, 4)],
        [[1.5, 2.5], [3.5]],
    ],
    ids=repr,
)
def test_ids_of_all_sorts_are_clusters(clusters: Any) -> None:
    scores = cs.score(clusters, clusters)
    assert scores.mentions.f1 == 1
    assert not scores.findings
    scorer = cs.Scorer()
    scorer.update(clusters, clusters)
    assert not scorer.compute().findings


def found(scores: cs.Scores) -> list[tuple[AnyCode, str]]:
    """The codes of findings, and the side that each names."""
    sides = ("key", "response")
    return [
        (finding.code, next(side for side in sides if f"of the {side} " in finding.message))
        for finding in scores.findings
    ]


LIKE_SOMETHING_ELSE = [
    [[0, 1], [4, 5]],
    [[7, 8]],
    [[("a", "b"), ("c", "d")], [("e", "f")]],
    [[(0, 1, 2), (3, 4, 5)], [(6, 7, 8)]],
]


@pytest.mark.parametrize("clusters", LIKE_SOMETHING_ELSE, ids=repr)
def test_ids_that_look_like_spans(clusters: Any) -> None:
    both = [(Code.DOUBTFUL_CLUSTERS, "key"), (Code.DOUBTFUL_CLUSTERS, "response")]
    with pytest.warns(cs.CorefscopeWarning, match="W213"):
        scores = cs.score(clusters, clusters)
    assert scores.mentions.f1 == 1 and found(scores) == both
    scorer = cs.Scorer()
    for _ in range(2):
        scorer.update(clusters, clusters)
    with pytest.warns(cs.CorefscopeWarning, match="W213"):
        assert found(scorer.compute()) == both


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ({"a": [[0, 1], [4, 5]]}, {"a": [[0, 1, 4], [5, 6]]}),
        ({"a": [[0, 1]], "b": [[4, 5]]}, {"a": [[0, 1]], "b": [[4], [5, 6]]}),
        ({"a": [{0, 1}, {4, 5}]}, {"a": [[0, 1], [4, 5]]}),
        ({"a": [[("a", "b")]]}, {"a": [[("a", "b"), ("a", "c")]]}),
    ],
)
def test_one_clear_side_settles_the_other(key: Any, response: Any) -> None:
    assert not cs.score(key, response).findings
    assert not cs.score(response, key).findings
    scorers = [cs.Scorer(), cs.Scorer()]
    for name in key:
        scorers[0].update(key[name], response[name])
        scorers[1].update(response[name], key[name])
    for scorer in scorers:
        assert not scorer.compute().findings


Span = namedtuple("Span", "start end")


class Pair(Sequence[int]):
    """Two numbers in a type of one's own."""

    def __init__(self, *tokens: int) -> None:
        self.tokens = tokens

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, place: Any) -> Any:
        return self.tokens[place]


@pytest.mark.parametrize("kind", [Span, Pair, lambda *tokens: cs.Mention(tokens)])
def test_whatever_holds_two_numbers_is_a_span(kind: Callable[[int, int], Any]) -> None:
    given = [[kind(*mention) for mention in entity] for entity in CLUSTERS]
    text = Corpus.from_clusters({"d": CLUSTERS})
    assert cs.score(CLUSTERS, given).conll == 1
    assert cs.score(text, text.with_clusters({"d": given})).conll == 1
    scorer = cs.Scorer()
    scorer.update(given, CLUSTERS)
    assert scorer.compute().conll == 1


def test_the_entities_of_a_document_are_clusters() -> None:
    text = Corpus.from_clusters({"d": CLUSTERS})
    assert cs.score(CLUSTERS, text["d"].entities).conll == 1
    named = Corpus.from_clusters({"d": [["m1", "m2"], ["m3"]]})
    assert cs.score({"d": named["d"].entities}, named).conll == 1


def used_up() -> Iterator[Any]:
    generator: Iterator[Any] = iter(CLUSTERS)
    list(generator)
    return generator


@pytest.mark.parametrize("nothing", [used_up, list, lambda: [[]], lambda: [set(), set()]])
def test_a_side_without_a_mention_is_reported(nothing: Callable[[], Any]) -> None:
    none = Code.NO_MENTIONS
    with pytest.warns(cs.CorefscopeWarning, match="W116"):
        assert found(cs.score(CLUSTERS, nothing())) == [(none, "response")]
    assert found(cs.score(nothing(), CLUSTERS)) == [(none, "key")]
    assert found(cs.score(nothing(), nothing())) == [(none, "key"), (none, "response")]
    documents = {"a": CLUSTERS, "b": CLUSTERS}
    empty = {"a": nothing(), "b": nothing()}
    assert found(cs.score(documents, empty)) == [(none, "response")]
    assert not found(cs.score(documents, {"a": CLUSTERS, "b": list(nothing())}))
    text = Corpus.from_clusters(documents)
    other = text.with_clusters({"a": nothing(), "b": nothing()})
    assert [finding.code for finding in other.findings] == [none]
    assert not text.with_clusters({"a": CLUSTERS, "b": list(nothing())}).findings
    empty = {"a": nothing(), "b": nothing()}
    assert [finding.code for finding in Corpus.from_clusters(empty).findings] == [none]


def test_used_iterator_is_reported() -> None:
    gold = [[(0, 1), (3, 3)]]
    again = iter(gold)
    with pytest.warns(cs.CorefscopeWarning, match="a document of the response got a generator"):
        scores = cs.score({"a": gold, "b": gold}, {"a": again, "b": again})
    assert [finding.code for finding in scores.findings] == [Code.NOTHING_READ]
    scorer, again = cs.Scorer(), iter(gold)
    for _ in range(2):
        scorer.update(gold, again)
    with pytest.warns(cs.CorefscopeWarning, match="W210"):
        scorer.compute()
    inner = iter(gold[0])
    with pytest.warns(cs.CorefscopeWarning, match="W210"):
        cs.score({"a": gold, "b": gold}, {"a": [inner], "b": [inner]})
    fresh = {name: (entity for entity in gold) for name in "ab"}
    assert not cs.score({"a": gold, "b": gold}, fresh).findings


def test_no_document_is_reported_as_no_mention() -> None:
    scores = cs.score({"d": CLUSTERS}, {})
    assert [finding.code for finding in scores.findings] == [Code.NO_MENTIONS, Code.MISSING]
    assert "the response has no document" in scores.findings[0].message


def test_scorer_reports_empty_side_once() -> None:
    scorer, other = cs.Scorer(), cs.Scorer()
    assert [finding.code for finding in scorer.compute().findings] == [Code.NO_MENTIONS]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            scorer.update(CLUSTERS, [])
        other.update(CLUSTERS, CLUSTERS)
    for _ in range(2):
        with pytest.warns(cs.CorefscopeWarning, match="3 documents of the response.*W116"):
            assert found(scorer.compute()) == [(Code.NO_MENTIONS, "response")]
    other.merge(scorer)
    assert not other.compute().findings
    scorer.update(CLUSTERS, CLUSTERS)
    assert not scorer.compute().findings
    scorer.reset()
    assert [finding.code for finding in scorer.compute().findings] == [Code.NO_MENTIONS]


ATTEMPTS: list[Callable[[Any, Any], object]] = [
    cs.score,
    lambda key, response: cs.analyze({"d": key}, {"d": response}),
    lambda key, response: cs.Scorer().update(key, response),
]


@pytest.mark.parametrize("others", [[["m1", "m2"], ["m3"]], [[1, 2], [3]], [[("s", 1)]]])
@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_other_ids_against_spans_are_an_error(
    others: Any, attempt: Callable[[Any, Any], object]
) -> None:
    for sides in ((CLUSTERS, others), (others, CLUSTERS)):
        with pytest.raises(cs.InvalidInput, match=r"they cannot match \[E206\]"):
            attempt(*sides)


def test_nothing_can_be_scored_against_spans() -> None:
    assert cs.score(CLUSTERS, []).mentions.f1 == 0
    assert cs.score([[]], CLUSTERS).mentions.f1 == 0


TEXT = Corpus.from_clusters({"a": [[(0, 1)]], "b": []})


def test_clusters_of_unknown_document() -> None:
    with pytest.raises(cs.UnknownName, match="no document named 'c'"):
        TEXT.with_clusters({"a": [], "b": [], "c": []})
    with pytest.raises(TypeError, match=DOCUMENTS):
        TEXT.with_clusters(RECORD)


def test_clusters_outside_text() -> None:
    corpus = cs.read(DEMO_KEY)
    document = corpus[corpus.document_names[0]]
    clusters: dict[str, Any] = {name: [] for name in corpus.document_names}
    tokens = len(document)
    clusters[document.name] = [[(0, tokens - 1)]]
    assert corpus.with_clusters(clusters).findings == ()
    clusters[document.name] = [[(0, tokens)]]
    with pytest.raises(cs.InvalidInput, match=r"ends='exclusive' \[E113\]"):
        corpus.with_clusters(clusters)
    same = corpus.with_clusters(clusters, ends="exclusive")
    assert same.mention_spans.tolist() == [[0, tokens - 1]]


def test_documents_without_clusters() -> None:
    corpus = cs.read(DEMO_KEY)
    some = corpus.with_clusters({corpus.document_names[1]: [[(0, 0)]]})
    (finding,) = some.findings
    assert finding.code is Code.NOTHING_READ
    assert repr(corpus.document_names[0]) in finding.message
    assert f"{len(corpus) - 2} more" in finding.message
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert finding in cs.score(corpus, some).findings
    assert caught


@pytest.mark.parametrize(
    "labels",
    [
        np.array([7, 7, 2**62 - 1, 2**62 - 1, 3, 3]),
        np.array([7, 7, 2**63 - 1, 2**63 - 1, 3, 3]),
        np.array([7, 7, 2**64 - 1, 2**64 - 1, 2**63, 2**63], dtype=np.uint64),
        np.array([7, 7, 200, 200, 3, 3], dtype=np.uint8),
        [7, 7, 2**63, 2**63, 3, 3],
        [7, 7, 2**80, 2**80, 2**80 + 1, 2**80 + 1],
    ],
    ids=str,
)
@pytest.mark.parametrize("document", [None, [0, 4, 0, 4, 1, 3], [3, 3, 3, 3, 0, 0]])
def test_labels_of_any_size(labels: Any, document: Any) -> None:
    names = [f"d{n}" for n in range(5)]
    place = {} if document is None else {"document": document, "document_names": names}
    plain = Corpus.from_arrays([0, 0, 1, 1, 2, 2], **place)
    large = Corpus.from_arrays(labels, **place)
    assert cs.score(plain, large).conll == cs.score(plain, plain).conll
    assert cs.score(plain, large).ceafm.f1 == 1
    assert {str(label) for label in labels} == set(large.entity_labels)


def test_labellings_of_different_lengths() -> None:
    ten, nine = Corpus.from_arrays([0, 1] * 5), Corpus.from_arrays([0, 1] * 4 + [0])
    for sides in ((ten, nine), (nine, ten)):
        with pytest.raises(cs.InvalidInput, match="E202"):
            cs.score(*sides)
    with pytest.warns(cs.CorefscopeWarning, match="9 tokens; expected 10.*W204"):
        assert cs.score(ten, nine, tokens="ignore").mentions.recall_counts == (9, 10)
    spans = Corpus.from_arrays([0, 0], start=[1, 3], end=[2, 9])
    assert spans.document_tokens.tolist() == [-1]


def test_rows_without_start_are_tokens() -> None:
    labels, document = [5, 5, 7, 7, 5], [1, 0, 1, 0, 1]
    corpus = Corpus.from_arrays(labels, document=document, document_names=["a", "b", "c"])
    assert corpus.document_tokens.tolist() == [2, 3, 0]
    spans = {d.name: [(m.start, m.end) for e in d.entities for m in e] for d in corpus}
    assert spans == {"a": [(0, 0), (1, 1)], "b": [(0, 0), (2, 2), (1, 1)], "c": []}
    shorter = Corpus.from_arrays(labels[1:], document=document[1:], document_names=["a", "b", "c"])
    with pytest.raises(cs.InvalidInput, match=r"document 'b' has 2 tokens; expected 3.*E202"):
        cs.score(corpus, shorter)


@pytest.mark.parametrize("kind", [np.int64, np.uint8, object])
def test_a_masked_row_is_in_no_entity(kind: Any) -> None:
    labels = np.ma.masked_array([3, 3, 3, 8], mask=[False, False, True, False], dtype=kind)
    corpus = Corpus.from_arrays(labels)
    assert corpus.document_tokens.tolist() == [4]
    assert [[m.id for m in e] for e in corpus["0"].entities] == [[(0, 0), (1, 1)], [(3, 3)]]
    everything = np.ma.masked_array([3, 3], mask=True)
    assert [f.code for f in Corpus.from_arrays(everything).findings] == [Code.NO_MENTIONS]


@pytest.mark.parametrize("column", ["start", "end", "document"])
def test_a_masked_place_is_refused(column: str) -> None:
    places: Any = np.ma.masked_array([0, 1], mask=[False, True])
    with pytest.raises(ValueError, match=f"{column} has masked values.*mask its entity"):
        Corpus.from_arrays([1, 1], **{column: places})
    unmasked: Any = np.ma.masked_array([0, 1], mask=False)
    assert len(Corpus.from_arrays([1, 1], **{column: unmasked}).mention_entity) == 2


def test_negative_labels_beside_large_ones() -> None:
    corpus = Corpus.from_arrays([-1, 2**63, 2**63, -(2**70)])
    assert len(corpus.mention_entity) == 2
    for wrong in ([0.5, 1], [True, False], ["a"], [[1]]):
        with pytest.raises(ValueError, match="integers"):
            Corpus.from_arrays(wrong)


def test_hashes_as_labels_of_many_documents() -> None:
    random = np.random.default_rng(0)
    document = random.integers(0, 4096, 20_000)
    label = random.integers(0, 3, 20_000)
    hashes = random.integers(0, 2**16, (4096, 3)) * 2**46 + np.arange(3)
    plain = Corpus.from_arrays(label, document=document)
    hashed = Corpus.from_arrays(hashes[document, label], document=document)
    assert cs.score(plain, hashed).ceafe.f1 == 1


def test_a_few_mentions_with_gaps_are_only_doubtful() -> None:
    gapped: Any = [[((0, 0), (2, 3)), ((5, 5), (9, 9))]]
    with pytest.warns(cs.CorefscopeWarning, match=r"every mention of the key has several parts"):
        cs.score(gapped, gapped)
    scorer = cs.Scorer()
    scorer.update(gapped, gapped)
    with pytest.warns(cs.CorefscopeWarning, match=r"entities of several documents.*W213"):
        scorer.compute()


def test_mentions_with_gaps_that_are_meant() -> None:
    parts = [((0, 0), (2, 3)), ((5, 5), (9, 9)), ((11, 11), (13, 13))]
    meant: list[Any] = [[[cs.Mention(each) for each in parts]], [parts, [(20, 20)]]]
    for gapped in meant:
        scorer = cs.Scorer()
        scorer.update(gapped, gapped)
        assert scorer.compute().conll == cs.score(gapped, gapped).conll == 1
    one_of_many: Any = {"a": [parts], "b": CLUSTERS}
    assert cs.score(one_of_many, one_of_many).conll == 1
