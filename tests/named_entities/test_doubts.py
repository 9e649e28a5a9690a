"""Types that NEC leaves out are named."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope import InvalidInput
from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "gum"
quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
WORDS = ["Ann", "met", "Bob", "in", "the", "Bank", "of", "Rome", "'s", "yard", "on", "Monday"]


def corpus(path: Path, names: Iterable[tuple[int, int, str]], clusters: list[Any]) -> cs.Corpus:
    record = {"doc_key": "d", "sentences": [WORDS], "clusters": clusters, "ner": [list(names)]}
    path.write_text(json.dumps(record) + "\n")
    return cs.read(path)


def left_out(measured: Any) -> list[str]:
    return [finding.message for finding in measured.findings if finding.code.id == "W409"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "key.jsonl"


TYPED = [(0, 0, "PERSON"), (2, 2, "LOC"), (7, 7, "LOC"), (9, 9, "NORP"), (11, 11, "DATE")]
SINGLE = [[[0, 0]], [[2, 2]], [[7, 7]], [[9, 9]], [[11, 11]], [[1, 1]]]


@quiet
def test_unmeasured_types_are_counted(file: Path) -> None:
    key = corpus(file, TYPED, SINGLE)
    found = cs.nec(key, key)
    assert found.unmeasured == {"LOC": 2, "NORP": 1, "DATE": 1}
    (message,) = left_out(found)
    assert message == (
        "3 entities of the key have types that NEC does not measure: 'LOC' (2), 'NORP' (1); it "
        "measures PER, ORG, GPE; to include them, map tags to types, such as 'LOC' to 'GPE'"
    )


@quiet
def test_mapped_types_are_measured(file: Path) -> None:
    key = corpus(file, TYPED, SINGLE)
    found = cs.nec(key, key, type_map={"LOC": "GPE"})
    assert (found["GPE"].chains, found["PER"].chains) == (2, 1)
    (message,) = left_out(found)
    assert message.startswith(
        "1 entity of the key has a type that NEC does not measure: 'NORP' (1)"
    )
    assert message.endswith("such as 'NORP' to itself, to measure it as a type of its own")
    all_of_them = cs.nec(key, key, type_map={"LOC": "GPE", "NORP": "NORP"})
    assert left_out(all_of_them) == [] and all_of_them["NORP"].chains == 1
    assert all_of_them.unmeasured == {"DATE": 1}


@quiet
def test_type_map_adds_to_given_types(file: Path) -> None:
    key = corpus(file, TYPED, SINGLE)
    found = cs.nec(key, key, types={"NORP": "ORG"}, type_map={"LOC": "GPE"})
    assert [(type, score.chains) for type, score in found.types.items()] == [
        ("ORG", 1), ("GPE", 2), ("ALL", 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "names", [[(0, 0, "PERSON")], [(0, 0, "ORG"), (11, 11, "DATE"), (9, 9, "CARDINAL")]]
)
def test_dates_numbers_and_default_types(names: list[tuple[int, int, str]], file: Path) -> None:
    key = corpus(file, names, SINGLE)
    assert cs.nec(key, key).findings == ()
    with pytest.warns(cs.CorefscopeWarning, match="W409"):
        (said,) = left_out(cs.nec(key, key, types={"GPE": "GPE"}))
    assert said.startswith("no name has the type 'GPE'"), "the others were not chosen"


@quiet
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"types": {"PER": "PER", "PERSON": "PER", "LOC": "LOC"}}, None),
        ({"type_map": {"LOC": "GPE", "PLACE": "GPE"}}, None),
        ({"types": {"PER": "PER"}}, "no name has the type 'PER' (tag 'PER')"),
        ({"types": {"LOC": "GPE", "ORG": "ORG"}}, "no name has the type 'ORG' (tag 'ORG')"),
        (
            {"type_map": {"WOA": "ART", "ART": "ART", "EVT": "EVENT"}},
            "no name has the types 'ART', 'EVENT' (tags 'WOA', 'ART', 'EVT')",
        ),
    ],
)
def test_chosen_types_that_never_occur(
    options: dict[str, Any], message: str | None, file: Path
) -> None:
    key = corpus(file, TYPED, SINGLE)
    findings = cs.nec(key, key, **options).findings
    tags = "; the tags of the names are 'LOC', 'PERSON', 'NORP', 'DATE'"
    absent = [f.message for f in findings if f.message.startswith("no name has")]
    assert absent == ([f"{message}{tags}"] if message else [])


@quiet
def test_command_names_type_that_never_occurs(file: Path) -> None:
    corpus(file, TYPED, SINGLE)
    result = CliRunner().invoke(main, ["nec", str(file), str(file), "--types", "PER,ORG"])
    assert "no name has the type 'ORG'" in result.stderr
    assert "\n  fix: --types or --map TAG=TYPE\n" in result.stderr


@pytest.mark.parametrize(
    ("listed", "warns"), [(range(2), True), (range(8), True), (range(9), False), (range(10), False)]
)
def test_names_for_some_documents(listed: range, warns: bool, tmp_path: Path) -> None:
    record = {"sentences": [WORDS], "clusters": SINGLE}
    lines = (json.dumps({"doc_key": f"d{n}", **record}) for n in range(10))
    key = tmp_path / "key.jsonl"
    key.write_text("\n".join(lines))
    names = tmp_path / "names.tsv"
    names.write_text("".join(f"d{n}\t0\t0\tPER\n" for n in listed))
    found = CliRunner().invoke(main, ["nec", str(key), str(key), "--names", str(names)]).stderr
    counts = f"{names}: {len(listed)} of 10 documents of the key have names here; the named"
    assert (counts in found) == ("W407" in found) == warns
    if warns:
        assert f"the first document without names is 'd{len(listed)}'" in found
    # JSON can say that a document has no name.
    given: dict[str, list[Any]] = {f"d{n}": [] for n in range(10)}
    given["d0"] = [(0, 0, "PER")]
    assert cs.nec(key, key, names=given).findings == ()


@quiet
def test_entity_with_one_measured_name(file: Path) -> None:
    key = corpus(file, [(0, 0, "PERSON"), (2, 2, "LOC")], [[[0, 0], [2, 2]]])
    assert cs.nec(key, key).unmeasured == {}


@quiet
def test_many_types_are_listed_in_part(file: Path) -> None:
    key = corpus(file, [(at, at, f"T{at}") for at in range(7)], [[[at, at]] for at in range(7)])
    (message,) = left_out(cs.nec(key, key))
    assert "'T4' (1) and 2 more; it measures" in message


def test_command_option_and_types_in_json(file: Path) -> None:
    corpus(file, TYPED, SINGLE)
    result = CliRunner().invoke(main, ["nec", str(file), str(file), "--format", "json"])
    (line,) = [line for line in result.stderr.splitlines() if "W409" in line]
    assert line.endswith("such as 'LOC' to 'GPE'")
    record = json.loads(result.stdout)
    unmeasured = {each["tag"]: each["chains"] for each in record["systems"][0]["unmeasured"]}
    assert unmeasured == {"LOC": 2, "NORP": 1, "DATE": 1}
    assert "W409" in {finding["code"] for finding in record["findings"]}


def chains(path: Path, clusters: list[Any]) -> list[list[tuple[str, ...]]]:
    key = corpus(path, [(5, 8, "ORG")], clusters)
    return [list(row.chain.variants) for row in cs.nec(key, key).rows]


def test_name_beyond_a_mention(file: Path) -> None:
    """Rome is part of a longer name, whose type it takes."""
    clusters = [[[4, 7]], [[7, 7]], [[6, 7]]]
    bank = ("Bank", "of", "Rome")
    assert chains(file, clusters) == [[bank], [("Rome",)], [("of", "Rome")]]


def test_possessive_ending_outside_mention(file: Path) -> None:
    bank = ("Bank", "of", "Rome")
    assert chains(file, [[[5, 7]], [[5, 8]]]) == [[bank], [bank]]


@quiet
@pytest.mark.skipif(not SHARED.exists(), reason="no corpus beside this checkout")
def test_the_figures_of_the_documentation() -> None:
    key, response = SHARED / "key.conll.gz", SHARED / "response.conll.gz"
    score = cs.nec(key, response)["ALL"]
    assert score.chains == 488 and score.f1 == pytest.approx(0.4555, abs=5e-5)


@quiet
def test_the_demo_has_locations() -> None:
    assert cs.nec(KEY, RESPONSES["sieve"]).unmeasured["LOC"] == 3


@pytest.mark.parametrize(
    "rows",
    [
        [(0, 0, "PER"), (0, 0, "ORG")],
        [(1, 0, "PER")],
        [(0, "PER")],
        [(0, 0, "")],
        [(-1, 0, "PER")],
        [(True, 1, "PER")],
        [(0.0, 1.0, "PER")],
        ["0 0 PER"],
        "PER",
        None,
    ],
)
def test_names_in_python_are_checked(rows: Any, file: Path) -> None:
    key = corpus(file, [(0, 0, "PER")], [[[0, 0]]])
    with pytest.raises(InvalidInput) as caught:
        cs.nec(key, key, names={"d": rows})
    assert {finding.code.id for finding in caught.value.findings} == {"E135"}


def test_numbers_of_numpy_are_tokens(file: Path) -> None:
    import numpy as np

    key = corpus(file, [(0, 0, "PER")], [[[0, 0]]])
    assert cs.nec(key, key, names={"d": [(np.int64(0), np.int32(0), "PER")]})["PER"].f1 == 1


def test_duplicate_name_in_python(file: Path) -> None:
    key = corpus(file, [(0, 0, "PER")], [[[0, 0]]])
    with pytest.warns(cs.CorefscopeWarning, match="W407"):
        found = cs.nec(key, key, names={"d": [(0, 0, "PER"), (0, 0, "PER")]})
    assert found["PER"].chains == 1
