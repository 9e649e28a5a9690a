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
        if "'LOC' (1)" not in line and not line.startswith("  see ")
    ]


def printed(*arguments: str, input: str | None = None) -> str:
    """What goes to standard output, of a command that finds nothing else."""
    result = run(*arguments, input=input)
    assert (result.exit_code, findings_of(result)) == (0, [])
    return result.stdout


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_one_response() -> None:
    """Paris is a location, which does not count; CoNLL of all is (1/2 + 66/127 + 7/15) / 3."""
    assert (
        printed("key.conll", "a.conll")
        == f"""\
key       key.conll
response  a.conll
documents 1
heads     from constituency

system  type  chains  not found    F1 0  NEC F1  recall   prec.  CoNLL
----------------------------------------------------------------------
a       PER        2       0.00    0.00   61.90   83.33   50.00  63.67
        ORG        1     100.00  100.00    0.00    0.00  100.00   0.00
        GPE        0
        ALL        3      33.33   33.33   41.27   55.56   50.00  49.55

not found: share of key chains whose name no response chain has.
F1 0: share of key chains whose F1 is 0.
prec.: where no chain was found, precision (0/0) is defined as 100 %.
CoNLL: MUC, B³ and CEAFe of the chains with a name of the type.
Mean NEC F1 over types, a: 30.95.
{SIGNATURE}

Not found: 1
  “Acme”, ORG, 3 mentions (K3 of (d); part 000)
    [Acme]
    2 of its mentions are in R3, which does not have its name

Split over several chains: 1
  “Ann Lee”, PER: in R1, R2 (K1 of (d); part 000)

Combined in one chain: 1
  R1 of (d); part 000: “Ann Lee” (K1), “Bob Lee” (K2)
"""
    )


def test_several_responses() -> None:
    lines = printed("key.conll", "ours=a.conll", "b.conll").splitlines()
    assert lines[:2] == ["key       key.conll", "documents 1"]
    assert sum(line.split()[:2] == ["ours", "PER"] for line in lines) == 1
    assert sum(line.split()[:2] == ["b", "PER"] for line in lines) == 1
    assert lines.count(SIGNATURE) == 2, "below each table"
    drop = lines.index("From the standard score to named entities")
    assert lines[drop + 4].split() == ["ours", "73.53", "49.55", "41.27", "-32.26", "33.33"]
    assert lines[drop + 5].split() == ["b", *["100.00"] * 3, "+0.00", "0.00"]
    assert lines[-12:-9] == ["ours:", "", "Not found: 1"]
    assert "b:" not in lines, "of a perfect response there is nothing to tell"


def test_stories_are_as_many_as_asked_for() -> None:
    none = printed("key.conll", "a.conll", "--most", "0")
    assert none.splitlines()[-1] == SIGNATURE and "Acme" not in none
    write(Path(), *phrases(PEOPLE.replace("1  1  1", "1  -  1").replace("2  1  2", "2  -  2")))
    one = printed("key.conll", "a.conll", "--most", "1").splitlines()
    at = one.index("Not found: 2")
    assert one[at + 1].startswith("  “Bob Lee”, PER, 2 mentions")
    assert one[at + 3] == "  … and 1 more"


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
    assert status == 3 and message.startswith("error: names.tsv:2: found 'nonsense'; expected")
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


def test_stories_of_one_document() -> None:
    two_documents()
    shown = printed("key.conll", "a.conll", "--document", "(bc/b); part 000")
    assert "“Anna”, PER, 3 mentions (K1 of (bc/b); part 000)\n    [Anna] met the mayor ." in shown
    assert "Anna" not in printed("key.conll", "a.conll", "--document", "(nw/a); part 000")


def test_missing_document() -> None:
    two_documents()
    Path("a.conll").write_text(town(TOWN_KEY, "(nw/a); part 000"))
    result = run("key.conll", "a.conll")
    assert result.exit_code == 0 and "[W201]" in result.stderr
    assert "PER        2      50.00" in result.stdout
    status, message = refused("key.conll", "a.conll", "--missing", "error")
    assert status == 4 and "[E205]" in message


@pytest.mark.parametrize("tables", ["3", "4", "drop"])
@pytest.mark.parametrize("format", ["table", "markdown", "latex", "csv"])
def test_every_table_is_printed_in_every_format(tables: str, format: str) -> None:
    shown = printed("key.conll", "a.conll", "b.conll", "--tables", tables, "--format", format)
    title = {"3": "Table 3: ", "4": "Table 4: ", "drop": "From the standard score"}[tables]
    number = {"3": 13 / 21, "4": 7 / 12, "drop": 26 / 63}[tables]
    if format == "csv":
        a, b = rows_of(shown)
        assert (a["system"], b["system"]) == ("a", "b")
        values = [float(value) for value in list(a.values())[1:] if value]
        assert any(value == pytest.approx(number, abs=1e-15) for value in values)
    else:
        assert shown.count(title) == 1
        assert f"{100 * number:.2f}" in shown


def test_tables_are_chosen() -> None:
    def titles(chosen: str) -> list[str]:
        shown = printed("key.conll", "a.conll", "--tables", chosen, "--format", "markdown")
        return [line.strip("*")[:7] for line in shown.splitlines() if line.startswith("**")]

    assert titles("all") == ["Table 3", "Table 4", "From th"]
    assert titles("4, 3") == ["Table 4", "Table 3"]


def test_several_tables_as_csv_are_told_apart() -> None:
    """As those of errors are: one row a cell."""
    shown = printed("key.conll", "a.conll", "--tables", "3,4", "--format", "csv")
    assert shown != printed("key.conll", "a.conll", "--format", "csv")
    assert {row["table"] for row in rows_of(shown)} == {"3", "4"}


def test_tables_in_json() -> None:
    """As those of errors are."""
    shown = json.loads(printed("key.conll", "a.conll", "--tables", "3,drop", "--format", "json"))
    assert [table["table"] for table in shown["tables"]] == ["3", "drop"]


def test_detail_in_every_format() -> None:
    shown = printed("key.conll", "a.conll", "--detail")
    assert shown.startswith("Key chains with a name\n\nsystem  document ")
    assert "Ann | Ann Lee  R1 R2       R1       4       2  57.14" in shown
    assert "Not found" not in shown
    markdown = printed("key.conll", "a.conll", "--detail", "--format", "markdown")
    assert r"| K1 | PER | 3 | Ann \| Ann Lee | R1 R2 | R1 | 4 | 2 | 57.14 |" in markdown
    assert "57.14" in printed("key.conll", "a.conll", "--detail", "--format", "latex")
    rows = rows_of(printed("key.conll", "a.conll", "--detail", "--format", "csv"))
    assert [row["entity"] for row in rows] == ["K1", "K2", "K3"]
    assert float(rows[0]["f1"]) == 4 / 7 and rows[2]["precision"] == ""
    listed = system_of("key.conll", "a.conll", "--detail")["detail"]
    assert [row["f1"] for row in listed] == pytest.approx([4 / 7, 2 / 3, 0])


def test_the_overview_in_every_format() -> None:
    markdown = printed("key.conll", "a.conll", "--format", "markdown")
    assert "| a | PER | 2 | 0.00 | 0.00 | 61.90 |" in markdown
    assert "|  | GPE | 0 |  |  |  |  |  |  |" in markdown and SIGNATURE in markdown
    latex = printed("key.conll", "x_1=a.conll", "--format", "latex")
    assert r"x\_1 & PER & 2 & 0.00 & 0.00 & 61.90 &" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 1
    rows = rows_of(printed("key.conll", "a.conll", "b.conll", "--format", "csv"))
    assert [row["type"] for row in rows] == ["PER", "ORG", "GPE", "ALL"] * 2
    assert float(rows[0]["f1"]) == pytest.approx(13 / 21, abs=1e-15)
    assert rows[2]["f1"] == rows[2]["conll"] == ""


def test_json_has_findings_and_null() -> None:
    write(Path(), *(text.replace("#end document", "") for text in phrases(PEOPLE)[:2]))
    result = run("key.conll", "a.conll", "--format", "json")
    assert result.exit_code == 0 and result.stderr.count("[W103]") == 2
    record = json.loads(result.stdout)
    assert [finding["code"] for finding in record["findings"]] == ["W103", "W103", "W409"]
    assert record["systems"][0]["types"]["GPE"]["f1"] is None
    assert "NaN" not in result.stdout


def test_the_result_can_go_to_a_file() -> None:
    shown = printed("key.conll", "a.conll", "--format", "json")
    assert printed("key.conll", "a.conll", "--format", "json", "-o", "out.json") == ""
    assert Path("out.json").read_text("utf-8") == shown
    assert printed("key.conll", "a.conll", "-o", "out.txt") == ""
    assert Path("out.txt").read_text("utf-8") == printed("key.conll", "a.conll")


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
        assert message.startswith("error: key.conll: no named entity is marked in any document")
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
