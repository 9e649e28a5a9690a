"""Corrected responses as files."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs
from corefscope.choices import Singletons
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import Analysis, ErrorType
from corefscope.error_analysis.files import versions, write_corrected
from corefscope.error_analysis.impact import Scored
from corefscope.findings import Code
from error_examples import LAYERS, NAME, TOWN_A, TOWN_B, TOWN_KEY, analyses, town

Partition = dict[str, set[frozenset[object]]]


def partition(corpus: cs.Corpus) -> Partition:
    return {
        document.name: {
            frozenset(mention.id for mention in entity.mentions) for entity in document.entities
        }
        for document in corpus
    }


@pytest.fixture
def mixed(tmp_path: Path) -> Analysis:
    """Two documents with one error of each type between them."""
    names = "(x/1); part 000", "(x/1); part 001"
    key = "".join(town(TOWN_KEY, name) for name in names)
    response = town(TOWN_A, names[0]) + town(TOWN_B, names[1])
    (analysis,) = analyses(tmp_path, key, response)
    assert set(analysis.errors.values()) == {1}
    return analysis


def test_one_file_per_type_alone_and_cumulative(mixed: Analysis, tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there yet"
    files, findings = write_corrected(mixed, folder)
    found = sorted(str(file.relative_to(folder)) for file in folder.rglob("[!.]*.*"))
    written = [*files, folder / "key.conll"]
    assert found == sorted(str(file.relative_to(folder)) for file in written)
    assert found == [
        "alone/conflated_entities.conll",
        "alone/divided_entity.conll",
        "alone/extra_entity.conll",
        "alone/extra_mention.conll",
        "alone/missing_entity.conll",
        "alone/missing_mention.conll",
        "alone/span_error.conll",
        "cumulative/1-span_error.conll",
        "cumulative/2-conflated_entities.conll",
        "cumulative/3-extra_mention.conll",
        "cumulative/4-extra_entity.conll",
        "cumulative/5-divided_entity.conll",
        "cumulative/6-missing_mention.conll",
        "cumulative/7-missing_entity.conll",
        "key.conll",
        "none.conll",
    ]
    assert findings == []


def test_first_file_is_response_and_last_is_key(mixed: Analysis, tmp_path: Path) -> None:
    write_corrected(mixed, tmp_path / "out")
    none = cs.read(tmp_path / "out" / "none.conll")
    last = cs.read(tmp_path / "out" / "cumulative" / "7-missing_entity.conll")
    assert partition(none) == partition(cs.read(tmp_path / "a.conll"))
    assert partition(last) == partition(cs.read(tmp_path / "key.conll"))


def test_a_file_has_its_type_of_error_no_more(mixed: Analysis, tmp_path: Path) -> None:
    """Analysed again, and counted by the errors that one correction leaves to the others."""
    write_corrected(mixed, tmp_path / "out")
    for type in ErrorType:
        again = cs.analyze(tmp_path / "key.conll", tmp_path / "out" / "alone" / f"{type}.conll")
        assert again.errors[type] == 0, type


def test_files_keep_the_text_of_the_key(mixed: Analysis, tmp_path: Path) -> None:
    write_corrected(mixed, tmp_path / "out")
    for file in (tmp_path / "out").rglob("*.conll"):
        again = cs.analyze(file, file)
        assert again.sources.heads_by == mixed.sources.heads_by
        assert again.sources.types_by == mixed.sources.types_by
        assert again.sources.names == mixed.sources.names
        for ours, theirs in zip(cs.read(file), cs.read(tmp_path / "key.conll"), strict=True):
            assert ours.words == theirs.words and ours.sentences == theirs.sentences


def scores_of(path: Path, key: Path) -> Scored:
    return cs.score(key, path).metrics


def files_score_as_measured(analysis: Analysis, out: Path, key: Path) -> None:
    impact = analysis.impact()
    assert scores_of(out / "none.conll", key) == impact.before
    for number, type in enumerate(ErrorType, 1):
        assert scores_of(out / "alone" / f"{type}.conll", key) == impact.alone[type]
        file = out / "cumulative" / f"{number}-{type}.conll"
        assert scores_of(file, key) == impact.cumulative[type]


def test_files_score_as_impact(mixed: Analysis, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_corrected(mixed, out)
    files_score_as_measured(mixed, out, tmp_path / "key.conll")
    files_score_as_measured(mixed, out, out / "key.conll")
    assert partition(cs.read(out / "key.conll")) == partition(cs.read(tmp_path / "key.conll"))


@pytest.mark.parametrize("singletons", ["drop", "keep"])
def test_files_score_as_impact_with_key_singletons(singletons: Singletons, tmp_path: Path) -> None:
    """In the key, met and saw are singletons; the response has saw in an entity, and liked alone.

    Against the key as it was read the files would score less, unless singletons were kept.
    """
    key = TOWN_KEY.replace(" met ", " [8 met] ").replace(" saw ", " [9 saw] ")
    response = TOWN_B.replace("[4 met]", "met")
    for name, text in (("key", key), ("a", response)):
        (tmp_path / f"{name}.conll").write_text(town(text), encoding="utf-8")
    analysis = cs.analyze(tmp_path / "key.conll", tmp_path / "a.conll", singletons=singletons)
    out = tmp_path / "out"
    write_corrected(analysis, out)
    files_score_as_measured(analysis, out, out / "key.conll")
    as_read, as_analysed = (partition(cs.read(folder / "key.conll")) for folder in (tmp_path, out))
    small = {frozenset([(1, 1)]), frozenset([(11, 11)])}
    assert as_read[NAME] - as_analysed[NAME] == (small if singletons == "drop" else set())
    assert as_analysed[NAME] <= as_read[NAME]
    same = scores_of(out / "none.conll", tmp_path / "key.conll") == analysis.impact().before
    assert same == (singletons == "keep")


@pytest.mark.parametrize("system", RESPONSES)
def test_files_of_demo_score_as_impact(system: str, tmp_path: Path) -> None:
    analysis = cs.analyze(KEY, RESPONSES[system])
    files, _ = write_corrected(analysis, tmp_path)
    impact = analysis.impact()
    for file, (_, type, cumulative) in zip(files, versions(), strict=True):
        expected = impact.before
        if type != "none":
            expected = (impact.cumulative if cumulative else impact.alone)[ErrorType(type)]
        assert scores_of(file, tmp_path / "key.conll") == expected, file


def test_the_key_as_analysed_is_a_corpus_too(mixed: Analysis, tmp_path: Path) -> None:
    assert partition(mixed.key()) == partition(cs.read(tmp_path / "key.conll"))


def test_progress_hears_of_every_file(mixed: Analysis, tmp_path: Path) -> None:
    heard: list[int] = []
    write_corrected(mixed, tmp_path / "out", heard.append)
    assert sum(heard) == len(versions()) == 15


def columns(*cells: str) -> str:
    lines = [f"{number}\tw{number}\t{cell}" for number, cell in enumerate(cells)]
    return "\n".join(["#begin document (d)", *lines, "", "#end document", ""])


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_json_when_brackets_cannot_express_it(tmp_path: Path) -> None:
    """The two entities that hold 5 and 6 are united; with them, mentions that cross."""
    key = columns("-", "-", "-", "-", "-", "(1)", "(1)")
    response = columns("(1", "1)|(2", "2)", "-", "-", "(1)", "(2)")
    (analysis,) = analyses(tmp_path, key, response)
    files, findings = write_corrected(analysis, tmp_path / "out")
    (odd,) = [file for file in files if file.suffix != ".conll"]
    assert odd == tmp_path / "out" / "alone" / "divided_entity.jsonl"
    assert partition(cs.read(odd)) == {"(d)": {frozenset([(0, 1), (1, 2), (5, 5), (6, 6)])}}
    (finding,) = findings
    assert finding.code is Code.LOST_ANNOTATIONS
    assert str(odd) in finding.message and "1 of 16" in finding.message


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_mentions_outside_key_text(tmp_path: Path) -> None:
    """The response has four words, the key three."""
    (tmp_path / "key.conll").write_text(columns("(1)", "(1)", "-"))
    (tmp_path / "long.conll").write_text(columns("(1)", "(1)", "-", "(1)"))
    analysis = cs.analyze(tmp_path / "key.conll", tmp_path / "long.conll", tokens="ignore")
    files, findings = write_corrected(analysis, tmp_path / "out")
    written = partition(cs.read(files[0]))
    assert written == {"(d)": {frozenset([(0, 0), (1, 1), (3, 3)])}} or findings


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_mentions_without_position(tmp_path: Path) -> None:
    analysis = cs.analyze({"d": [["a", "b"], ["c", "d"]]}, {"d": [["a", "c"], ["b", "d"]]})
    files, _ = write_corrected(analysis, tmp_path / "out")
    assert partition(cs.read(files[0])) == {"d": {frozenset("ac"), frozenset("bd")}}
    (last,) = [file for file in files if file.name.startswith("7-")]
    assert partition(cs.read(last)) == {"d": {frozenset("ab"), frozenset("cd")}}


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("layers", [LAYERS, "tags parse", "tags", ""])
def test_response_without_errors(layers: str, tmp_path: Path) -> None:
    text = town(TOWN_KEY, layers=layers)
    (analysis,) = analyses(tmp_path, text, text)
    files, findings = write_corrected(analysis, tmp_path / "out")
    assert len(files) == 15 and findings == []
    key = partition(cs.read(tmp_path / "key.conll"))
    assert all(partition(cs.read(file)) == key for file in files)
