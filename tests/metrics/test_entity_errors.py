"""Errors of each key entity, and estimates from a sample, from their definitions with sets."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction as F
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope as cs
from commands import Command

Entity = frozenset[Hashable]
Clustering = Sequence[Entity]
SCORE = Command("score")
RESPONSE = "1 1 2 3 2 4 4 4"
SAMPLE = [{"r1", "r2", "r3"}, {"r4", "r5"}, {"r8"}]


def clustering(labels: Sequence[int]) -> list[Entity]:
    """The entities of records r1, r2, …; a record with the label 0 is in none."""
    return [
        frozenset(f"r{place}" for place, label in enumerate(labels, start=1) if label == each)
        for each in dict.fromkeys(labels)
        if each
    ]


WHOLE = clustering([int(label) for label in RESPONSE.split()])
LABELS = st.lists(st.integers(0, 4), min_size=8, max_size=8)


def mean(values: Iterable[F | int]) -> F | None:
    numbers = [F(value) for value in values]
    return sum(numbers, F(0)) / len(numbers) if numbers else None


def errors(entity: Entity, response: Clustering) -> dict[str, Any]:
    """The errors of an entity, record by record."""
    of = {record: other for other in response for record in other}
    found = [of[record] for record in entity if record in of]
    missing = [entity - of.get(record, frozenset()) for record in entity]
    parts = [F(len(entity & other), len(found)) for other in set(found)]
    return {
        "size": len(entity),
        "found": len(found),
        "exact": int(entity in set(response)),
        "extra": mean(len(other - entity) for other in found),
        "relative_extra": mean(F(len(other - entity), len(other)) for other in found),
        "missing": mean(len(rest) for rest in missing),
        "relative_missing": mean(F(len(rest), len(entity)) for rest in missing),
        "size_difference": mean(len(other) - len(entity) for other in found),
        "splitting_entropy": exp(-sum(p * log(p) for p in parts)) if parts else None,
    }


def links(entity: Iterable[Hashable]) -> int:
    number = len(list(entity))
    return number * (number - 1) // 2


def estimate(above: Sequence[F], below: Sequence[F]) -> tuple[float | None, float | None]:
    """The ratio of means and its standard deviation, as the formulas have them."""
    n, d = F(sum(above, F(0)), len(above)), F(sum(below, F(0)), len(below))
    if not d:
        return None, None
    if len(above) == 1:
        return float(n / d), None
    if not n:
        return 0.0, 0.0
    pairs = list(zip(above, below, strict=True))
    bias = sum(b * (a / n - b / d) for a, b in pairs) / len(pairs) / ((len(pairs) - 1) * d)
    spread = sum((b / d - a / n) ** 2 for a, b in pairs) / (len(pairs) * (len(pairs) - 1))
    return float((1 + bias) * n / d), float(n / d) * sqrt(spread)


def estimates(
    key: Clustering, response: Clustering, sample: str
) -> dict[tuple[str, str], tuple[float | None, float | None]]:
    """All estimates, with the weights of the sample."""
    of = {record: other for other in response for record in other}
    columns: dict[tuple[str, str], list[tuple[F, F]]] = {}
    for entity in key:
        weight = F(1) if sample == "entities" else F(1, len(entity))
        right = sum(links(entity & other) for other in response)
        wrong = F(sum(len(of[record] - entity) for record in entity if record in of), 2)
        found = errors(entity, response)
        terms = {
            ("pairwise", "recall"): (F(right), F(links(entity))),
            ("pairwise", "precision"): (F(right), right + wrong),
            ("b3", "recall"): (1 - found["relative_missing"], F(1)),
            ("b3", "precision"): (1 - found["relative_extra"], F(1))
            if found["found"]
            else (F(0), F(0)),
        }
        for name, (above, below) in terms.items():
            columns.setdefault(name, []).append((above * weight, below * weight))
    return {
        name: estimate([a for a, _ in column], [b for _, b in column])
        for name, column in columns.items()
    }


def test_the_published_example() -> None:
    found = cs.score(SAMPLE, WHOLE, key_is_sample="entities").estimates["pairwise"]
    assert [round(each, 4) for each in found["precision"] if each] == [0.3889, 0.2546]
    assert [round(each, 4) for each in found["recall"] if each] == [0.2969, 0.1083]


def test_the_published_example_of_macro_b3() -> None:
    key = clustering([1, 1, 1, 2, 2, 3, 3, 4])
    found = cs.score(key, WHOLE, metrics="b3_macro").b3_macro
    assert (round(found.precision, 4), round(found.recall, 4)) == (0.6458, 0.7639)
    assert round(found.f1, 4) == 0.6999


@given(LABELS.filter(any), LABELS.filter(any))
def test_errors_of_entities(key: list[int], response: list[int]) -> None:
    gold, theirs = clustering(key), clustering(response)
    found = cs.score(gold, theirs, per_entity=True).entities
    assert found is not None
    for entity, row in zip(gold, found.rows(), strict=True):
        for name, value in errors(entity, theirs).items():
            expected = None if value is None else pytest.approx(float(value), abs=1e-12)
            assert row[name] == expected, name


@given(LABELS.filter(any), LABELS.filter(any), st.sampled_from(["entities", "records"]))
def test_estimates(
    key: list[int], response: list[int], sample: Literal["entities", "records"]
) -> None:
    gold, theirs = clustering(key), clustering(response)
    found = cs.score(gold, theirs, key_is_sample=sample).estimates
    for (metric, figure), expected in estimates(gold, theirs, sample).items():
        for one, other in zip(found[metric][figure], expected, strict=True):
            assert one == (None if other is None else pytest.approx(other, abs=1e-9)), metric


def test_a_perfect_response_has_no_error() -> None:
    found = cs.score(WHOLE, WHOLE, key_is_sample="records", per_entity=True)
    for figures in found.estimates.values():
        assert all(tuple(each) == (1, 0) for each in figures.values())
    assert found.entities is not None
    assert found.entities.relative_extra.tolist() == [0] * 4 == found.entities.missing.tolist()
    assert found.entities.is_exact.tolist() == [1] * 4


def files(folder: Path) -> list[str]:
    """The example as two tables, and their formats."""
    sample, whole = folder / "sample.csv", folder / "all.csv"
    rows = [f"{record},{label}" for label, c in enumerate(SAMPLE) for record in sorted(c)]
    sample.write_text("\n".join(["record_id,cluster_id", *rows]) + "\n")
    rows = [f"r{place},{label}" for place, label in enumerate(RESPONSE.split(), start=1)]
    whole.write_text("\n".join(["record_id,cluster_id", *rows]) + "\n")
    return [str(sample), str(whole)]


@pytest.mark.parametrize("format", ["tables", "pairs"])
def test_the_command(format: str, tmp_path: Path) -> None:
    arguments = [*files(tmp_path), "--key-format", format, "--response-format", format]
    arguments += ["--key-is-sample", "entities", "--per-entity"]
    table = SCORE.run(*arguments).stdout
    assert "29.69           10.83" in table and "38.89           25.46" in table
    assert "Mentions" not in table and "splitting entropy" in table
    record = json.loads(SCORE.run(*arguments, "--format", "json").stdout)["systems"][0]
    assert round(record["estimates"]["pairwise"]["recall"]["value"], 4) == 0.2969
    assert [each["entity"] for each in record["entities"]] == ["0", "1", "2"]
    lines = SCORE.run(*arguments, "--format", "csv").stdout.splitlines()
    assert len(lines) == 4 and lines[0].startswith("system,document,entity,size,found,exact,extra")
    estimated = SCORE.run(*arguments[:-1], "--format", "csv").stdout
    assert "estimated_pairwise_recall,,,0.296875" in estimated


@pytest.mark.parametrize(
    "option", ["--per-document", "--crac", "--by=entity-size", "--format=reference"]
)
def test_what_cannot_be_combined(option: str, tmp_path: Path) -> None:
    result = SCORE.run(*files(tmp_path), "--per-entity", option)
    assert result.exit_code == 2 and "--per-entity cannot be combined" in result.stderr


def test_the_worst_entities_are_listed(tmp_path: Path) -> None:
    """In tables for people, and at most a hundred; CSV has all, in the order of the key."""
    key = [f"r{n},e{n // 2}" for n in range(240)]
    # Of entity 7, one record is elsewhere; the records of entity 99 are both alone.
    response = [*key[:15], "r15,x", *key[16:198], "r198,y", "r199,z", *key[200:]]
    paths = []
    for name, rows in (("key", key), ("response", response)):
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(["mention_id,cluster_id", *rows]) + "\n", encoding="utf-8")
        paths.append(str(path))
    shown = SCORE.run(*paths, "--per-entity").stdout.split("errors by key entity")[1].splitlines()
    entities = [line.split()[1] for line in shown if line.startswith("key ")]
    assert entities[:3] == ["e7", "e99", "e0"] and len(entities) == 100
    assert "and 20 entities with fewer errors; CSV and JSON list all" in "\n".join(shown)
    listed = SCORE.run(*paths, "--per-entity", "--format", "csv").stdout
    assert len(listed.splitlines()) == 1 + 120
