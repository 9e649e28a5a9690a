"""Answers of language models to CRAC: the official route, its faults, and what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope as cs
from commands import Command
from corefscope.extensions.corefud_scorer.crac.cleaning import cleaned, distances
from corefscope.extensions.corefud_scorer.crac.codes import CLEANED_AWAY, NODE_AT_WORD, OTHER_LINE
from corefscope.extensions.corefud_scorer.crac.importing import CannotImport, put_into, tagged
from corefscope.findings import Code
from corefscope.formats.corefud.trees import Node, head_of, parsed, walk

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "crac" / "cases.jsonl"
FOUND = CASES.parents[1] / "found" / "crac-json-node"
pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
KEY = """\
# newdoc id = harbour
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tNora\tNora\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1--1)
2\tllega\tllegar\tVERB\t_\t_\t0\troot\t0:root\t_

# sent_id = 2
1\tSi\tsi\tSCONJ\t_\t_\t2\tmark\t2:mark\t_
1.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1--1)
2\tquiere\tquerer\tVERB\t_\t_\t0\troot\t0:root\t_
2.1\t_\t_\tPRON\t_\t_\t_\t_\t3:nsubj\tEntity=(e1--1)
3\tver\tver\tVERB\t_\t_\t2\txcomp\t2:xcomp\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\tEntity=(e2--2
5\tfaro\tfaro\tNOUN\t_\t_\t3\tobj\t3:obj\tEntity=e2)

# sent_id = 3
1\tEse\tese\tPRON\t_\t_\t2\tobj\t2:obj\tEntity=(e2--1)
2\tmira\tmirar\tVERB\t_\t_\t0\troot\t0:root\t_
2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1--1)
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_

"""
MOVED_TO_A_WORD = """\
# newdoc id = harbour
# global.Entity = eid-etype-head-other
1\tVe\tver\tVERB\t_\t_\t2\tdep\t2:dep\t_
2\tel\tel\tDET\t_\t_\t0\troot\t0:root\t_
2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj|5:obl\t_
2.2\t_\t_\tPRON\t_\t_\t_\t_\t3:nsubj\t_
3\tfaro\tfaro\tNOUN\t_\t_\t2\tobj\t2:obj\tEntity=(e1--1
4\tde\tde\tADP\t_\t_\t2\tcase\t2:case\t_
5\tNora\tNora\tPROPN\t_\t_\t2\tnmod\t2:nmod\tEntity=e1)

"""
PERFECT = "Nora|[e1] llega Si quiere ##|[e1] ver ##|[e1] el|[e2 faro|e2] Ese|[e2] mira ##|[e1] .\n"


def run(command: str) -> tuple[int, str, str]:
    """Run a command; return its exit status, and what it prints."""
    name, *arguments = command.split()
    result = Command(name).run(*arguments)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key.conllu").write_text(KEY, encoding="utf-8")
    return tmp_path


def answer(folder: Path, text: str, name: str = "answer.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def scored(folder: Path, text: str, name: str = "answer.txt", **options: Any) -> cs.Scores:
    return cs.score(
        folder / "key.conllu", answer(folder, text, name), profile="crac-2026", **options
    )


class TestRoute:
    def test_a_perfect_answer_loses_points_by_the_official_route(self, folder: Path) -> None:
        """Zeros move behind their verbs, and the scorer takes one for another."""
        scores = scored(folder, PERFECT)
        assert scores.crac is not None and scores.conll is not None
        assert scores.conll == scores.crac.official and scores.conll < 1
        assert scores.crac.recovered == scores.crac.without_shift == 1
        assert Code.OFFICIAL_FAULT in {finding.code for finding in scores.findings}
        assert scores.ledger is not None and scores.ledger.total.exact == 6

    @pytest.mark.parametrize("options", [{}, {"profile": "corefud", "match": "exact"}])
    def test_a_perfect_answer_is_perfect_by_other_rules(
        self, options: dict[str, Any], folder: Path
    ) -> None:
        """Zeros are those of the key, though the text has them behind their verbs."""
        scores = cs.score("key.conllu", answer(folder, PERFECT), **options)
        assert scores.conll == 1 and scores["mentions"].recall_counts == (6, 6)
        one = PERFECT.replace("##|[e1] ver", "ver")
        assert cs.score("key.conllu", answer(folder, one), **options)["mentions"].f1 == 10 / 11

    def test_json_is_put_in_without_a_cleaner(self, folder: Path) -> None:
        cs.write(cs.read("key.conllu"), "answer.json", "crac-json:zeros=keep")
        in_json = cs.score("key.conllu", "answer.json", profile="crac-2026")
        assert in_json.conll == scored(folder, PERFECT).conll

    def test_zeros_of_the_skeleton(self, folder: Path) -> None:
        """Where the answer has none, they cannot be those of the skeleton."""
        dropped = " ".join(word for word in PERFECT.split() if not word.startswith("##"))
        scores = scored(folder, f"{dropped}\n", zeros_from="skeleton")
        assert scores.crac is not None and scores.crac.official is None
        assert scores.conll == scores.crac.recovered
        assert next(iter(scores.findings)).code is Code.SCORER_FAILS
        assert scored(folder, PERFECT, zeros_from="skeleton").crac is not None

    def test_a_mention_that_ends_with_a_zero_at_its_first_word(self, folder: Path) -> None:
        """The importer gives it the number 3.0, and the scorer reads on to the end."""
        (folder / "key.conllu").write_text(MOVED_TO_A_WORD, encoding="utf-8")
        record = {
            "doc_id": "harbour",
            "tokens": ["Ve", "el", "##", "faro", "##", "de", "Nora"],
            "clusters_token_offsets": [[[3, 4]]],
            "clusters_text_mentions": [["faro ##"]],
        }
        options = {"zeros_from": "skeleton", "singletons": "keep", "match": "exact"}
        scores = scored(folder, json.dumps([record]), "answer.json", **options)
        assert NODE_AT_WORD in {finding.code for finding in scores.findings}
        assert scores["mentions"].f1 == 1

    def test_words_that_are_not_those_of_the_text_lose_their_tags(self, folder: Path) -> None:
        changed = PERFECT.replace("faro|e2]", "puerto|e2]")
        scores = scored(folder, changed)
        assert scores.ledger is not None and scores.ledger.total.words.replaced == 1
        assert scores.crac is not None and scores.crac.recovered == 1
        assert scores.conll is not None and scores.conll < 0.8

    def test_other_ids_are_cleaned_away(self, folder: Path) -> None:
        scores = scored(folder, PERFECT.replace("e1", "nora"))
        (lost,) = [each for each in scores.findings if each.code is CLEANED_AWAY]
        assert "4 mentions" in lost.message and "100.00 without this" in lost.message

    def test_numbers_of_lines_and_documents_must_be_equal(self, folder: Path) -> None:
        with pytest.raises(cs.InvalidInput, match=r"2 documents, the key has 1.*E201"):
            scored(folder, PERFECT * 2)

    def test_a_line_in_the_place_of_another(self, folder: Path) -> None:
        other = KEY.replace("harbour", "garden").replace("Nora", "Eva")
        other = other.replace("llega", "sale").replace("quiere", "puede").replace("ver", "oler")
        other = other.replace("faro", "pino").replace("mira", "huele").replace("Ese", "Aquel")
        (folder / "key.conllu").write_text(KEY + other, encoding="utf-8")
        cs.write(cs.read("key.conllu"), "right.txt", "crac-text:zeros=keep,ids=sequential")
        lines = Path("right.txt").read_text("utf-8").splitlines(keepends=True)
        right, swapped = (scored(folder, "".join(each)) for each in (lines, lines[::-1]))
        assert OTHER_LINE not in {finding.code for finding in right.findings}
        found = [each for each in swapped.findings if each.code is OTHER_LINE]
        assert [each.line for each in found] == [1, 2] and "'garden'" in found[0].message

    def test_a_skeleton_must_have_the_words_of_the_key(self, folder: Path) -> None:
        (folder / "blind.conllu").write_text(KEY.replace("faro", "puerto"), encoding="utf-8")
        with pytest.raises(cs.InvalidInput, match="other words in the skeleton"):
            scored(folder, PERFECT, skeleton="blind.conllu")
        for command in ("score", "compare", "gate"):
            status, _, err = run(f"{command} key.conllu answer.txt x.txt --skeleton key.conllu")
            assert status == 2 and "Traceback" not in err
        assert (
            "a skeleton was given under"
            in run("score key.conllu answer.txt --skeleton key.conllu")[2]
        )
        with pytest.raises(ValueError, match="expected crac-2025 or crac-2026"):
            cs.score("key.conllu", "answer.txt", profile="corefud", skeleton="key.conllu")

    def test_an_empty_line_is_a_failed_document(self, folder: Path) -> None:
        scores = scored(folder, "\n")
        assert scores.conll == 0 and scores.ledger is not None
        assert scores.ledger.failed == ["harbour"]
        assert Code.COPY_FAILED in {finding.code for finding in scores.findings}

    def test_a_key_without_lines_of_conllu_is_refused(self, folder: Path) -> None:
        cs.write(cs.read("key.conllu"), "key.jsonl", "native")
        with pytest.raises(cs.InvalidInput, match=r"not CoNLL-U.*E208"):
            cs.score("key.jsonl", answer(folder, PERFECT), profile="crac-2026")

    def test_the_figures_in_json(self, folder: Path) -> None:
        answer(folder, PERFECT)
        command = "score key.conllu answer.txt --profile crac-2026 --format json"
        status, out, _ = run(command)
        (system,) = json.loads(out)["systems"]
        assert status == 0 and system["crac"].keys() == {
            *("zeros_from", "skeleton", "official", "recovered", "without_shift")
        }
        assert system["conll"] == system["crac"]["official"]


class TestConversion:
    def test_there_and_back(self, folder: Path) -> None:
        status, _, err = run("convert key.conllu text.txt --to crac-text:zeros=keep,ids=sequential")
        assert status == 0 and Path("text.txt").read_text("utf-8") == PERFECT, err
        assert run("convert text.txt back.conllu --skeleton key.conllu")[0] == 0
        back = cs.read("back.conllu")
        assert [len(entity) for entity in back["harbour"].entities] == [4, 2]
        assert back.empty_nodes.ids == ["2.1", "3.1", "2.1"]

    def test_a_prompt_has_no_tags(self, folder: Path) -> None:
        assert run("convert key.conllu prompt.txt --to crac-text --blind")[0] == 0
        plain = Path("prompt.txt").read_text("utf-8")
        assert plain == "Nora llega Si quiere ver el faro Ese mira .\n"
        assert run("convert key.conllu prompt.jsonl --blind")[0] == 2
        assert run("convert key.conllu x.conllu --skeleton key.conllu")[0] == 2

    @pytest.mark.parametrize("word", ["a|b", "##a"])
    def test_words_that_would_be_read_as_others_are_refused(self, word: str, folder: Path) -> None:
        (folder / "odd.conllu").write_text(KEY.replace("Nora\tNora", f"{word}\tNora"), "utf-8")
        status, _, err = run("convert odd.conllu odd.txt --to crac-text")
        assert status == 3 and "E302" in err and not Path("odd.txt").exists()

    def test_a_zero_with_two_arcs_to_one_verb_keeps_both(self, folder: Path) -> None:
        """It loses its arcs to other verbs."""
        deps = "2:nsubj:pass|2:obl"
        (folder / "key.conllu").write_text(KEY.replace("3:nsubj", f"{deps}|3:nsubj"), "utf-8")
        for format, name in (("crac-text", "sub.txt"), ("crac-json", "sub.json")):
            assert run(f"convert key.conllu {name} --to {format}:zeros=keep")[0] == 0
            back = f"convert {name} back.conllu --skeleton key.conllu --zeros-from skeleton"
            assert run(back)[0] == 0
            assert f"\t{deps}\t" in Path("back.conllu").read_text("utf-8")

    def test_options_that_do_not_exist(self, folder: Path) -> None:
        assert run("convert key.conllu x.txt --to crac-text:zero=keep")[0] == 2
        assert run("convert key.conllu x.txt --to crac-text:zeros=all")[0] == 2
        assert run("convert key.conllu x.json --to jsonl:zeros=keep")[0] == 2


class TestFolders:
    def test_missing_and_extra_data_sets(self, folder: Path) -> None:
        for name in ("gold/es_a-dev.conllu", "gold/ca_b-dev.conllu", "ours/es_a.txt", "ours/x.txt"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(PERFECT if name.endswith("txt") else KEY, encoding="utf-8")
        status, out, err = run("score --crac gold ours --format json")
        record = json.loads(out)
        assert status == 0 and err.count("W201") == err.count("W202") == 1
        assert record["missing"] == ["ca_b"] and record["extra"] == [str(Path("ours", "x.txt"))]
        (missing, found) = record["datasets"]
        assert missing["columns"] == dict.fromkeys(found["columns"], 0.0)
        for column, value in found["columns"].items():
            assert record["mean"][column] == value / 2
        assert run("score --crac gold ours --missing error")[0] == 4

    def test_a_key_without_zeros_has_no_figure_for_them(self, folder: Path) -> None:
        plain = "".join(line for line in KEY.splitlines(keepends=True) if ".1\t" not in line[:4])
        (folder / "gold").mkdir()
        for name, text in (("es_a.conllu", KEY), ("en_b.conllu", plain)):
            (folder / "gold" / name).write_text(text, encoding="utf-8")
        record = json.loads(run("score --crac gold gold --format json")[1])
        assert [each["columns"]["zero"] is None for each in record["datasets"]] == [True, False]
        assert record["zero_datasets"] == 1
        assert record["mean"]["zero"] == record["datasets"][1]["columns"]["zero"]

    def test_two_files_of_one_data_set(self, folder: Path) -> None:
        (folder / "gold").mkdir()
        for name in ("es_a-dev.conllu", "es_a-test.conllu"):
            (folder / "gold" / name).write_text(KEY, encoding="utf-8")
        status, _, err = run("score --crac gold gold")
        assert status == 3 and "'es_a'" in err and "E106" in err

    def test_a_broken_response_counts_nothing_if_asked_for(self, folder: Path) -> None:
        (folder / "gold").mkdir()
        (folder / "gold" / "es_a.conllu").write_text(KEY, encoding="utf-8")
        (folder / "ours").mkdir()
        (folder / "ours" / "es_a.conllu").write_text("1\tx\n", encoding="utf-8")
        assert run("score --crac gold ours")[0] == 3
        status, out, err = run("score --crac gold ours --skip-broken --format json")
        assert status == 4 and json.loads(out)["mean"]["head"] == 0 and "W121" in err


def test_empty_nodes_are_compared_by_what_they_depend_on(folder: Path) -> None:
    (folder / "system.conllu").write_text(KEY.replace("3:nsubj\tE", "2:nsubj\tE"), "utf-8")
    _, out, _ = run("score key.conllu system.conllu --empty-nodes --format json")
    found = json.loads(out)["systems"][0]["empty_nodes"]
    assert found["ARC"]["counts"] == [2, 3, 3] and found["ALL"]["f1"] == pytest.approx(2 / 3)


# ---- The parts, against their definitions ----

FORMS = st.lists(st.sampled_from(["a", "b", "c", "##", "##x"]), max_size=7)
WORDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6)


def slow_distances(forms: Sequence[str], words: Sequence[str]) -> list[list[int]]:
    table = [[0] * (len(words) + 1) for _ in range(len(forms) + 1)]
    for i, j in product(range(len(forms) + 1), range(len(words) + 1)):
        if i == 0 or j == 0:
            table[i][j] = i + j
        elif forms[i - 1].startswith("##"):
            table[i][j] = table[i - 1][j]
        elif forms[i - 1] == words[j - 1]:
            table[i][j] = table[i - 1][j - 1]
        else:
            table[i][j] = 1 + min(table[i - 1][j - 1], table[i - 1][j], table[i][j - 1])
    return table


@given(forms=FORMS, words=WORDS)
def test_distances_are_those_of_the_definition(forms: list[str], words: list[str]) -> None:
    assert distances(forms, words).tolist() == slow_distances(forms, words)


@given(forms=FORMS, words=WORDS.filter(bool))
def test_what_is_cleaned_has_the_words_of_the_text(forms: list[str], words: list[str]) -> None:
    found = cleaned(" ".join(forms), [words])
    assert [form for form in found if not form.startswith("##")] == words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a|[e1 b|e1]", "a|[e1 b|e1]"),
        ("a|e1] b", "a|[e1] b"),
        ("a|[e1|x b", "a b"),
        ("a|[e1x,[f2] b|e3", "a|[e1 b"),
        ("a|[e1] b ##|[e2]", "a|[e1] b"),
        ("##|[e2] a b", "a b"),
    ],
)
def test_the_cleaner(line: str, expected: str) -> None:
    assert " ".join(cleaned(line, [["a", "b"]])) == expected


def test_a_mention_in_two_sentences_stops_the_importer() -> None:
    (document,) = parsed(KEY)
    answered = tagged(
        ["Nora|[e1", "llega", "Si|e1]", "quiere", "ver", "el", "faro", "Ese", "mira", "."]
    )
    with pytest.raises(CannotImport, match="two sentences"):
        put_into(document, answered, has_own_zeros=True)


def chain(parents: Sequence[int]) -> list[Node]:
    """Words whose parents have these numbers; 0 is the root."""
    nodes = [Node(number=10 * n, cells=["_"] * 10) for n in range(len(parents) + 1)]
    for node, parent in zip(nodes[1:], parents, strict=True):
        node.parent, node.parents = nodes[parent], [nodes[parent]]
    return nodes


def ancestors(node: Node) -> Iterator[Node]:
    while node.parent is not None:
        node = node.parent
        yield node


@given(st.lists(st.integers(0, 5), min_size=2, max_size=6), st.data())
def test_the_head_of_words_that_one_of_them_governs(
    parents: list[int], data: st.DataObject
) -> None:
    """Trees in which a parent always stands before: the topmost word of a subtree is its head."""
    nodes = chain([min(parent, place) for place, parent in enumerate(parents)])
    top = data.draw(st.sampled_from(nodes[1:]))
    subtree = [each for each in nodes[1:] if each is top or top in ancestors(each)]
    assert head_of(subtree, subtree[0]) is top
    assert walk([top]) is top


def test_the_walk_takes_the_first_node_first() -> None:
    """Two words under the root: both climbs meet there."""
    root, one, other, _ = chain([0, 0, 0])
    assert walk([one, other]) is root


# ---- The figures of the official tools ----


def shared_cases() -> list[dict[str, Any]]:
    lines = CASES.read_text("utf-8").splitlines() if CASES.exists() else []
    return [case for case in map(json.loads, lines) if case["kind"] == "answer"]


COLUMNS: dict[str, dict[str, Any]] = {
    "head": {},
    "partial": {"match": "partial"},
    "exact": {"match": "exact"},
    "singletons": {"singletons": "keep"},
}
NAMED = {"muc": "muc", "b3": "bcub", "ceafe": "ceafe", "zero": "zero"}


@pytest.mark.skipif(not FOUND.exists(), reason="no shared cases beside this checkout")
@pytest.mark.parametrize("column", COLUMNS)
def test_official_figures_of_a_zero_at_a_word(column: str) -> None:
    figures = json.loads((FOUND / "README").read_text("utf-8").partition("Official figures: ")[2])
    options: dict[str, Any] = {"profile": "crac-2026", "zeros_from": "skeleton"} | COLUMNS[column]
    scores = cs.score(FOUND / "key.conllu", FOUND / "answer.json", **options)
    assert scores.conll == pytest.approx(figures["columns"][column]["conll"]["f1"], abs=1e-9)


@pytest.mark.parametrize("case", shared_cases(), ids=lambda case: case["id"])
def test_official_figures(case: dict[str, Any], tmp_path: Path) -> None:
    key = tmp_path / "key.conllu"
    key.write_text(case["gold"], encoding="utf-8")
    response = answer(
        tmp_path, case["answer"], f"answer.{'txt' if case['format'] == 'text' else 'json'}"
    )
    options: dict[str, Any] = {"zeros_from": case["zeros_from"], "metrics": list(NAMED)}
    if case["skeleton"]:
        options["skeleton"] = answer(tmp_path, case["skeleton"], "skeleton.conllu")
    for column, changed in COLUMNS.items():
        scores = cs.score(key, response, profile="crac-2026", **options, **changed)
        if "error" in case["official"]:
            assert Code.SCORER_FAILS in {finding.code for finding in scores.findings}
            continue
        for ours, theirs in NAMED.items():
            expected = case["official"]["columns"][column][theirs]
            found = scores[ours]
            assert [found.recall, found.precision, found.f1] == pytest.approx(
                [expected["recall"], expected["precision"], expected["f1"]], abs=1e-9
            ), (column, ours)
