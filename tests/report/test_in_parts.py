"""A report is made of some documents at a time: what it says is that of all of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import corefscope as cs
from corefscope.corpus import tasks
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis.analysis import AnalysisPart
from corefscope.report import Contents
from corefscope.report.contents import ReportPart

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
