"""Errors of mentions with gaps, and of zeros that only the response has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.error_analysis import ErrorRecord
from corefscope.error_analysis.files import write_corrected
from corefscope.error_analysis.tables.listing import as_list_text
from corefscope.matching.mention_table import Where
from corefud_text import corefud

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
"""The texts have no tags."""

SECOND = "1 2:(a--1)"
PLAIN = "1:(a--1) 2 3 4"


def records(folder: Path, key: str, response: str) -> list[ErrorRecord]:
    """Return the errors of a response."""
    files = [folder / "key.conllu", folder / "response.conllu"]
    for path, text in zip(files, (key, response), strict=True):
        path.write_text(text)
    return list(cs.analyze(*files).records)


def ids(folder: Path, *response: str) -> list[str]:
    """Return the ids of the extra mentions of a response."""
    found = records(folder, corefud(PLAIN, SECOND), corefud(*response))
    assert {error.type for error in found} == {"extra_mention"}
    return [error.id.removeprefix("d/extra_mention/") for error in found]


def test_every_zero_has_an_id_of_its_own(tmp_path: Path) -> None:
    zeros = "1:(a--1) 2 3 3.1:(a--1) 3.2:(a--1) 4 4.1:(a--1)"
    found = ids(tmp_path, zeros, f"0.1:(a--1) 0.2:(a--1) {SECOND}")
    places = ["3.1", "3.2", "4.1", "4+.1", "4+.2"]
    assert sorted(found) == sorted(f"after-{place}" for place in places)
    # A zero has the same id in a response that has no other.
    alone = ids(tmp_path, "1:(a--1) 2 3 3.2:(a--1) 4", f"0.2:(a--1) {SECOND}")
    assert sorted(alone) == ["after-3.2", "after-4+.2"]


def test_a_mention_with_a_gap_has_another_id_than_one_without(tmp_path: Path) -> None:
    found = ids(tmp_path, "1:(a--1) 2:(a--1(a[1/2]--1) 3 4:a)(a[2/2]--1)", SECOND)
    assert sorted(found) == ["1-1,3-3", "1-3"]


@pytest.mark.parametrize(
    ("zero", "place", "context"),
    [
        ("3 3.1:(a--1) 4|", "after 2", "w1 w2 w3 [∅] w4"),
        ("3 4|0.1:(a--1) ", "before 4", "[∅] w1 w2"),
        ("3 4 4.1:(a--1)|", "after 3", "w1 w2 w3 w4 [∅]"),
    ],
)
def test_a_zero_is_shown_where_it_stands(
    zero: str, place: str, context: str, tmp_path: Path
) -> None:
    first, second = zero.split("|")
    response = corefud(f"1:(a--1) 2 {first}", f"{second}{SECOND}")
    (error,) = records(tmp_path, corefud(PLAIN, SECOND), response)
    assert error.mentions[0].place() == place
    assert context in listed(tmp_path)
    assert [error.left, error.right] == [part.strip() for part in context.split("[∅]")]


def test_a_zero_before_the_first_word_of_a_document(tmp_path: Path) -> None:
    response = corefud(f"0.1:(a--1) {PLAIN}", SECOND)
    (error,) = records(tmp_path, corefud(PLAIN, SECOND), response)
    assert (error.id, error.mentions[0].place()) == ("d/extra_mention/after-0+.1", "before 0")
    assert "[∅] w1 w2 w3 w4" in listed(tmp_path)
    # The key may have another zero there.
    key = corefud(f"0.1:(a--1) {PLAIN}", SECOND)
    response = corefud(f"0.1:(a--1) 0.2:(a--1) {PLAIN}", SECOND)
    (error,) = records(tmp_path, key, response)
    assert error.mentions[0].place() == "after 0"
    assert "∅ [∅] w1 w2 w3 w4" in listed(tmp_path)


def listed(folder: Path) -> list[str]:
    """Return the lines of ``errors --list``."""
    analysis = cs.analyze(folder / "key.conllu", folder / "response.conllu")
    lines = as_list_text([("ours", list(analysis.records))], [analysis.matching])
    return [line.strip() for line in lines]


def test_context_shows_the_parts_of_a_mention(tmp_path: Path) -> None:
    response = corefud("1:(a--1) 2:(a[1/2]--1) 3 4:(a[2/2]--1)", SECOND)
    (error,) = records(tmp_path, corefud(PLAIN, SECOND), response)
    assert "w1 [w2 … w4]" in listed(tmp_path)
    assert (error.left, error.text, error.right) == ("w1", "w2 … w4", "")


def test_a_zero_is_the_same_mention_in_two_responses(tmp_path: Path) -> None:
    key = corefud(PLAIN, SECOND)
    both = records(tmp_path, key, corefud("1:(a--1) 2 3 3.1:(a--1) 3.2:(a--1) 4", SECOND))
    one = records(tmp_path, key, corefud("1:(a--1) 2 3 3.2:(a--1) 4", SECOND))
    (same,) = {places(error) for error in both} & {places(error) for error in one}
    assert [error.id for error in both if places(error) == same] == [one[0].id]


def places(error: ErrorRecord) -> tuple[Where | None, ...]:
    return tuple(mention.where for mention in error.mentions)


def test_a_corrected_response_leaves_out_what_the_key_has_no_token_for(tmp_path: Path) -> None:
    """It is written on the text of the key; other mentions keep their gaps."""
    files = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
    files[0].write_text(corefud("1:(a[1/2]--1) 2 3:(a[2/2]--1) 4:(a--1)", SECOND))
    files[1].write_text(corefud("1:(a--1) 2 3 3.1:(a--1) 4:(a--1)", SECOND))
    analysis = cs.analyze(*files)
    before, key = analysis.corrected(), analysis.corrected("missing_entity", cumulative=True)
    assert [mention.id for mention in before["d"].entities[0]] == [(0, 0), (3, 3), (5, 5)]
    (finding,) = before.findings
    assert finding.code.id == "W151" and "left out: 1;" in finding.message
    assert [m.id for m in key["d"].entities[0]] == [((0, 0), (2, 2)), (3, 3), (5, 5)]
    assert not key.findings
    _, findings = write_corrected(analysis, tmp_path / "corrected")
    assert "W151" in {finding.code.id for finding in findings}


def test_a_corrected_response_cannot_tell_heads_apart(tmp_path: Path) -> None:
    """Two mentions of the same words are paired by head, but a corrected response has no heads."""
    words = [[f"w{token}" for token in range(8)]]
    files = [
        {"doc_key": "d", "sentences": words, "clusters": clusters, "mention_heads": heads}
        for clusters, heads in (([[[7, 7], [1, 4]]], [[7, 3]]), ([[[1, 4], [2, 5]]], [[4, 3]]))
    ]
    paths = [tmp_path / "key.jsonl", tmp_path / "response.jsonl"]
    for path, record in zip(paths, files, strict=True):
        path.write_text(json.dumps(record))
    analysis = cs.analyze(*paths, match="head")
    (finding,) = analysis.corrected("missing_mention").findings
    assert finding.code.id == "W108" and "another head" in finding.message
