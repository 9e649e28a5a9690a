"""Commands on CorefUD files that are not written as the official scorer expects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Command
from corefud_text import corefud

MENTIONS = "1:(a--2- 2:a) 3:(b--2- 4:b) 5:(a--2- 6:a) 7:(b--2- 8:b)"
KEY = corefud(MENTIONS)
GUM_STYLE = KEY.replace("eid-etype-head-other", "eid-etype-minspan-link")
HEADLESS = KEY.replace("eid-etype-head-other", "eid-etype-other-link")


def write(directory: Path, **texts: str) -> list[str]:
    """Write texts to files; return their paths."""
    paths = []
    for name, text in texts.items():
        path = directory / f"{name}.conllu"
        path.write_text(text)
        paths.append(str(path))
    return paths


def scored(*arguments: str) -> tuple[dict[str, Any], list[str]]:
    """The result of one response, and the codes of all findings."""
    found = json.loads(Command("score").run(*arguments, "--format", "json").stdout)
    return found["systems"][0], [finding["code"] for finding in found["findings"]]


def test_only_one_file_declares_heads(tmp_path: Path) -> None:
    key, response = write(tmp_path, gum=GUM_STYLE, other=KEY)
    system, codes = scored(key, response, "--profile", "corefud")
    assert system["conll"] == 0 and codes == ["W237"]
    said = Command("score").run(key, response, "--profile", "corefud").stderr
    assert "gum.conllu" in said and "unlike that of the response" in said
    assert "  fix: --head minspan\n" in said
    system, codes = scored(key, response, "--profile", "corefud", "--head", "minspan")
    assert system["conll"] == 1 and codes == ["W237"]
    assert scored(response, key, "--profile", "corefud")[1] == ["W237"]


def test_two_files_without_heads_are_as_in_the_scorer(tmp_path: Path) -> None:
    key, response = write(tmp_path, key=GUM_STYLE, response=GUM_STYLE)
    assert scored(key, response, "--profile", "corefud")[1] == []
    key, response = write(tmp_path, key=HEADLESS, response=KEY)
    said = Command("score").run(key, response, "--profile", "corefud").stderr
    assert "W237" in said and "minspan" not in said


def test_signatures_record_minimal_spans_and_zeros(tmp_path: Path) -> None:
    key, response = write(tmp_path, key=GUM_STYLE, response=GUM_STYLE)
    by_minspan = ("--profile", "crac-2023", "--head", "minspan")
    with_minspan, _ = scored(key, response, *by_minspan)
    without, _ = scored(key, response, "--profile", "crac-2023")
    assert "|zeros:linear|head:minspan|" in with_minspan["signature"]
    assert "|zeros:linear|scorer:" in without["signature"]
    exact, _ = scored(key, response, "--head", "minspan")
    assert "head:" not in exact["signature"] and "zeros:" not in exact["signature"]


def test_stored_scores_of_other_heads_are_refused(tmp_path: Path) -> None:
    key, response = write(tmp_path, key=GUM_STYLE, response=GUM_STYLE)
    stored = str(tmp_path / "scores.json")
    rules = ("--profile", "corefud", "--head", "minspan")
    options = (*rules, "--format", "json", "--per-document")
    assert Command("score").run(key, response, *options, "-o", stored).exit_code == 0
    assert Command("score").run(key, f"a={stored}", f"b={response}", *rules).exit_code == 0
    other = Command("score").run(key, f"a={stored}", f"b={response}", *rules[:2])
    assert other.exit_code == 3 and "E502" in other.stderr


@pytest.mark.parametrize(
    "text",
    [KEY, corefud(*["1:(a--1- 2:a)"] * 9), corefud("1:(a--1-) 1.1:(a--1-):1:nsubj")],
)
def test_validate_accepts_heads_and_zeros(tmp_path: Path, text: str) -> None:
    (path,) = write(tmp_path, text=text)
    assert "0 warnings" in Command("validate").run(path).stdout


TWO = corefud("1:(a--1-) 2:(a--1-)").replace("id = d", "id = one")
NEXT = corefud("1:(b--1-) 2:(b--1-)").replace("id = d", "id = two")


def with_id(document: str, sent_id: str) -> str:
    """Give the first sentence an id."""
    return document.replace("\n1\t", f"\n# sent_id = {sent_id}\n1\t", 1)


@pytest.mark.parametrize(
    ("response", "reason", "conll"),
    [
        (NEXT + TWO, "another order", 1),
        (TWO, "missing", 2 / 3),
        (TWO + NEXT.replace("\tw1\t", "\tW1\t"), "words differ", 1),
        (TWO + NEXT.replace("= two", "= two.conllu"), "other names", 1),
        (TWO + NEXT.replace("id = two", ""), "other names", 1),
        (TWO.replace("id = one", "id = three") + TWO + NEXT, "stand before others", 1),
        (TWO + with_id(NEXT, "x"), "another sent_id", 1),
    ],
)
def test_responses_without_an_official_score(
    tmp_path: Path, response: str, reason: str, conll: float
) -> None:
    paths = write(tmp_path, key=TWO + NEXT, response=response)
    system, codes = scored(*paths, "--profile", "corefud")
    assert "W231" in codes and system["conll"] == pytest.approx(conll)
    said = Command("score").run(*paths, "--profile", "corefud").stderr
    assert reason in next(line for line in said.splitlines() if "[W231]" in line)
    assert "W231" not in scored(*paths)[1]


@pytest.mark.parametrize(
    ("response", "codes"),
    [
        (TWO + NEXT, []),
        (TWO + NEXT + TWO.replace("id = one", "id = three"), ["W202"]),
        (TWO + NEXT + "1\tw1" + "\t_" * 8 + "\n\n", ["W204"]),
    ],
)
def test_a_response_with_an_official_score(tmp_path: Path, response: str, codes: list[str]) -> None:
    """The official scorer ignores documents, and sentences, at the end that the key lacks."""
    paths = write(tmp_path, key=TWO + NEXT, response=response)
    assert scored(*paths, "--profile", "corefud")[1] == codes


def test_the_official_scorer_needs_the_beginnings_of_documents(tmp_path: Path) -> None:
    plain = TWO.replace("# newdoc id = one\n", "")
    key, response = write(tmp_path, key=plain, response=TWO)
    for pair, reason in (((key, key), "no '# newdoc'"), ((key, response), "other names")):
        said = Command("score").run(*pair, "--profile", "corefud").stderr
        assert reason in next(line for line in said.splitlines() if "[W231]" in line)
    (bare,) = write(tmp_path, bare=TWO.replace(" id = one", ""))
    assert scored(bare, bare, "--profile", "corefud")[1] == []
    (nothing,) = write(tmp_path, nothing=plain.replace("Entity=(a--1-)", "_"))
    assert "W231" not in scored(nothing, nothing, "--profile", "corefud")[1]


@pytest.mark.parametrize(
    ("key", "response", "codes"),
    [("s", "s", []), ("s", "t", ["W231"]), ("s", "", ["W231"]), ("1", "", []), ("", "1", [])],
)
def test_ids_of_sentences_are_compared(
    tmp_path: Path, key: str, response: str, codes: list[str]
) -> None:
    """A sentence without an id has its number instead."""
    texts = [with_id(TWO, sent_id) if sent_id else TWO for sent_id in (key, response)]
    paths = write(tmp_path, key=texts[0], response=texts[1])
    assert scored(*paths, "--profile", "corefud")[1] == codes


@pytest.mark.parametrize("profile", ["corefud", "crac-2022"])
def test_token_counts_are_compared_if_asked_for(tmp_path: Path, profile: str) -> None:
    paths = write(tmp_path, key=corefud("1:(a--1-) 2:(a--1-) 3"), response=TWO.replace("one", "d"))
    assert "W204" in scored(*paths, "--profile", profile)[1]
    refused = Command("score").run(*paths, "--profile", profile, "--tokens", "carry")
    assert refused.exit_code == 3 and "E202" in refused.stderr
    assert Command("score").run(*paths).exit_code == 3
    assert "W204" in scored(*paths, "--tokens", "ignore")[1]


def test_empty_nodes_that_became_words(tmp_path: Path) -> None:
    (key,) = write(tmp_path, key=corefud("1:(a--1-) 1.1:(a--1-):1:obj 2 2.1::2:obj"))
    words = str(tmp_path / "words.conll")
    assert "W170" in Command("convert").run(key, words, "--lossy").stderr
    assert "W252" in Command("score").run(key, words).stderr, "zeros have no letters"
    for pair in ((key, words), (words, key)):
        said = Command("score").run(*pair, "--profile", "corefud", "--tokens", "carry").stderr
        assert "E202" in said


def test_refused_copies_do_not_count_in_both_entities(tmp_path: Path) -> None:
    paths = write(tmp_path, key=TWO, response=TWO.replace("(a--1-)", "(a--1-)(b--1-)"))
    said = Command("score").run(*paths, "--profile", "corefud", "--duplicates", "error").stderr
    assert "E203" in said and "counts in both" not in said and "expected each mention once" in said


def test_links_of_corefud_files_do_not_count_under_profiles_of_universal_anaphora(
    tmp_path: Path,
) -> None:
    entities = corefud("1:(a--1-) 2:(b--1-) 3:(c--1-) 4:(b--1-)|Bridge=a<b")
    text = entities.replace("Entity=(c--1-)", "Entity=(c--1-)|SplitAnte=a<c,b<c")
    paths = write(tmp_path, key=text, response=TWO.replace("one", "d") + "3\tw3" + "\t_" * 8 + "\n")
    metrics = ("--metrics", "muc,bridging_anaphor")
    said = Command("score").run(*paths, "--profile", "ua-1", "--tokens", "ignore", *metrics).stderr
    assert said.count("W212") == 1
    assert "1 entity with split antecedents and 1 bridge, but" in said
    printed = Command("score").run(paths[0], paths[0], "--profile", "ua-1", *metrics).stdout
    assert "* nothing in key or response counts here (0/0); the score is defined as 0" in printed
    without = (
        Command("score").run(*paths, "--profile", "ua-1", "--split-antecedents", "drop").stderr
    )
    assert "W212" not in without


def test_corefud_files_can_have_zeros_under_profiles_of_universal_anaphora(tmp_path: Path) -> None:
    key = corefud("1:(a--1-) 1.1:(a--1-):1:obj 2")
    paths = write(tmp_path, key=key, response=corefud("1:(a--1-) 2:(a--1-)"))
    options = ("--profile", "ua-2", "--zeros", "linear", "--singletons", "keep")
    assert "W212" not in Command("score").run(*paths, *options).stderr


def test_an_empty_file_is_judged_by_its_extension(tmp_path: Path) -> None:
    (empty,) = write(tmp_path, empty="")
    shown = Command("validate").run(empty).stdout
    assert "E105" in shown and "holds no sentence" in shown and "#begin" not in shown


def test_a_last_part_without_a_head_in_a_file_without_heads(tmp_path: Path) -> None:
    text = corefud("1:(a[1/2]--1-) 2 3:(a[2/2]--1-) 4:(a--1-)")
    (path,) = write(
        tmp_path, text=text.replace("eid-etype-head-other", "eid-etype-link-ref-minspan")
    )
    shown = Command("validate").run(path).stdout
    assert f"{path}:5:" in shown and "E135" in shown
    assert "has no field head" in shown and "  fix: --head minspan\n" in shown


def test_blanks_in_a_declaration_are_reported_once(tmp_path: Path) -> None:
    (path,) = write(tmp_path, text=KEY.replace("eid-etype-head-other", "eid etype head other"))
    shown = Command("validate").run(path).stdout
    assert f"{path}:2:" in shown and shown.count("W103") == 1
    assert "eid-etype-head-other" in shown


def test_dropped_zeros_still_belong_to_longer_mentions(tmp_path: Path) -> None:
    with_node = corefud("1:(a--1- 1.1::1:obj 2:a) 3:(a--1-)")
    paths = write(tmp_path, key=with_node, response=corefud("1:(a--1- 2:a) 3:(a--1-)"))
    system, _ = scored(*paths, "--zeros", "drop")
    assert system["metrics"]["mentions"]["recall_counts"] == [1, 2]


def test_exact_matching_treats_both_sides_alike(tmp_path: Path) -> None:
    paths = write(tmp_path, key=KEY, response=KEY.replace("(b--2-", "(a--2-").replace("b)", "a)"))
    for rules in ((), ("--profile", "corefud-exact")):
        one, other = (scored(*pair, *rules)[0]["metrics"] for pair in (paths, paths[::-1]))
        for metric in ("muc", "b3", "ceafe", "lea"):
            assert one[metric]["recall_counts"] == other[metric]["precision_counts"]
        is_alike = one["blanc"]["f1"] == pytest.approx(other["blanc"]["f1"])
        assert is_alike == bool(rules), "the kinds of links of the key, or of both"
