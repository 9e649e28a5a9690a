"""Every command on CorefUD files with a gap, and with zeros that the response has elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

import corefscope as cs
from commands import Command

HEAD = "# newdoc id = cuento\n# global.Entity = eid-etype-head-other\n"
PRONOUN = "PRON\t_\tNumber=Sing|Person=3|PronType=Prs"
FIRST = """# sent_id = 1
1	Ana	Ana	PROPN	_	Gender=Fem	2	nsubj	_	Entity=(e1-person-1)
2	vio	ver	VERB	_	_	0	root	_	_
3	al	al	ADP	_	_	4	case	_	_
4	perro	perro	NOUN	_	Gender=Masc	2	obj	_	Entity=(e2[1/2]-animal-1)
5	ayer	ayer	ADV	_	_	2	advmod	_	_
6	negro	negro	ADJ	_	_	4	amod	_	Entity=(e2[2/2]-animal-1)

"""
KEY = f"""{HEAD}{FIRST}# sent_id = 2
1	Después	después	ADV	_	_	3	advmod	_	_
1.1	_	él	{PRONOUN}	_	_	3:nsubj	Entity=(e1-person-1)
2	lo	él	{PRONOUN}	3	obj	_	Entity=(e2-animal-1)
3	llamó	llamar	VERB	_	_	0	root	_	_
3.1	_	él	{PRONOUN}	_	_	4:nsubj	Entity=(e2-animal-1)
4	vino	venir	VERB	_	_	3	conj	_	_

"""
RESPONSE = f"""{HEAD}{FIRST}# sent_id = 2
0.1	_	él	{PRONOUN}	_	_	3:nsubj	Entity=(e1-person-1)
1	Después	después	ADV	_	_	3	advmod	_	_
2	lo	él	{PRONOUN}	3	obj	_	Entity=(e2-animal-1)
3	llamó	llamar	VERB	_	_	0	root	_	_
3.1	_	él	{PRONOUN}	_	_	4:nsubj	Entity=(e1-person-1)
4	vino	venir	VERB	_	_	3	conj	_	_

"""
PAIR = ("key.conllu", "response.conllu")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.conllu").write_text(KEY, encoding="utf-8")
    Path("response.conllu").write_text(RESPONSE, encoding="utf-8")


def run(command: str, *arguments: str) -> Result:
    result = Command(command).run(*arguments)
    assert result.exit_code == 0, result.output
    return result


def errors_of(*arguments: str) -> list[tuple[str, str]]:
    system = json.loads(run("errors", *PAIR, "--list", "--format", "json", *arguments).stdout)
    return [(error["type"], error["text"]) for error in system["systems"][0]["list"]]


def test_a_zero_elsewhere_is_another_mention_unless_dependencies_pair_it() -> None:
    exact = json.loads(run("score", *PAIR, "--format", "json").stdout)["systems"][0]
    assert exact["metrics"]["mentions"]["recall_counts"] == [4, 5]
    clean = json.loads(run("score", *PAIR, "--match", "head", "--format", "json").stdout)
    assert clean["systems"][0]["metrics"]["mentions"]["recall_counts"] == [5, 5]
    official = json.loads(run("score", *PAIR, "--profile", "corefud", "--format", "json").stdout)
    assert official["systems"][0]["metrics"]["muc"]["recall_counts"] == [2, 3]
    assert official["systems"][0]["pairs"] == {"zeros": 2, "equal": 3}


def test_errors_follow_the_pairs() -> None:
    """A zero is shown by a sign, because its word is not in the text."""
    wrong_link = [("conflated_entities", "∅"), ("divided_entity", "∅")]
    assert errors_of("--match", "head") == wrong_link
    by_position = [*wrong_link, ("extra_mention", "∅"), ("missing_mention", "∅")]
    assert sorted(errors_of()) == sorted(by_position)
    zeros = errors_of("--where", "mention_type=zero")
    assert sorted(zeros) == sorted(by_position)
    assert errors_of("--zeros", "drop") == []


def test_a_zero_of_the_response_does_not_hide_the_word_beside_it() -> None:
    lines = [line.strip() for line in run("errors", *PAIR, "--list").stdout.splitlines()]
    assert "[∅] Después ∅ lo llamó ∅ vino" in lines
    assert "Después [∅] lo llamó ∅ vino" in lines


def test_words_of_a_gap_are_not_words_of_the_mention() -> None:
    shown = run("errors", *PAIR, "--match", "head").stdout
    assert "“perro … negro”" in shown and "ayer" not in shown
    assert "match:head|zeros:dependent" in shown


def test_an_explanation_shows_the_parts_of_a_mention() -> None:
    shown = run("explain", "muc", *PAIR, "--match", "head").stdout
    assert "K2 = {perro … negro (3, 5), lo (8), _ (10)}" in shown
    assert "2 / 3 links" in shown


@pytest.mark.parametrize("profile", ["corefud", "crac-2023", "ua-1"])
def test_official_figures_are_not_explained_or_sliced(profile: str) -> None:
    """Their terms are not ours, so that the sums would contradict the score."""
    for arguments in (("explain", "muc", *PAIR), ("score", *PAIR, "--by", "zero")):
        refused = Command(arguments[0]).run(*arguments[1:], "--profile", profile)
        assert refused.exit_code == 2 and "official scorer" in refused.output


def test_names_follow_the_pairs() -> None:
    def f1(*arguments: str) -> float:
        result = run("nec", *PAIR, "--map", "person=PER", "--format", "json", *arguments)
        found: float = json.loads(result.stdout)["systems"][0]["types"]["PER"]["f1"]
        return found

    assert f1() == pytest.approx(2 / 5)
    assert f1("--match", "head") == pytest.approx(4 / 5)


def test_analyses_take_their_rules_from_a_profile() -> None:
    """They leave out the faults of the official scorer, and say so once."""
    for command in ("errors", "nec"):
        more = ["--map", "person=PER"] if command == "nec" else []
        found = run(command, *PAIR, *more, "--profile", "corefud", "--format", "json")
        same = run(
            command, *PAIR, *more, "--match", "head", "--singletons", "drop", "--format", "json"
        )
        ours, theirs = json.loads(found.stdout), json.loads(same.stdout)
        assert found.stderr.count("W228") == 1 and "W228" not in same.stderr
        said = [finding for finding in ours["findings"] if finding["code"] != "W228"]
        assert said == theirs["findings"] and ours["systems"] == theirs["systems"]
        signature = ours["systems"][0]["signature"]
        assert "|match:head|zeros:dependent|singletons:drop|" in signature
        assert "scorer:" not in signature


def test_choices_overrule_the_profile_of_an_analysis() -> None:
    arguments = ("--profile", "corefud", "--zeros", "linear", "--singletons", "keep")
    found = json.loads(run("errors", *PAIR, *arguments, "--format", "json").stdout)
    assert "|match:head|zeros:linear|singletons:keep|" in found["systems"][0]["signature"]
    kept = json.loads(run("errors", *PAIR, "--profile", "macro", "--format", "json").stdout)
    assert "|singletons:keep|" in kept["systems"][0]["signature"]
    assert "W228" not in {finding["code"] for finding in kept["findings"]}


def test_a_report_with_official_scores() -> None:
    shown = run("report", *PAIR, "-o", "official.html", "--profile", "corefud").stderr
    assert shown.count("W228") == 1
    system = cs.evaluate(PAIR[0], {"a": PAIR[1]}, profile="corefud")["a"]
    assert "scorer:corefud" in system.scores.signature
    assert "scorer:" not in system.errors.signature


def test_a_report_is_made_of_the_pairs() -> None:
    run("report", *PAIR, "-o", "report.html", "--match", "head")
    assert Path("report.html").stat().st_size > 100_000


def market(*zeros: tuple[str, str]) -> str:
    """Return the example of the documentation: who buys, who pays, who leaves."""
    nodes = "".join(
        f"1.{place}\t_\tél\t{PRONOUN}\t_\t_\t{verb}:nsubj\tEntity=({entity}-person-1)\n"
        for place, (verb, entity) in enumerate(zeros, start=1)
    )
    return f"""# newdoc id = market
# global.Entity = eid-etype-head-other
# sent_id = 1
1	Rosa	Rosa	PROPN	_	_	2	nsubj	_	Entity=(e1-person-1)
2	saludó	saludar	VERB	_	_	0	root	_	_
3	a	a	ADP	_	_	4	case	_	_
4	Luis	Luis	PROPN	_	_	2	obj	_	Entity=(e2-person-1)

# sent_id = 2
1	Compró	comprar	VERB	_	_	0	root	_	_
{nodes}2	pan	pan	NOUN	_	_	1	obj	_	_
3	pagó	pagar	VERB	_	_	1	conj	_	_
4	salió	salir	VERB	_	_	1	conj	_	_

"""


def test_zeros_that_stand_where_others_stand() -> None:
    Path("key.conllu").write_text(market(("1", "e1"), ("3", "e2"), ("4", "e1")), encoding="utf-8")
    moved = market(("3", "e2"), ("4", "e1"), ("1", "e1"))
    Path("response.conllu").write_text(moved, encoding="utf-8")
    official = run("score", *PAIR, "--profile", "corefud")
    assert "59.30" in official.stdout.splitlines()[-4]
    assert "B³ 69.57 instead of 100.00" in official.stderr and "[W220]" in official.stderr
    assert "100.00" in run("score", *PAIR, "--match", "head").stdout.splitlines()[-4]


def test_heads_that_are_all_1_cost_mentions_only_with_the_profile() -> None:
    """As the documentation says: without the profile, the same words are paired in the end."""
    text = "".join(
        f"{id}\tw\t_\t_\t_\t_\t0\t_\t_\tEntity={entity}\n"
        for id, entity in enumerate(["(e1-x-2", "e1)", "(e1-x-2", "e1)"], start=1)
    )
    Path("key.conllu").write_text(f"{HEAD}{text}\n", encoding="utf-8")
    Path("response.conllu").write_text(f"{HEAD}{text}\n".replace("x-2", "x-1"), encoding="utf-8")
    by_head = json.loads(run("score", *PAIR, "--match", "head", "--format", "json").stdout)
    official = json.loads(run("score", *PAIR, "--profile", "corefud", "--format", "json").stdout)
    assert by_head["systems"][0]["metrics"]["muc"]["recall_counts"] == [1, 1]
    assert official["systems"][0]["metrics"]["muc"]["recall_counts"] == [0, 1]
