"""``corefscope nec``: what it prints, where, and with which exit status."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import corefscope as cs
from commands import Command
from corefscope.demo import KEY, RESPONSES
from error_examples import NAME, TOWN_KEY, phrases, town, write
from named_entities import examples

PEOPLE = examples.PEOPLE.replace("GPE", "LOC")
"""Paris is a location, which does not count by default."""
SIGNATURE = (
    "corefscope:0.1|profile:conll-2012|match:exact|singletons:keep|duplicates:first|"
    "average:micro|docs:1|nec:constituency"
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path(), *phrases(PEOPLE))


nec = Command("nec")
run, refused, system_of = nec.run, nec.refused, nec.system_of


def findings_of(result: Result) -> list[str]:
    """What is found beside the location that is not measured."""
    return [
        line
        for line in result.stderr.splitlines()
        if "'LOC' (1)" not in line and not line.startswith("  fix: ")
    ]


def printed(*arguments: str, input: str | None = None) -> str:
    """What goes to standard output, of a command that finds nothing else."""
    result = run(*arguments, input=input)
    assert (result.exit_code, findings_of(result)) == (0, [])
    return result.stdout


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_location_can_count_as_a_place() -> None:
    mapped = system_of("key.conll", "a.conll", "--map", "LOC=GPE")
    assert mapped["types"]["GPE"]["f1"] == 1
    assert mapped["types"]["ALL"]["f1"] == pytest.approx(47 / 84)
    assert mapped["options"]["types"]["LOC"] == "GPE"
    own = system_of("key.conll", "a.conll", "--map", "LOC=place", "--map", "ORG=place")
    assert (own["types"]["place"]["chains"], own["types"]["place"]["f1"]) == (2, 0.5)
    assert system_of("key.conll", "a.conll", "--map", "LOC=place, ORG=place") == own


def test_types_are_chosen() -> None:
    system = system_of("key.conll", "a.conll", "--types", "PER")
    assert list(system["types"]) == ["PER", "ALL"]
    assert system["types"]["ALL"]["f1"] == system["macro_f1"] == pytest.approx(13 / 21)
    both = system_of("key.conll", "a.conll", "--types", "GPE, PER", "--map", "LOC=GPE")
    assert list(both["types"]) == ["GPE", "PER", "ALL"], "in the order asked for"
    assert both["types"]["ALL"]["chains"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--map PERSON=GPE --map PERSON=PER", "--map is given twice for PERSON"),
    ],
)
def test_contradicting_options(options: str, message: str) -> None:
    result = run("key.conll", "a.conll", *options.split())
    assert result.exit_code == 2
    assert message in result.stderr


def test_mapped_tag_that_never_occurs() -> None:
    result = run("key.conll", "a.conll", "--map", "PERSN=PER")
    (finding,) = findings_of(result)
    assert "no name has the tag 'PERSN', which should count as 'PER'" in finding
    assert not findings_of(run("key.conll", "a.conll", "--map", "FAC=GPE"))


def test_the_preset_of_the_paper() -> None:
    system = system_of("key.conll", "a.conll", "--preset", "paper")
    assert system["options"]["preset"] == "paper"
    assert "|preset=paper" in system["signature"]


def test_heads_are_told_by_what_was_asked() -> None:
    system = system_of("key.conll", "a.conll", "--heads", "heuristic")
    assert system["heads"] == "heuristic" and system["signature"].endswith("|nec:heuristic")
    status, message = refused("key.conll", "a.conll", "--heads", "dependency")
    assert status == 3 and "has no dependencies" in message and "[E402]" in message


def test_names_from_a_file_of_their_own() -> None:
    """Only Bob has a name now, and only that of a firm."""
    Path("names.tsv").write_text(f"{NAME}\t3\t4\tORG\n")
    Path("names.json").write_text(json.dumps({NAME: [[3, 4, "ORG"]]}))
    for path in ("names.tsv", "names.json"):
        system = system_of("key.conll", "a.conll", "--names", path)
        assert [row["chains"] for row in system["types"].values()] == [0, 1, 0, 1]
        assert system["types"]["ORG"]["f1"] == pytest.approx(2 / 3)
    Path("names.tsv").write_text(f"{NAME}\t3\t4\tORG\nnonsense\n")
    status, message = refused("key.conll", "a.conll", "--names", "names.tsv")
    assert status == 3 and message.startswith("error[E135] names.tsv:2: found 'nonsense'; expected")
    status, message = refused("key.conll", "a.conll", "--names", "nowhere.tsv")
    assert status == 3 and "nowhere.tsv" in message and "[E108]" in message


def two_documents() -> None:
    """Files of two documents: a town of newswire, and one of broadcast conversation."""
    one, two = "(nw/a); part 000", "(bc/b); part 000"
    nobody = TOWN_KEY.replace("[1 Anna]", "Anna")
    write(
        Path(),
        town(TOWN_KEY, one) + town(TOWN_KEY, two),
        town(TOWN_KEY, one) + town(nobody, two),
    )


def test_documents_by_genre_or_name() -> None:
    two_documents()
    assert system_of("key.conll", "a.conll")["types"]["PER"]["f1"] == 0.5
    for name, f1 in (("nw/a", 1), ("bc/b", 0)):
        document = f"({name}); part 000"
        alone = system_of("key.conll", "a.conll", "--document", document)
        assert (alone["types"]["PER"]["chains"], alone["types"]["PER"]["f1"]) == (1, f1)
        assert "|docs:1|" in alone["signature"]
        result = run("key.conll", "a.conll", "--genres", name[:2], "--format", "json")
        (system,) = json.loads(result.stdout)["systems"]
        assert system["types"]["PER"] == alone["types"]["PER"]
    both = system_of("key.conll", "a.conll", "--genres", "nw, bc")
    assert both["types"]["PER"]["chains"] == 2


def test_chosen_genres_give_no_warning() -> None:
    two_documents()
    assert findings_of(run("key.conll", "a.conll", "--genres", "nw")) == []


def test_names_of_unselected_documents_give_no_warning() -> None:
    two_documents()
    names = {f"({name}); part 000": [[0, 0, "PERSON"]] for name in ("nw/a", "bc/b")}
    Path("names.json").write_text(json.dumps(names))
    for chosen in (["--document", "(nw/a); part 000"], ["--genres", "nw"]):
        assert findings_of(run("key.conll", "a.conll", "--names", "names.json", *chosen)) == []


def test_missing_document() -> None:
    two_documents()
    Path("a.conll").write_text(town(TOWN_KEY, "(nw/a); part 000"))
    result = run("key.conll", "a.conll")
    assert result.exit_code == 0 and "[W201]" in result.stderr
    assert "PER        2      50.00" in result.stdout
    status, message = refused("key.conll", "a.conll", "--missing", "error")
    assert status == 4 and "[E205]" in message


def test_a_response_may_come_from_standard_input() -> None:
    shown = printed("key.conll", "-", "--format", "csv", input=Path("a.conll").read_text())
    assert rows_of(shown)[0]["system"] == "standard input"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--types", "PERS"], "no entity type named 'PERS'; did you mean PER?"),
        (["--types", "PER,XYZ"], "no entity type named 'XYZ'; known: PER, ORG, GPE"),
        (["--map", "LOC"], "--map takes TAG=TYPE, not 'LOC'"),
        (["--map", "LOC="], "--map takes TAG=TYPE, not 'LOC='"),
        (["--map", "LOC=GPE,FAC"], "--map takes TAG=TYPE, not 'FAC'"),
        (["--map", "LOC=GPE,LOC=PER"], "--map is given twice for LOC"),
        (["--preset", "papers"], "'papers' is not one of"),
        (["--heads", "spacy"], "'spacy'"),
        (["--tables", "5"], "no table named '5'; known: 3, 4, drop, all"),
        (["--tables", "3,5", "--format", "csv"], "no table named '5'"),
        (["--tables", "5", "--format", "json"], "no table named '5'"),
        (["--tables", "3", "--detail"], "--detail cannot be combined with --tables"),
        (["--most", "-1"], "--most"),
        (["--format", "reference"], "'reference'"),
        (["--document", "nowhere"], "no document named 'nowhere'"),
        (["--singletons", "lose"], "'lose'"),
        (["x=a.conll", "x=b.conll"], "the name 'x' is given to two responses"),
    ],
)
def test_wrong_usage_is_told_with_status_2(arguments: list[str], message: str) -> None:
    status, told = refused("key.conll", "a.conll", *arguments)
    assert status == 2 and message in told


def test_key_and_response_are_needed() -> None:
    assert refused()[0] == refused("key.conll")[0] == 2
    assert refused("-", "-")[0] == 2


def test_corpus_without_names_is_refused() -> None:
    write(Path(), *phrases(PEOPLE, layers="tags parse"))
    for format in ("table", "json", "csv"):
        status, message = refused("key.conll", "a.conll", "--format", format)
        assert status == 3
        assert message.startswith(
            "error[E402] key.conll: no named entity is marked in any document"
        )
        assert "[E402]" in message


def test_what_cannot_be_read_is_refused() -> None:
    assert refused("nowhere.conll", "a.conll")[0] == 3
    assert refused("key.conll", "nowhere.conll")[0] == 3
    Path("bad.conll").write_text("#begin document x\nAnn\t(1\n#end document\n")
    status, message = refused("key.conll", "bad.conll")
    assert status == 3 and "[E101]" in message


@pytest.mark.parametrize(
    "clusters", [[["Ann", "she"]], [[[0, 1], [99, 99]]], [[[0, 99]]]], ids=["ids", "one", "long"]
)
def test_mentions_outside_text(clusters: list[Any]) -> None:
    Path("odd.json").write_text(json.dumps({NAME: clusters}))
    result = run("key.conll", "odd.json")
    assert "Traceback" not in result.stderr and result.stderr.strip()


def test_demo_figures_equal_library() -> None:
    system = system_of(str(KEY), str(RESPONSES["sieve"]))
    found = cs.nec(KEY, RESPONSES["sieve"])
    assert list(system["types"]) == list(found.types)
    for type, score in found.types.items():
        assert system["types"][type]["chains"] == score.chains
        assert system["types"][type]["f1"] == score.f1
    assert (system["signature"], system["macro_f1"]) == (found.signature, found.macro_f1)
