"""Every result has flat figures, a data frame, a readable form, and a table in a notebook."""

from __future__ import annotations

import builtins
from collections.abc import Callable

import pytest

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from corefscope.results.rows import MOST_ROWS, Tabular

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
DOCUMENT = "(demo/news/harbour); part 000"
RESULTS: dict[str, Callable[[], Tabular]] = {
    "scores": lambda: cs.score(KEY, RESPONSES["sieve"]),
    "analysis": lambda: cs.analyze(KEY, RESPONSES["sieve"]),
    "impact": lambda: cs.analyze(KEY, RESPONSES["sieve"]).impact(),
    "nec": lambda: cs.nec(KEY, RESPONSES["sieve"]),
    "comparison": lambda: cs.compare(KEY, RESPONSES, samples=100),
    "evaluation": lambda: cs.evaluate(KEY, RESPONSES),
    "description": lambda: cs.describe(KEY),
    "explanation": lambda: cs.explain("muc", KEY, RESPONSES["sieve"], document=DOCUMENT),
}


@pytest.fixture(scope="module", params=RESULTS)
def result(request: pytest.FixtureRequest) -> Tabular:
    return RESULTS[request.param]()


def test_figures_are_flat(result: Tabular) -> None:
    figures = result.to_dict()
    assert figures
    for name, figure in figures.items():
        assert isinstance(name, str) and isinstance(figure, (int, float, str))
        assert figure == figure, name


def test_a_frame_has_a_row_for_each_row(result: Tabular) -> None:
    frame = result.to_frame()
    rows = result._rows()
    assert len(frame) == len(rows) > 0
    assert list(frame.columns) == list(rows[0])
    assert all(list(row) == list(rows[0]) for row in rows)


def test_a_notebook_shows_a_table(result: Tabular) -> None:
    html = result._repr_html_()
    rows = min(len(result._rows()), MOST_ROWS)
    assert html.count("<tr>") == rows + 1 and html.count("<th>") == len(result._rows()[0])
    assert repr(result).startswith("<") and repr(result).endswith(">") and "\n" not in repr(result)


def test_message_without_pandas(result: Tabular, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def fail(name: str, *args: object, **kwargs: object) -> object:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", fail)
    with pytest.raises(ImportError, match="pip install pandas"):
        result.to_frame()


def test_figures_are_those_of_the_result() -> None:
    scores = cs.score(KEY, RESPONSES["sieve"])
    figures = scores.to_dict()
    assert figures["muc/recall"] == scores.muc.recall
    assert figures["conll"] == scores.conll == scores["conll"]
    evaluation = cs.evaluate(KEY, RESPONSES)
    assert evaluation.to_dict()["sieve/ceafe/f1"] == scores.ceafe.f1
    comparison = cs.compare(KEY, RESPONSES, samples=100)
    difference = comparison.difference("sieve", "string-match")
    figures = comparison.to_dict()
    assert figures["sieve/conll"] == scores.conll
    assert figures["sieve/conll/low"] == comparison.estimates["sieve"]["conll"].low
    assert figures["sieve-string-match/conll"] == difference.difference
    assert figures["sieve-string-match/conll/p"] == difference.p
    analysis = cs.analyze(KEY, RESPONSES["sieve"])
    assert analysis.to_dict()["errors/divided_entity"] == analysis.errors["divided_entity"]
    assert len(analysis.to_frame()) == len(analysis.records)


def test_figures_of_impact_are_its_gains() -> None:
    impact = cs.analyze(KEY, RESPONSES["sieve"]).impact()
    type = cs.ErrorType.DIVIDED_ENTITY
    figures = impact.to_dict()
    assert figures["divided_entity/b3/alone_recall"] == impact.gains(type)["b3"].recall
    assert figures["divided_entity/b3/step_f1"] == impact.steps()[type]["b3"].f1
    conll = [impact.gains(type)[id].f1 for id in ("muc", "b3", "ceafe")]
    assert figures["divided_entity/conll/alone_f1"] == pytest.approx(sum(conll) / 3)
    assert "divided_entity/conll/alone_recall" not in figures
    for action, gained in impact.actions().items():
        assert figures[f"{action}/muc/alone_f1"] == gained["muc"].f1
    rows = impact.to_frame().set_index(["type", "metric"])
    assert rows.loc[("wrong_links", "muc"), "alone_f1"] == figures["wrong_links/muc/alone_f1"]
    assert "wrong_links/muc/step_f1" not in figures
    assert "on conll: span_error +" in repr(impact)


def test_impact_in_an_index_without_recall() -> None:
    impact = cs.analyze(KEY, RESPONSES["sieve"]).impact("rand")
    assert set(impact.to_dict()) == {
        *(f"{type}/rand/{way}_f1" for type in cs.ErrorType for way in ("alone", "step")),
        "wrong_links/rand/alone_f1",
    }


def test_an_index_without_recall_has_none() -> None:
    figures = cs.score(KEY, RESPONSES["sieve"], metrics="rand").to_dict()
    assert list(figures) == ["rand/f1"]


def test_scores_show_their_metrics() -> None:
    scores = cs.score(KEY, RESPONSES["sieve"], metrics="muc,b3")
    assert {"muc", "b3", "conll", "to_frame"} <= set(dir(scores)) and "ceafe" not in dir(scores)
    with pytest.raises(KeyError):
        scores["conll"]


def test_what_a_notebook_shows_is_escaped() -> None:
    scores = cs.score({"d": [[(0, 0), (2, 2)]]}, {"d": [[(0, 0), (2, 2)]]})
    assert "&lt;Scores of 1 document" in scores._repr_html_()


def test_a_notebook_shows_entropies_in_nats() -> None:
    scores = cs.score([{1, 2, 3}], [{1, 2}, {3}], metrics="vi,b3")
    shown = scores._repr_html_()
    assert f"<td>{scores['vi'].f1:.4f}</td>" in shown
    assert f"<td>{100 * scores['b3'].f1:.2f}</td>" in shown
