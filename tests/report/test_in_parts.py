"""A report is made of some documents at a time: what it says is that of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.corpus import tasks
from corefscope.demo import KEY, RESPONSES
from corefscope.engines import using
from corefscope.error_analysis import ErrorOptions
from corefscope.error_analysis.analysis import AnalysisPart
from corefscope.named_entities.measure import NecPart, NecWork
from corefscope.report import Contents
from corefscope.report.contents import ReportPart
from divided import Divided
from report.report_pages import unpacked

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
WORDS = (("Ann", "(PERSON)"), ("saw", "*"), ("herself", "*"), ("Bob", "(PERSON)"), ("he", "*"))


TREE = ("(TOP(S(NP*)", "(VP*", "(NP*)", "(NP*)", "(NP*))))")


def document(name: str, *, named: bool, parsed: bool = False, second: int = 2) -> str:
    """Return a document in CoNLL; ``second`` is the entity of its last two mentions."""
    parse = TREE if parsed else "*" * len(WORDS)
    cells = ["(1)", "-", "(1)", f"({second})", f"({second})"]
    lines = [
        " ".join([name, "0", str(token), word, "NNP", bit, *"----", tag if named else "*", cell])
        for token, ((word, tag), bit, cell) in enumerate(zip(WORDS, parse, cells, strict=True))
    ]
    return f"#begin document ({name}); part 000\n" + "\n".join(lines) + "\n\n#end document\n"


@pytest.mark.parametrize("parsed", [(False,) * 3, (True, False, True)], ids=["plain", "parsed"])
@pytest.mark.parametrize("named", list(product([True, False], repeat=3)))
def test_parts_that_differ_in_their_layers(
    named: Sequence[bool],
    parsed: Sequence[bool],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """How heads are found is chosen for all documents, whatever some of them have."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    for path, second in ((key, 2), (response, 1)):
        layers = zip("abc", named, parsed, strict=True)
        path.write_text(
            "".join(
                document(name, named=has_names, parsed=is_parsed, second=second)
                for name, has_names, is_parsed in layers
            )
        )
    expected = cs.evaluate(key, {"s": response}).report().html
    monkeypatch.setattr(tasks, "ENOUGH", 1)
    for engine in (None, Divided(2), Divided(3)):
        evaluation = cs.evaluate(key, {"s": response})
        if engine is None:
            found = evaluation.report().html
        else:
            with using(engine):
                found = evaluation.report().html
        assert found == expected
        if any(named):
            measured = evaluation["s"].named_entities
            assert [each.name for each in measured.documents] == list(evaluation.key.document_names)
            assert measured.to_dict() == cs.nec(key, response).to_dict()
            assert measured.heads == "heuristic"


def test_an_interrupted_report_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "ENOUGH", 10)
    expected = cs.analyze(KEY, RESPONSES["sieve"]).errors
    make, calls = Contents._part, 0

    def interrupted(
        contents: Contents, numbers: range, analysed: Sequence[AnalysisPart]
    ) -> ReportPart:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return make(contents, numbers, analysed)

    monkeypatch.setattr(Contents, "_part", interrupted)
    for asks_again in (False, True):
        calls = 0
        evaluation = cs.evaluate(KEY, {"sieve": RESPONSES["sieve"]})
        contents = Contents(evaluation=evaluation, title="")
        with pytest.raises(KeyboardInterrupt):
            contents.summary()
        if asks_again:
            assert len(list(contents.documents())) == 10
        assert evaluation["sieve"].errors.errors == expected


def test_two_reports_of_one_evaluation() -> None:
    evaluation = cs.evaluate(KEY, {"sieve": RESPONSES["sieve"]})
    made = [list(Contents(evaluation=evaluation, title="").documents()) for _ in range(2)]
    assert made[0] == made[1] and len(evaluation["sieve"].errors.documents) == 10
    html = [evaluation.report().html for _ in range(2)]
    assert html[0] == html[1] == cs.make_report(KEY, {"sieve": RESPONSES["sieve"]}).html


def test_a_document_that_the_published_tool_does_not_analyse(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text("".join(document(name, named=True) for name in "abc"))
    response.write_text("".join(document(name, named=True, second=1) for name in "ac"))
    evaluation = cs.evaluate(key, {"s": response})
    contents = Contents(
        evaluation=replace(evaluation, error_options=ErrorOptions("berkeley")), title=""
    )
    names = list(evaluation.key.document_names)
    assert [unpacked(each)["name"] for each in contents.documents()] == names
    assert set(contents.errors()["document"]) == {0, 2}


def test_parts_with_other_heads_are_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of three documents have trees, which cannot be used if the third has none."""
    key = tmp_path / "key.conll"
    parsed = zip("abc", (True, False, True), strict=True)
    key.write_text("".join(document(name, named=True, parsed=has) for name, has in parsed))
    measure, again = NecWork.some, list[range]()

    def counted(work: NecWork, only: range, heads: Sequence[str] = ()) -> NecPart:
        again.extend([only] if heads else [])
        return measure(work, only, heads)

    monkeypatch.setattr(NecWork, "some", counted)
    monkeypatch.setattr(tasks, "ENOUGH", 1)
    cs.evaluate(key, {"s": key}).report()
    assert again == [range(1), range(2, 3)]
