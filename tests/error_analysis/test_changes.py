"""What changed between two systems: every error of both lands in exactly one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefscope as cs
from annotated import NAME as RANDOM_NAME
from annotated import Annotated, annotated, corpora
from corefscope.corpus.mentions import Span
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import Analysis, ErrorRecord, ErrorType
from corefscope.error_analysis.changes import ChangeCounts, Changes, Exchange, changes
from corefscope.error_analysis.records import ConflatedEntities
from error_examples import TOWN_A, TOWN_B, TOWN_KEY, analyses, phrases, town
from evaluations import analysis_of

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")


def brief(errors: Iterable[ErrorRecord]) -> list[str]:
    """Type and words."""
    return [f"{error.type}: {', '.join(map(str, error.mentions))}" for error in errors]


def ids(errors: Iterable[ErrorRecord]) -> Counter[str]:
    return Counter(error.id for error in errors)


def exchanged(found: Changes) -> list[tuple[list[str], list[str]]]:
    return [(brief(exchange.before), brief(exchange.after)) for exchange in found.differently]


def of(folder: Path, lines: str) -> Changes:
    """Changes of noun phrases, one a line: words, type, entity in the key, before, after."""
    before, after = analyses(folder, *phrases(lines))
    return changes(before, after)


def check_sums(found: Changes) -> None:
    """All errors of both analyses are there, once."""
    before = [error for exchange in found.differently for error in exchange.before]
    after = [error for exchange in found.differently for error in exchange.after]
    assert ids([*found.fixed, *before, *found.unchanged]) == ids(found.before.records)
    assert ids([*found.unchanged, *after, *found.broken]) == ids(found.after.records)
    assert {type: counts.before for type, counts in found.by_type.items()} == found.before.errors
    assert {type: counts.after for type, counts in found.by_type.items()} == found.after.errors
    total = sum(found.by_type.values(), ChangeCounts())
    assert total == sum((d.counts for d in found.by_document), ChangeCounts()) == found.counts
    assert found.counts.net == len(found.after.records) - len(found.before.records)


def test_the_town(tmp_path: Path) -> None:
    """him is in the wrong entity in a only; dog and It: missing in a, a wrong boundary in b."""
    before, after = analyses(tmp_path, town(TOWN_KEY), town(TOWN_A), town(TOWN_B))
    found = changes(before, after)
    assert brief(found.fixed) == ["conflated_entities: him", "divided_entity: him"]
    assert brief(found.broken) == [
        "extra_mention: saw",
        "extra_entity: met, liked",
        "missing_mention: Anna",
    ]
    assert exchanged(found) == [(["missing_entity: a dog, It"], ["span_error: dog, a dog"])]
    assert found.unchanged == []
    assert found.counts == ChangeCounts(
        fixed=2, differently_before=1, unchanged=0, differently_after=1, broken=3
    )
    assert found.by_type["missing_entity"] == ChangeCounts(differently_before=1)
    assert found.by_type["span_error"] == ChangeCounts(differently_after=1)
    check_sums(found)


def test_mention_missing_in_both(tmp_path: Path) -> None:
    """Entities of the response have other names, and stand in another order."""
    lines = """
    Anna/NNP        PERSON  2  7  1
    the/DT town/NN  -       1  5  9
    she/PRP         -       2  7  1
    it/PRP          -       1  5  9
    a/DT place/NN   -       1  -  -
    """
    found = of(tmp_path, lines)
    assert brief(found.unchanged) == ["missing_mention: a place"]
    assert found.counts == ChangeCounts(unchanged=1)


def test_missing_mention_now_in_wrong_entity(tmp_path: Path) -> None:
    lines = """
    Anna/NNP  PERSON  1  1  1
    Bert/NNP  PERSON  2  2  2
    she/PRP   -       1  1  1
    he/PRP    -       2  2  2
    her/PRP   -       1  -  2
    """
    found = of(tmp_path, lines)
    assert exchanged(found) == [
        (["missing_mention: her"], ["conflated_entities: her", "divided_entity: her"])
    ]
    assert found.counts == ChangeCounts(differently_before=1, differently_after=2)


def test_part_joined_to_another_entity(tmp_path: Path) -> None:
    """her is apart from Anna's before and after: with Bert before, with Carl after."""
    lines = """
    Anna/NNP  PERSON  1  1  1
    Bert/NNP  PERSON  2  2  2
    Carl/NNP  PERSON  3  3  3
    she/PRP   -       1  1  1
    he/PRP    -       2  2  2
    him/PRP   -       3  3  3
    her/PRP   -       1  2  3
    """
    found = of(tmp_path, lines)
    assert exchanged(found) == [(["conflated_entities: her"], ["conflated_entities: her"])]
    assert brief(found.unchanged) == ["divided_entity: her"]
    assert found.before.records[0].id == found.after.records[0].id


def test_part_joined_to_another_spurious_mention(tmp_path: Path) -> None:
    lines = """
    Bert/NNP  PERSON  -  2  -
    Carl/NNP  PERSON  -  -  3
    Anna/NNP  PERSON  1  1  1
    Ada/NNP   PERSON  1  1  1
    she/PRP   -       1  2  3
    """
    found = of(tmp_path, lines)
    assert exchanged(found) == [(["conflated_entities: she"], ["conflated_entities: she"])]
    same = lines.replace("Carl/NNP  PERSON  -  -  3", "Carl/NNP  PERSON  -  -  -")
    found = of(tmp_path, same.replace("-  2  -\n", "-  2  3\n"))
    assert found.counts == ChangeCounts(unchanged=2)


def test_part_still_joined_to_the_same_entity(tmp_path: Path) -> None:
    """Bert joins Anna and Carl: of these Anna is the main part before, and Carl after."""
    lines = """
    Anna/NNP  PERSON  1  1  -
    Carl/NNP  PERSON  3  1  1
    Ada/NNP   PERSON  1  1  1
    Bert/NNP  PERSON  2  1  1
    he/PRP    -       2  2  2
    him/PRP   -       3  3  3
    """
    found = of(tmp_path, lines)
    assert brief(found.unchanged)[0] == "conflated_entities: Bert"
    assert brief(found.fixed) == ["conflated_entities: Carl"]
    assert brief(found.broken)[0] == "conflated_entities: Ada"


@pytest.mark.filterwarnings("ignore:.*W116")
def test_entity_with_fewer_missing_mentions(tmp_path: Path) -> None:
    """The id of what is missing names its first mention only, and stays the same."""
    lines = """
    Rome/NNP        GPE  1  -  -
    the/DT town/NN  -    1  -  -
    it/PRP          -    1  -  1
    its/PRP$        -    1  -  1
    """
    found = of(tmp_path, lines)
    first = "missing_entity: Rome, the town"
    assert exchanged(found) == [([f"{first}, it, its"], ["divided_entity: it, its", first])]
    assert found.before.records[0].id == found.after.records[1].id


def test_other_boundaries_of_one_mention(tmp_path: Path) -> None:
    """dog, and a dog with the full stop, are meant for one mention of the key."""
    before, after = analyses(
        tmp_path,
        town(TOWN_KEY),
        town(TOWN_KEY.replace("[3 a dog]", "a [3 dog]")),
        town(TOWN_KEY.replace("[3 a dog] .", "[3 a dog .]")),
    )
    found = changes(before, after)
    assert exchanged(found) == [(["span_error: dog, a dog"], ["span_error: a dog ., a dog"])]


def test_errors_linked_by_mentions_are_one_exchange(tmp_path: Path) -> None:
    """Two missing mentions before are one part that is divided after."""
    lines = """
    Anna/NNP       PERSON  1  1  1
    Ada/NNP        PERSON  1  1  1
    she/PRP        -       1  -  2
    the/DT boss/NN  -      1  -  2
    """
    found = of(tmp_path, lines)
    assert exchanged(found) == [
        (["missing_mention: she", "missing_mention: the boss"], ["divided_entity: she, the boss"])
    ]


def test_nothing_changed_against_itself() -> None:
    analysis, again = (cs.analyze(KEY, RESPONSES["recency"]) for _ in range(2))
    found = changes(analysis, again)
    assert (found.fixed, found.broken, found.differently) == ([], [], [])
    assert found.unchanged == analysis.records
    assert found.counts == ChangeCounts(unchanged=len(analysis.records))


@pytest.mark.parametrize("mode", ["standard", "berkeley"])
@pytest.mark.parametrize("singletons", ["drop", "keep"])
def test_the_demo_adds_up(mode: str, singletons: str) -> None:
    systems = {
        name: cs.analyze(KEY, path, mode=mode, singletons=singletons)  # type: ignore[arg-type]
        for name, path in RESPONSES.items()
    }
    for before in systems.values():
        for after in systems.values():
            check_sums(changes(before, after))


def test_documents_sorted_by_change() -> None:
    found = changes(*(cs.analyze(KEY, RESPONSES[name]) for name in ("recency", "sieve")))
    moves = [(abs(d.counts.net), d.counts.moved) for d in found.by_document]
    assert moves == sorted(moves, reverse=True)
    assert [d.name for d in found.documents] == [d.name for d in found.before.documents]
    assert list(found.by_type) == list(ErrorType)
    assert repr(found).startswith("<Changes in 10 documents: before ")


def two(first: str, second: str) -> tuple[str, str]:
    return town(first, "(one)"), town(second, "(two)")


def test_documents_are_paired_by_name(tmp_path: Path) -> None:
    """The key stands in another order, and so do its entities."""
    one, other = two(TOWN_KEY, TOWN_KEY), two(TOWN_KEY.translate({49: 51, 51: 49}), TOWN_KEY)
    (before,) = analyses(tmp_path, "".join(one), "".join(two(TOWN_A, TOWN_B)))
    (after,) = analyses(tmp_path, "".join(reversed(other)), "".join(two(TOWN_A, TOWN_KEY)))
    found = changes(before, after)
    assert [d.name for d in found.documents] == ["(one)", "(two)"]
    assert [d.counts for d in found.documents] == [
        ChangeCounts(unchanged=3),
        ChangeCounts(fixed=4),
    ]
    assert [d.name for d in found.by_document] == ["(two)", "(one)"]


def test_incomparable_analyses_are_refused(tmp_path: Path) -> None:
    gold, a = tmp_path / "gold.conll", tmp_path / "a.conll"
    gold.write_text(town(TOWN_KEY), encoding="utf-8")
    a.write_text(town(TOWN_A), encoding="utf-8")
    analysis = cs.analyze(gold, a)
    with pytest.raises(ValueError, match="different modes: 'standard' before, 'berkeley' after"):
        changes(analysis, cs.analyze(gold, a, mode="berkeley"))
    with pytest.raises(ValueError, match="different rules on singletons: 'drop' before, 'keep'"):
        changes(analysis, cs.analyze(gold, a, singletons="keep"))
    with pytest.raises(ValueError, match="different keys: the key entities of document"):
        changes(analysis, cs.analyze(a, a))


@quiet
def test_documents_of_only_one_analysis(tmp_path: Path) -> None:
    (single,) = analyses(tmp_path, town(TOWN_KEY, "(one)"), town(TOWN_A, "(one)"))
    key, a = "".join(two(TOWN_KEY, TOWN_KEY)), "".join(two(TOWN_A, TOWN_A))
    (both,) = analyses(tmp_path, key, a)
    with pytest.raises(ValueError, match=r"documents: '\(two\)' was analysed only after$"):
        changes(single, both)
    with pytest.raises(ValueError, match=r"documents: '\(two\)' was analysed only before$"):
        changes(both, single)
    path = tmp_path / "short.conll"
    path.write_text(town(TOWN_A, "(one)"), encoding="utf-8")
    full, short = (
        cs.analyze(tmp_path / "key.conll", response, mode="berkeley")
        for response in (tmp_path / "a.conll", path)
    )
    with pytest.raises(ValueError, match="only before; this mode leaves out documents that"):
        changes(full, short)


@quiet
def test_document_missing_from_response(tmp_path: Path) -> None:
    """him was in a wrong entity and is missing with the mayor; Anna is missing only now."""
    key, a = "".join(two(TOWN_KEY, TOWN_KEY)), "".join(two(TOWN_A, TOWN_A))
    before, after = analyses(tmp_path, key, a, town(TOWN_A, "(one)"))
    same, lacking = changes(before, after).documents
    assert same.counts == ChangeCounts(unchanged=3)
    assert lacking.counts == ChangeCounts(
        differently_before=2, unchanged=1, differently_after=1, broken=1
    )
    assert brief(lacking.unchanged) == ["missing_entity: a dog, It"]
    assert brief(lacking.broken) == ["missing_entity: Anna, She, Anna"]


@quiet
def test_mentions_by_id() -> None:
    """Other mentions of a response shift the places that mentions without a place have."""
    key = {"d": [["b", "d", "f"], ["x", "y"]]}
    before = cs.analyze(key, {"d": [["b", "d"], ["x", "y"]]})
    after = cs.analyze(key, {"d": [["x", "y", "z", "e"], ["d", "b"]]})
    found = changes(before, after)
    (old,), (new,) = ([e for e in a.records if str(e.mentions[0]) == "f"] for a in (before, after))
    assert old.mentions[0].number != new.mentions[0].number
    assert found.unchanged == [new]
    assert found.counts == ChangeCounts(unchanged=1, broken=len(after.records) - 1)


@quiet
def test_true_is_not_1() -> None:
    key = {"d": [["b", "d", ("t", True)], ["x", "y", ("t", 1)]]}
    before = cs.analyze(key, {"d": [["b", "d"], ["x", "y", ("t", 1)]]})
    after = cs.analyze(key, {"d": [["b", "d", ("t", True)], ["x", "y"]]})
    found = changes(before, after)
    assert brief(found.fixed) == ["missing_mention: ('t', True)"]
    assert brief(found.broken) == ["missing_mention: ('t', 1)"]
    swapped = cs.analyze({"d": [["b", "d", ("t", 1)], ["x", "y", ("t", True)]]}, key)
    with pytest.raises(ValueError, match="different keys"):
        changes(before, swapped)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("changes") / "text.conll"


CODES = st.lists(st.integers(-1, 3), min_size=15, max_size=15)
"""The entity after of each mention of the key and of the response; -1 if it is lost."""


def systems(document: Annotated, codes: list[int], path: Path) -> tuple[Analysis, Analysis]:
    """A document's own response, and one that has the same mentions otherwise."""
    key, response = corpora(document, path)
    spans = sorted({span for entity in (*document.key, *document.response) for span in entity})
    placed = list(zip(codes, spans, strict=False))
    clusters = [[s for code, s in placed if code == number] for number in range(4)]
    other = key.with_clusters({RANDOM_NAME: [entity for entity in clusters if entity]})
    return analysis_of(key, response), analysis_of(key, other)


@settings(max_examples=150)
@given(document=annotated(), codes=CODES)
def test_random_documents_add_up_and_swap(
    document: Annotated, codes: list[int], file: Path
) -> None:
    before, after = systems(document, codes, file)
    found, back = changes(before, after), changes(after, before)
    check_sums(found)
    assert brief(found.fixed) == brief(back.broken)
    assert brief(found.broken) == brief(back.fixed)
    assert ids(found.unchanged) == ids(back.unchanged)
    assert {(frozenset(old), frozenset(new)) for old, new in map(_ids, found.differently)} == {
        (frozenset(new), frozenset(old)) for old, new in map(_ids, back.differently)
    }
    assert {t: c.net for t, c in found.by_type.items()} == {
        t: -c.net for t, c in back.by_type.items()
    }


def _ids(exchange: Exchange) -> tuple[list[str], list[str]]:
    return [e.id for e in exchange.before], [e.id for e in exchange.after]


@settings(max_examples=150)
@given(document=annotated(), codes=CODES)
def test_random_documents_against_the_definition(
    document: Annotated, codes: list[int], file: Path
) -> None:
    """Every pair of errors is looked at: a mention in common, and not the same in both."""
    before, after = systems(document, codes, file)
    found = changes(before, after)
    same = [(a, b) for a in before.records for b in after.records if are_same(found, a, b)]
    assert ids(found.unchanged) == ids(error for _, error in same)
    gone = [set(e.spans()) for e in before.records if not any(e is one for one, _ in same)]
    new = [set(e.spans()) for e in after.records if not any(e is other for _, other in same)]
    assert len(found.fixed) == sum(not any(one & other for other in new) for one in gone)
    assert len(found.broken) == sum(not any(one & other for other in gone) for one in new)
    for exchange in found.differently:
        for error in exchange.before:
            assert any(set(error.spans()) & set(other.spans()) for other in exchange.after)


def are_same(found: Changes, one: ErrorRecord, other: ErrorRecord) -> bool:
    if (one.type, one.spans()) != (other.type, other.spans()):
        return False
    if not isinstance(one, ConflatedEntities):
        return True
    return bool(joined(found.before, one) & joined(found.after, other))


def joined(analysis: Analysis, error: ErrorRecord) -> set[frozenset[Span]]:
    """What a part is wrongly with: entities of the key, and spurious mentions."""
    (document,) = analysis.documents
    pair = document.transformation.pair
    entities = [frozenset(map(pair.span, entity)) for entity in pair.key]
    key = {mention: entity for entity in entities for mention in entity}
    entity = pair.response[list(pair.response_names).index(error.entity)]
    return {key.get(m, frozenset([m])) for m in map(pair.span, entity)} - {key[error.spans()[0]]}


@settings(max_examples=50)
@given(document=annotated(), codes=CODES)
def test_the_order_of_entities_does_not_matter(
    document: Annotated, codes: list[int], file: Path
) -> None:
    before, _ = systems(document, codes, file)
    key = before.matching.key
    again = key.with_clusters({RANDOM_NAME: document.response[::-1]})
    found = changes(before, analysis_of(key, again))
    assert found.counts == ChangeCounts(unchanged=len(before.records))
