"""Documents whose names differ only in spelling are paired, and no others."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.findings import Code
from corefscope.matching.spelling import pair_spellings

CLUSTERS = [[(0, 1), (4, 4)], [(2, 2)]]


def paired(key: list[str], response: list[str]) -> dict[str, str]:
    """The name of the key for each name of the response."""
    pairs = pair_spellings(dict(enumerate(key)), dict(enumerate(response)))
    return {response[number]: key[document] for number, document in pairs.items()}


def run(command: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


SPELLINGS = ["(x); part 000", "(x); part 0", "(x);", "(x)", "x", "x_0", "x; part 00", "x  "]


@pytest.mark.parametrize("key", SPELLINGS)
@pytest.mark.parametrize("response", SPELLINGS)
@pytest.mark.parametrize("changed", ["{}", "bn/{}", "{}.v4_gold_conll", "C:\\data\\{}.txt.gz"])
def test_usual_spellings_of_one_name_are_paired(key: str, response: str, changed: str) -> None:
    response = response.replace("x", changed.format("x"))
    assert paired([key], [response]) == {response: key}
    assert paired([response], [key]) == {key: response}


@pytest.mark.parametrize(
    "response",
    [
        "bn_cnn_x_1",
        "(bn_cnn_x); part 001",
        "bn_cnn_x_1.txt",
        "bn_cnn_x_part_001",
        "x.part1",
        "bn/cnn/x-part-1.txt",
    ],
)
def test_folders_may_be_joined_with_underscores(response: str) -> None:
    """A file name cannot have the slashes of a document name."""
    assert paired(["(bn/cnn/x); part 001", "(bn/cnn/x); part 000"], [response]) == {
        response: "(bn/cnn/x); part 001"
    }


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (["x_0", "x; part 0"], ["x_1"]),
        (["(x); part 001"], ["(x);"]),
        (["(x); part 001"], ["x_0"]),
        (["x"], ["y"]),
        (["bn/x"], ["nw/x"]),
        (["bn/x", "nw/x"], ["x"]),
        (["x"], ["bn/x", "nw/x"]),
        (["x.a"], ["x.b"]),
        (["v1.2"], ["v1"]),
        (["x"], ["x.conll", "x.txt"]),
        (["bn/a/x", "bn/a_x"], ["bn_a_x"]),
        (["bn/a_x"], ["bn_a/x"]),
        (["x", "(x)"], ["(x); part 000"]),
        (["(a) x"], ["a) x"]),
    ],
)
def test_ambiguous_names_are_not_paired(key: list[str], response: list[str]) -> None:
    assert paired(key, response) == {}
    assert paired(response, key) == {}


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # x_1 may be part 1 of x as well as the text x_1.
        (["x_1_0", "x_1"], ["(x_1); part 000", "(x); part 001"], {}),
        (["x_1_0"], ["(x_1); part 000", "(x); part 001"], {"(x_1); part 000": "x_1_0"}),
        # x may be the whole text where the other side has several parts of it.
        (["x"], ["(x); part 000", "(x); part 001"], {}),
        (["x"], ["x_0", "x_1"], {}),
        (["bn/x.txt"], ["x_0.conll", "x_1.conll"], {}),
        (["x", "x_1"], ["x.txt", "x_1.txt"], {"x.txt": "x", "x_1.txt": "x_1"}),
        (["x"], ["(x); part 000", "(y); part 001"], {"(x); part 000": "x"}),
        # Programs write the number of a part behind an underscore without leading zeros.
        (["2019"], ["2019_00"], {}),
        (["(2019); part 000"], ["2019_00"], {}),
        (["2019"], ["2019_0"], {"2019_0": "2019"}),
        (["wsj_0100_0"], ["(wsj_0100); part 000"], {"(wsj_0100); part 000": "wsj_0100_0"}),
        # No spelling is preferred to another.
        (["(x); part 000"], ["(x); part 0", "(x);"], {}),
        (["bn/y", "y.txt"], ["y", "news/bn/y"], {}),
    ],
)
def test_only_pair_over_all_spellings(
    key: list[str], response: list[str], expected: dict[str, str]
) -> None:
    assert paired(key, response) == expected
    assert paired(response, key) == {ours: theirs for theirs, ours in expected.items()}


def test_the_parts_of_a_text_keep_their_numbers() -> None:
    key = [f"(wb/a2e_{n:04}); part {part:03}" for n in range(20) for part in range(12)]
    response = [f"wb/a2e_{n:04}_{part}" for n in range(20) for part in range(12)]
    assert paired(key, response) == dict(zip(response, key, strict=True))


def test_equal_names_are_paired_first() -> None:
    scores = cs.score({"x": CLUSTERS, "x_0": []}, {"x_0": [], "x": CLUSTERS}, missing="error")
    assert scores.mentions.f1 == 1
    assert not scores.findings


def test_many_pairs_are_one_finding() -> None:
    key = {f"(d/{n}); part 000": CLUSTERS for n in range(1000)}
    response = {f"d/{n}_0": CLUSTERS for n in range(1000)}
    with pytest.warns(cs.CorefscopeWarning, match="W209"):
        scores = cs.score(key, response, missing="error")
    assert scores.conll == 1
    (finding,) = scores.findings
    assert finding.code is Code.PAIRED_OTHERWISE
    for part in ("'d/0_0'", "'(d/0); part 000'", "999 other documents are"):
        assert part in finding.message
    with pytest.raises(cs.InvalidInput, match=r"'d/0_0'.*'\(d/0\); part 000'.*spelling.*E201"):
        cs.score(key, response, pair_by="name")


@pytest.mark.parametrize("name", ["story1", "(story1);", "(story1); part 0"])
def test_the_names_of_conll_files_need_no_warning(name: str) -> None:
    for key, response in ((name, "(story1); part 000"), ("(story1); part 000", name)):
        scores = cs.score({key: CLUSTERS}, {response: CLUSTERS}, missing="error")
        assert scores.conll == 1 and not scores.findings


def test_one_other_pair_is_singular() -> None:
    with pytest.warns(cs.CorefscopeWarning, match="; 1 other document is paired"):
        cs.score({"x": CLUSTERS, "y": CLUSTERS}, {"x_0": CLUSTERS, "y_0": CLUSTERS})


def test_what_is_not_paired_is_missing_and_extra() -> None:
    key = {"(x); part 000": CLUSTERS, "y": CLUSTERS}
    with pytest.warns(cs.CorefscopeWarning):
        scores = cs.score(key, {"x": CLUSTERS, "z": CLUSTERS})
    assert (scores.missing, scores.extra) == (["y"], ["z"])


def test_the_error_shows_names_of_both_sides() -> None:
    with pytest.raises(cs.InvalidInput, match=r"found 'c', 'd'; .* such as 'a', 'b' \[E201\]"):
        cs.score({"a": [], "b": []}, {"c": [], "d": []})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two documents: of the response the second is right, under another name."""
    monkeypatch.chdir(tmp_path)
    words = {"sentences": [["a", "b", "c", "d", "e"]], "ner": [[[0, 1, "PERSON"]]]}
    sides = {
        "key": {"(nw/x); part 000": CLUSTERS, "(nw/y); part 000": CLUSTERS},
        "response": {"x_0": [], "y_0": CLUSTERS},
    }
    for side, documents in sides.items():
        records = [
            {"doc_key": name, "clusters": clusters, **words} for name, clusters in documents.items()
        ]
        (tmp_path / f"{side}.jsonl").write_text("\n".join(map(json.dumps, records)))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "command",
    [
        "score key.jsonl response.jsonl --document '(nw/y); part 000'",
        "errors key.jsonl response.jsonl --document '(nw/y); part 000'",
        "explain muc key.jsonl response.jsonl --document '(nw/y); part 000'",
        "nec key.jsonl response.jsonl --document '(nw/y); part 000'",
        "nec key.jsonl response.jsonl --genres nw",
        "compare key.jsonl a=response.jsonl b=response.jsonl",
        "profiles key.jsonl response.jsonl",
        "report key.jsonl response.jsonl -o report.html",
        "score key.jsonl response.jsonl --format reference",
        "gate key.jsonl response.jsonl --baseline base.json",
    ],
)
def test_every_command_pairs_spellings(command: str) -> None:
    run("score key.jsonl response.jsonl --format json -o base.json")
    status, _, err = run(command)
    assert status == 0
    assert err.count("[W209]") == 1
    assert "[W201]" not in err and "[W202]" not in err
    assert run(f"{command} --pair-by name")[0] == 3 or "--genres" in command


@pytest.mark.usefixtures("folder")
def test_document_of_response_by_its_own_name() -> None:
    for name, f1 in (("(nw/x); part 000", 0), ("(nw/y); part 000", 1)):
        _, out, _ = run(
            f"score key.jsonl response.jsonl --document '{name}' --metrics mentions --format json"
        )
        assert json.loads(out)["systems"][0]["metrics"]["mentions"]["f1"] == f1


@pytest.mark.usefixtures("folder")
def test_results_under_names_of_the_key() -> None:
    run("score key.jsonl response.jsonl --per-document --format json -o stored.json")
    status, _, err = run("compare key.jsonl a=stored.json b=response.jsonl")
    assert status == 0, err
