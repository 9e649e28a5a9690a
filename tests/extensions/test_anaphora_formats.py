"""The profiles ua-1 and ua-2 where key and response do not have the same lines, or formats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import corefscope as cs
from anaphora_text import document, mark, only, row
from corefscope.exceptions import UnknownName
from corefscope.findings import Finding

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
CELLS = [only(1, "a"), only(2, "b"), only(1, "c"), only(1, "d"), only(2, "e"), only(1, "f")]
NODE = row(id="2.1", word="_")


def with_node(text: str, node: str = NODE, before: str = "3\t") -> str:
    """Put an empty node before a word."""
    assert f"\n{before}" in text
    return text.replace(f"\n{before}", f"\n{node}{before}", 1)


def scored(folder: Path, key: str, response: str, **options: str) -> cs.Scores:
    paths = folder / "key.conllua", folder / "response.conllua"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    return cs.score(*paths, **options)  # type: ignore[arg-type]


def of_code(scores: cs.Scores, code: str) -> Sequence[Finding]:
    return [finding for finding in scores.findings if finding.code.id == code]


# ---- Empty nodes of one side ----


def nodes_shift(scores: cs.Scores) -> Sequence[Finding]:
    """What is said about empty nodes that only one side has."""
    found = of_code(scores, "W220")
    return [finding for finding in found if finding.expected == "the same empty nodes"]


@pytest.mark.parametrize("side", ["key", "response"])
def test_a_node_of_one_side_shifts_the_tokens_of_version_1(side: str, tmp_path: Path) -> None:
    """The figures are the official ones, which count lines; the finding has the others."""
    plain = document(*CELLS)
    texts = {"key": plain, "response": plain, side: with_node(plain)}
    found = scored(tmp_path, **texts, profile="ua-1")
    assert found.muc.recall_counts == (1, 4) and found.mentions.recall_counts == (5, 6)
    (finding,) = of_code(found, "W220")
    assert finding.file is not None and Path(finding.file).stem == side and finding.line == 4
    other = "response" if side == "key" else "key"
    assert f"document 'x' has the empty node 2.1 here, the {other} does not" in finding.message
    assert "MUC 25.00 instead of 100.00" in finding.message
    assert scored(tmp_path, **texts, profile="ua-2").muc.f1 == 1


def test_the_clean_figures_are_those_of_files_with_the_same_nodes(tmp_path: Path) -> None:
    """Zeros, markables over a node, minimum spans and other errors included."""
    cells = [mark(1, "a", "Min=2"), "_", ")", only(2, "c"), only(1, "d"), only(2, "e")]
    key = with_node(document(*cells), row(only(2, "z"), id="1.1", word="_"), "2\t")
    key = key.replace("Min=2", "Min=3")
    wrong = document(*[*cells[:4], only(2, "d"), only(2, "e")])
    node = row(only(1, "z"), id="4.1", word="_")
    response = with_node(wrong, node, "5\t")
    both = [
        with_node(key, row(id="4.1", word="_"), "5\t"),
        with_node(response, row(id="1.1", word="_"), "2\t"),
    ]
    for match in ("exact", "min"):
        found = scored(tmp_path, key, response, profile="ua-1", match=match)
        clean = scored(tmp_path, *both, profile="ua-1", match=match)
        (finding,) = nodes_shift(found)
        assert not nodes_shift(clean)
        for name, score in {"MUC": clean.muc, "B³": clean.b3, "CEAFe": clean.ceafe}.items():
            assert f" instead of {100 * score.f1:.2f}" in finding.message.split(name)[1]


def test_nodes_that_change_no_figure_are_not_reported(tmp_path: Path) -> None:
    plain = document(*CELLS, "_", "_")
    found = scored(tmp_path, plain, with_node(plain, row(id="7.1"), "8\t"), profile="ua-1")
    assert found.muc.f1 == 1 and not of_code(found, "W220")
    same = with_node(plain)
    assert not of_code(scored(tmp_path, same, same, profile="ua-1"), "W220")


def test_the_finding_names_the_first_of_several_documents(tmp_path: Path) -> None:
    plain = [document(*CELLS, name=name) for name in "abc"]
    key = "".join([plain[0], *map(with_node, plain[1:])])
    (finding,) = of_code(scored(tmp_path, key, "".join(plain), profile="ua-1"), "W220")
    assert "document 'b' has" in finding.message and "(1 other document has" in finding.message
    assert finding.line == 11


# ---- Mentions ----


def test_mentions_are_those_that_the_profile_scores(tmp_path: Path) -> None:
    """Singletons, zeros, repeated markables and the layer count as in the other metrics."""
    cells = [*CELLS, only(3, "g"), only(1, "h") + only(2, "i")]
    key = with_node(document(*cells), row(only(1, "z"), id="2.1", word="_"))
    response = with_node(document(*cells[:4], *"____"), row(only(1, "z"), id="2.1", word="_"))
    usual = scored(tmp_path, key, response, profile="ua-1")
    assert usual.mentions.recall_counts == (5, 10)
    assert usual.mentions.recall_counts[1] == usual.b3.recall_counts[1]
    without = scored(tmp_path, key, response, profile="ua-2")
    assert without.mentions.recall_counts == (3, 8)
    assert without.mentions.precision_counts == (3, 3)
    deixis = scored(tmp_path, key, response, profile="ua-1", layer="deixis")
    assert deixis.mentions.recall_counts == (0, 0)


def test_a_split_antecedent_counts_among_mentions_as_far_as_it_is_right(tmp_path: Path) -> None:
    cells = [only(1, "a", "ElementOf=4"), only(2, "b", "ElementOf=4"), only(3, "c"), only(4, "d")]
    key, response = document(*cells), document(cells[0], only(2, "b"), *cells[2:])
    response = response.replace("MarkableID=c", "MarkableID=c|ElementOf=4")
    found = scored(tmp_path, key, response, profile="ua-1").mentions
    assert found.recall_counts == found.precision_counts == (4.5, 5)
    alone = scored(tmp_path, key, response, profile="ua-1", split_antecedents="only").mentions
    assert alone.recall_counts == (1, 2)


@pytest.mark.parametrize("metric", ["rand", "mor", "zero", "antecedents"])
def test_metrics_that_the_scorers_do_not_define_are_refused(metric: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no metric of ua-1"):
        scored(tmp_path, document(*CELLS), document(*CELLS), profile="ua-1", metrics=metric)


# ---- Other formats ----


def rich() -> str:
    """A document with everything that other formats cannot express."""
    text = document(
        *(only(1, "a", "ElementOf=4"), only(2, "b", "ElementOf=4"), only(4, "c")),
        *(only("5-Pseudo", "d"), only(4, "e")),
    )
    bridged = row(only(4, "f"), id="6", word="w6", bridging="(MarkableID=f|MentionAnchor=a)")
    return text + bridged + row(only(4, "z"), id="6.1", word="_")


CLUSTERS = {"x": [[(2, 2), (4, 4), (5, 5)]]}
ALL = "all,anaphora"


def test_what_the_format_of_a_response_cannot_express_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "key.conllua"
    path.write_text(rich(), encoding="utf-8")
    (finding,) = of_code(cs.score(path, CLUSTERS, profile="ua-1", metrics=ALL), "W212")
    assert "1 split antecedent, 1 non-referring expression, 1 bridging anaphor;" in finding.message
    assert "the response is not" in finding.message and "count as missing" in finding.message
    (finding,) = of_code(cs.score(CLUSTERS, path, profile="ua-1", metrics=ALL), "W212")
    assert "the key is not" in finding.message and "count as spurious" in finding.message


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"profile": "ua-1", "split_antecedents": "drop"}, []),
        ({"profile": "ua-2"}, []),
        ({"profile": "ua-2", "metrics": ALL}, ["1 non-referring expression, 1 bridging anaphor;"]),
        ({"profile": "ua-2", "zeros": "linear"}, ["1 zero;"]),
        ({"profile": "ua-1", "layer": "deixis"}, ["has no discourse deixis"]),
    ],
)
def test_only_what_is_scored_is_reported(
    options: dict[str, str], expected: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "key.conllua"
    path.write_text(rich(), encoding="utf-8")
    found = of_code(cs.score(path, CLUSTERS, **options), "W212")  # type: ignore[arg-type]
    assert len(found) == len(expected)
    assert all(text in one.message for one, text in zip(found, expected, strict=True))
    assert not of_code(cs.score(path, path, **options), "W212")  # type: ignore[arg-type]


def test_zeros_that_a_response_has_as_words_are_not_missing_in_version_1(tmp_path: Path) -> None:
    text = rich().replace("ElementOf=4", "Min=1")
    path = tmp_path / "key.conllua"
    path.write_text(text, encoding="utf-8")
    words = [[f"w{number}" for number in range(1, 7)]]
    for tokens, missing in ((words, 1), ([[*words[0], "_"]], 0)):
        response = tmp_path / "response.jsonl"
        record = '{"doc_key": "x", "sentences": %s, "clusters": [[[2, 2], [4, 4]]]}\n'
        response.write_text(record % str(tokens).replace("'", '"'), encoding="utf-8")
        found = cs.score(path, response, profile="ua-1")
        assert len(of_code(found, "W212")) == missing and not of_code(found, "W220")
