"""A text where several are expected is refused, never split into its letters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

import corefscope as cs
from corefscope import choices
from corefscope.cli.score import command as score_command
from corefscope.demo import KEY, RESPONSES

CLUSTERS = [["a", "b"], ["c"]]
SIEVE = RESPONSES["sieve"]
LABELS = {"entity": [0, 0, 1], "document": [0, 1, 2]}

SEVERAL: dict[str, tuple[str, Callable[[Any], object]]] = {
    "genres": ("news", lambda given: cs.nec(KEY, SIEVE, genres=given)),
    "include": ("*.conll", lambda given: cs.read(KEY, include=given)),
    "document_names": ("abc", lambda given: cs.Corpus.from_arrays(**LABELS, document_names=given)),
    "names": ("abc", lambda given: cs.Corpus.from_clusters({"abc": CLUSTERS}).restricted(given)),
}
BY_NAME: dict[str, Callable[[Any], object]] = {
    "types": lambda given: cs.nec(KEY, SIEVE, types=given),
    "type_map": lambda given: cs.nec(KEY, SIEVE, type_map=given),
    "responses": lambda given: cs.compare(KEY, given),
    "responses ": lambda given: cs.make_report(KEY, given),
}


@pytest.mark.parametrize("parameter", SEVERAL)
def test_one_text_is_not_several(parameter: str) -> None:
    text, call = SEVERAL[parameter]
    with pytest.raises(TypeError, match=rf"{parameter} is the string .*; pass a list, such as"):
        call(text)
    for wrong in (7, [text, 7]):
        with pytest.raises(TypeError, match=rf"{parameter} .*7; expected a list of strings"):
            call(wrong)


@pytest.mark.parametrize("given", ["PER", ["PER"], {7: "PER"}, 7])
@pytest.mark.parametrize("parameter", BY_NAME)
def test_what_goes_by_name_is_a_dict(parameter: str, given: Any) -> None:
    with pytest.raises(TypeError, match=rf"{parameter.strip()} .*; expected a"):
        BY_NAME[parameter](given)


def test_names_for_nec_are_a_path_or_a_dict() -> None:
    with pytest.raises(TypeError, match="names is of type list; expected a dict"):
        cs.nec(KEY, SIEVE, names=[(0, 1, "PER")])  # type: ignore[arg-type]


CORPUS = cs.Corpus.from_clusters({"x": CLUSTERS})
WRONG: dict[str, tuple[str, Callable[[Any], object]]] = {
    "path": ("path is of type", cs.read),
    "columns": ("columns is of type", lambda given: cs.read(KEY, columns=given)),
    "corpus": ("corpus is of type", lambda given: cs.write(given, "x.conll")),
    "output": ("path is of type", lambda given: cs.write(CORPUS, given)),
    "text": ("text is of type", cs.read_answer),
    "source": ("text is", lambda given: cs.read_answer("[Ida](#0)", source=given)),
    "other": ("other is of type", lambda given: cs.Scorer().merge(given)),
    "clusters": ("instead of a dict; expected", cs.Corpus.from_clusters),
    "entities": ("is not a list of entities", lambda given: cs.score(CLUSTERS, given)),
    "texts": ("text is", lambda given: cs.Corpus.from_clusters({"x": []}, text={"x": given})),
    "profile": ("no profile named", lambda given: cs.score(CLUSTERS, CLUSTERS, profile=given)),
    "metric": ("no explainable metric named", lambda given: cs.explain(given, CLUSTERS, CLUSTERS)),
    "format": ("no format", lambda given: cs.write(CORPUS, "x.conll", given)),
    "style": ("no style", lambda given: cs.read_answer("x", style=given)),
    "jobs": ("expected a whole number", lambda given: cs.score(KEY, SIEVE, jobs=given)),
    "confidence": ("confidence is", lambda given: cs.compare(KEY, {"a": SIEVE}, confidence=given)),
}


@pytest.mark.parametrize("parameter", WRONG)
def test_what_cannot_be_an_argument_is_refused_by_an_exception_of_the_package(
    parameter: str,
) -> None:
    message, call = WRONG[parameter]
    with pytest.raises(cs.CorefscopeError, match=message) as refused:
        call(7.5)
    assert isinstance(refused.value, cs.WrongArgument | cs.UnknownName)


METRICS: dict[str, Callable[[Any], object]] = {
    "score": lambda given: cs.score(CLUSTERS, CLUSTERS, metrics=given),
    "Scorer": lambda given: cs.Scorer(metrics=given),
    "impact": lambda given: cs.analyze(CLUSTERS, CLUSTERS).impact(given),
}


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("entrance", METRICS)
def test_metrics_as_list_or_text(entrance: str) -> None:
    call = METRICS[entrance]
    for given in ("muc", "muc,b3", ["muc", "b3"], ("muc",), None):
        call(given)
    with pytest.raises(ValueError, match="no metric was chosen; expected one or more"):
        call([])
    with pytest.raises(TypeError, match="metrics contains 7; expected a list of strings"):
        call(["muc", 7])


GROUPS = {
    "score": choices.ScoringOptions,
    "evaluate": choices.ScoringOptions,
    "compare": choices.ScoringOptions,
    "analyze": choices.AnalysisOptions,
    "explain": choices.ExplanationOptions,
}


@pytest.mark.parametrize("name", GROUPS)
def test_help_lists_every_option_with_its_meaning(name: str) -> None:
    text = " ".join((getattr(cs, name).__doc__ or "").split())
    for option in GROUPS[name].__annotations__:
        declared = choices.declared(GROUPS[name], option)
        assert f"``{option}``: {declared.meaning}" in text
        for value in choices.values(GROUPS[name], option):
            assert repr(value) in text
    assert "OPTIONS" not in text


@pytest.mark.parametrize("name", GROUPS)
def test_an_option_that_does_not_exist_is_refused(name: str) -> None:
    one, several = [["a"]], {"x": [["a"]], "y": [["a"]]}
    arguments: tuple[object, ...] = (one, several if name in ("evaluate", "compare") else one)
    if name == "explain":
        arguments = ("muc", *arguments)
    with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected .* 'singleton'; .*match"):
        getattr(cs, name)(*arguments, singleton="keep")


def test_a_misspelt_keyword_is_told_all_that_a_function_has() -> None:
    with pytest.raises(TypeError, match=r"its options are mode, singletons, .*zeros"):
        cs.analyze([["a"]], [["a"]], singeltons="keep")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"its options are baseline, .*samples, .*metrics"):
        cs.compare([["a"]], {"x": [["a"]]}, smaples=3)  # type: ignore[call-arg]


def test_analyses_do_not_take_the_options_of_scores() -> None:
    with pytest.raises(TypeError, match="'metrics'"):
        cs.analyze([["a"]], [["a"]], metrics="muc")  # type: ignore[call-arg]


IN_PYTHON = {"topics"}
"""What the command line has no option for, because files have it."""


@pytest.mark.parametrize(
    "option", [name for name in choices.ScoringOptions.__annotations__ if name not in IN_PYTHON]
)
def test_the_command_line_has_the_options_of_the_library(option: str) -> None:
    (found,) = [each for each in score_command.params if each.name == option]
    assert isinstance(found, click.Option)
    declared = choices.declared(choices.ScoringOptions, option)
    assert found.help == declared.meaning
    # A flag is off unless it is given; click has no default for it.
    is_off = found.is_flag and declared.default is False
    assert is_off or found.default == declared.default or declared.default is None
    known = choices.values(choices.ScoringOptions, option)
    if known:
        assert isinstance(found.type, click.Choice) and tuple(found.type.choices) == known


def test_an_empty_name_is_no_profile() -> None:
    """As an unset variable of a shell gives it."""
    with pytest.raises(cs.UnknownName, match="no profile named ''"):
        cs.score([["a", "b"]], [["a", "b"]], profile="")


def test_a_file_with_the_name_of_an_argument_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("response").write_text('{"corefscope": "0.1.0", "schema": "score/1"}', encoding="utf-8")
    assert cs.score([["a", "b"]], [["a", "b"]]).muc.f1 == 1
