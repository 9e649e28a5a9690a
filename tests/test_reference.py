"""``--format reference`` prints what the reference scorer prints, byte for byte.

The expected texts are written out from specification B.5; their figures were worked out by hand and
put through the scorer's arithmetic (percentages cut off, not rounded).
"""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings

from corefscope import score
from corefscope.cli import main
from corefscope.version import __version__
from strategies import Document, Side, documents

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases" / "scoring" / "random.jsonl"

VERSION = f"version: 8.01 corefscope {'.'.join(__version__.split('.')[:2])}\n"
RULE = "-" * 74


def conll(name: str, *cells: str) -> str:
    """A document with one token a cell."""
    lines = [f"{number}\tword{number}\t{cell}\n" for number, cell in enumerate(cells)]
    return f"#begin document {name}\n{''.join(lines)}#end document\n"


KEY_A = conll("(a); part 000", "(1)", "(2", "2)", "(1)", "(2)", "-", "(1)")
KEY_B = conll("(b)", "(1)", "-", "(1)")
RESPONSE_A = conll("(a); part 000", "(7)", "(8", "8)", "(7)", "-", "(9)", "(8)")
KEY, RESPONSE = KEY_A + KEY_B, RESPONSE_A + KEY_B

MENTIONS = (
    f"Identification of Mentions: Recall: (6 / 7) 85.71%\tPrecision: (6 / 7) 85.71%\tF1: 85.71%\n"
    f"{RULE}\n"
)
TOTALS = {
    "muc": f"""
====== TOTALS =======
{MENTIONS}Coreference: Recall: (2 / 4) 50%\tPrecision: (2 / 3) 66.66%\tF1: 57.14%
{RULE}
""",
    "bcub": f"""
====== TOTALS =======
{MENTIONS}Coreference: Recall: (4.16666666666667 / 7) 59.52%\tPrecision: (5 / 7) 71.42%\tF1: 64.93%
{RULE}
""",
    "ceafm": f"""
====== TOTALS =======
{MENTIONS}Coreference: Recall: (5 / 7) 71.42%\tPrecision: (5 / 7) 71.42%\tF1: 71.42%
{RULE}
""",
    "ceafe": f"""
====== TOTALS =======
{MENTIONS}Coreference: Recall: (2.3 / 3) 76.66%\tPrecision: (2.3 / 4) 57.5%\tF1: 65.71%
{RULE}
""",
    "blanc": f"""
====== TOTALS =======
{MENTIONS}
Coreference:
Coreference links: Recall: (2 / 5) 40%\tPrecision: (2 / 3) 66.66%\tF1: 50%
{RULE}
Non-coreference links: Recall: (2 / 6) 33.33%\tPrecision: (2 / 8) 25%\tF1: 28.57%
{RULE}
BLANC: Recall: (0.366666666666667 / 1) 36.66%\tPrecision: (0.458333333333333 / 1) 45.83%\tF1: 39.28%
{RULE}
""",
}

LISTINGS_A = """====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (3,3) (6,6)
Entity 1: (1,2) (4,4)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (3,3)
Entity 1: (1,2) (6,6)
Entity 2: (5,5)
"""
COUNTS_A = """Total key mentions: 5
Total response mentions: 5
Strictly correct identified mentions: 4
Partially correct identified mentions: 0
No identified: 1
Invented: 1
"""
LISTINGS_B = """====> (b):
File (b):
Entity 0: (0,0) (2,2)
====> (b):
File (b):
Entity 0: (0,0) (2,2)
"""
COUNTS_B = """Total key mentions: 2
Total response mentions: 2
Strictly correct identified mentions: 2
Partially correct identified mentions: 0
No identified: 0
Invented: 0
"""
SHOWN_A = {
    "muc": f"Recall: (1 / 3) 33.33%\tPrecision: (1 / 2) 50%\tF1: 40%\n{RULE}\n",
    "bcub": f"Recall: (2.16666666666667 / 5) 43.33%\tPrecision: (3 / 5) 60%\tF1: 50.32%\n{RULE}\n",
    "ceafm": f"Recall: (3 / 5) 60%\tPrecision: (3 / 5) 60%\tF1: 60%\n{RULE}\n",
    "ceafe": f"Recall: (1.3 / 2) 65%\tPrecision: (1.3 / 3) 43.33%\tF1: 51.99%\n{RULE}\n",
    "blanc": "",
}
SHOWN_B = {
    "muc": f"Recall: (1 / 1) 100%\tPrecision: (1 / 1) 100%\tF1: 100%\n{RULE}\n",
    "bcub": f"Recall: (2 / 2) 100%\tPrecision: (2 / 2) 100%\tF1: 100%\n{RULE}\n",
    "ceafm": f"Recall: (2 / 2) 100%\tPrecision: (2 / 2) 100%\tF1: 100%\n{RULE}\n",
    "ceafe": f"Recall: (1 / 1) 100%\tPrecision: (1 / 1) 100%\tF1: 100%\n{RULE}\n",
    "blanc": "",
}


def run(folder: Path, key: str, response: str, *options: str) -> Result:
    """Score two texts, and leave them as files in the folder."""
    paths = []
    for name, text in (("key.conll", key), ("response.conll", response)):
        (folder / name).write_bytes(text.encode())
        paths.append(str(folder / name))
    return CliRunner().invoke(main, ["score", *paths, "--format", "reference", *options])


def printed(folder: Path, key: str, response: str, *options: str) -> str:
    """What is printed after the first line, which names the version."""
    done = run(folder, key, response, *options)
    assert done.exit_code == 0, done.output
    first, rest = done.stdout.split("\n", 1)
    assert first + "\n" == VERSION
    return rest


@pytest.mark.parametrize("metric", TOTALS)
def test_one_metric_prints_its_totals(metric: str, tmp_path: Path) -> None:
    assert printed(tmp_path, KEY, RESPONSE, "--metrics", metric) == TOTALS[metric]


@pytest.mark.parametrize("options", [(), ("--metrics", "all")])
def test_all_metrics(options: tuple[str, ...], tmp_path: Path) -> None:
    expected = "".join(f"\nMETRIC {metric}:\n{total}" for metric, total in TOTALS.items())
    assert printed(tmp_path, KEY, RESPONSE, *options) == expected


def test_some_metrics_in_reference_order(tmp_path: Path) -> None:
    expected = f"\nMETRIC muc:\n{TOTALS['muc']}\nMETRIC ceafe:\n{TOTALS['ceafe']}"
    assert printed(tmp_path, KEY, RESPONSE, "--metrics", "ceafe,muc") == expected


@pytest.mark.parametrize("metric", TOTALS)
def test_documents_before_totals(metric: str, tmp_path: Path) -> None:
    """BLANC prints a bare colon for the document's name, and no line of figures."""
    name_a, name_b = ("", "") if metric == "blanc" else ("(a); part 000", "(b)")
    expected = (
        f"{LISTINGS_A}{name_a}:\n{COUNTS_A}{SHOWN_A[metric]}"
        f"{LISTINGS_B}{name_b}:\n{COUNTS_B}{SHOWN_B[metric]}{TOTALS[metric]}"
    )
    assert printed(tmp_path, KEY, RESPONSE, "--per-document", "--metrics", metric) == expected


def test_documents_of_every_metric(tmp_path: Path) -> None:
    expected = "".join(
        f"\nMETRIC {metric}:\n{LISTINGS_A}{':' if metric == 'blanc' else '(a); part 000:'}\n"
        f"{COUNTS_A}{SHOWN_A[metric]}{LISTINGS_B}{':' if metric == 'blanc' else '(b):'}\n"
        f"{COUNTS_B}{SHOWN_B[metric]}{totals}"
        for metric, totals in TOTALS.items()
    )
    assert printed(tmp_path, KEY, RESPONSE, "--per-document") == expected


def test_document_order_of_the_key(tmp_path: Path) -> None:
    expected = (
        f"{LISTINGS_B}(b):\n{COUNTS_B}{SHOWN_B['muc']}"
        f"{LISTINGS_A}(a); part 000:\n{COUNTS_A}{SHOWN_A['muc']}{TOTALS['muc']}"
    )
    options = "--per-document", "--metrics", "muc"
    assert printed(tmp_path, KEY_B + KEY_A, RESPONSE_A + KEY_B, *options) == expected


MISSING = f"""====> (b):
File (b):
Entity 0: (0,0) (2,2)
====> :
File :
(b):
Total key mentions: 2
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 2
Invented: 0
Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (4 / 7) 57.14%\tPrecision: (4 / 5) 80%\tF1: 66.66%
{RULE}
Coreference: Recall: (1 / 4) 25%\tPrecision: (1 / 2) 50%\tF1: 33.33%
{RULE}
"""


def test_document_missing_from_response_has_no_name(tmp_path: Path) -> None:
    expected = f"{LISTINGS_A}(a); part 000:\n{COUNTS_A}{SHOWN_A['muc']}{MISSING}"
    options = "--per-document", "--metrics", "muc"
    assert printed(tmp_path, KEY, RESPONSE_A, *options) == expected


def test_document_without_tokens(tmp_path: Path) -> None:
    """It counts as missing, but the reference scorer has found it."""
    named = MISSING.replace("====> :\nFile :\n", "====> (b):\nFile (b):\n")
    expected = f"{LISTINGS_A}(a); part 000:\n{COUNTS_A}{SHOWN_A['muc']}{named}"
    options = "--per-document", "--metrics", "muc"
    assert printed(tmp_path, KEY, RESPONSE_A + conll("(b)"), *options) == expected


TOTALS_A = {
    "muc": f"""
====== TOTALS =======
Identification of Mentions: Recall: (4 / 5) 80%\tPrecision: (4 / 5) 80%\tF1: 80%
{RULE}
Coreference: Recall: (1 / 3) 33.33%\tPrecision: (1 / 2) 50%\tF1: 40%
{RULE}
""",
    "blanc": f"""
====== TOTALS =======
Identification of Mentions: Recall: (4 / 5) 80%\tPrecision: (4 / 5) 80%\tF1: 80%
{RULE}

Coreference:
Coreference links: Recall: (1 / 4) 25%\tPrecision: (1 / 2) 50%\tF1: 33.33%
{RULE}
Non-coreference links: Recall: (2 / 6) 33.33%\tPrecision: (2 / 8) 25%\tF1: 28.57%
{RULE}
BLANC: Recall: (0.291666666666667 / 1) 29.16%\tPrecision: (0.375 / 1) 37.5%\tF1: 30.95%
{RULE}
""",
}


@pytest.mark.parametrize("metric", ["muc", "blanc"])
@pytest.mark.parametrize("more", [(), ("--per-document",)])
def test_a_document_by_name_is_named_first(
    metric: str, more: tuple[str, ...], tmp_path: Path
) -> None:
    expected = f"(a); part 000:\n{LISTINGS_A}{COUNTS_A}{SHOWN_A[metric]}{TOTALS_A[metric]}"
    options = "--document", "(a); part 000", "--metrics", metric, *more
    assert printed(tmp_path, KEY, RESPONSE, *options) == expected


def test_named_document_missing_from_response(tmp_path: Path) -> None:
    expected = f"""(b):
====> (b):
File (b):
Entity 0: (0,0) (2,2)
====> :
File :
Total key mentions: 2
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 2
Invented: 0
Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (0 / 2) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}
Coreference: Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%
{RULE}
"""
    options = "--document", "(b)", "--metrics", "muc"
    assert printed(tmp_path, KEY, RESPONSE_A, *options) == expected


def test_a_key_without_mentions_prints_zeros(tmp_path: Path) -> None:
    nothing = f"Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%\n{RULE}\n"
    empty = conll("(a)", "-", "-")
    assert printed(tmp_path, empty, empty, "--metrics", "bcub") == (
        f"\n====== TOTALS =======\nIdentification of Mentions: {nothing}Coreference: {nothing}"
    )
    assert printed(tmp_path, empty, empty, "--metrics", "blanc") == (
        f"\n====== TOTALS =======\nIdentification of Mentions: {nothing}\nCoreference:\n"
        f"Coreference links: {nothing}Non-coreference links: {nothing}BLANC: Recall: (0 / 1) 0%"
        f"\tPrecision: (0 / 1) 0%\tF1: 0%\n{RULE}\n"
    )


@pytest.mark.parametrize(
    ("metric", "key", "response", "expected"),
    [
        (
            "bcub",
            ("(0)", "(1)", "(1)", "(2)", "(2)", "(1)"),
            ("(0)", "-", "(1)", "-", "-", "(1)"),
            "Recall: (2.33333333333333 / 6) 38.88%\tPrecision: (3 / 3) 100%\tF1: 55.99%",
        ),
        (
            "ceafe",
            ("(0)", "(1)", "(1)", "(2)", "(1)", "(1)"),
            ("(0)", "-", "-", "(1)", "(2)", "-"),
            "Recall: (2.4 / 3) 79.99%\tPrecision: (2.4 / 3) 79.99%\tF1: 79.99%",
        ),
        (
            "bcub",
            ("(0)", "(1)", "(1)", "(1)"),
            ("(0)", "(0)", "(1)", "(2)"),
            "Recall: (2 / 4) 49.99%\tPrecision: (3 / 4) 75%\tF1: 59.99%",
        ),
    ],
)
def test_percentages_are_truncated(
    metric: str, key: tuple[str, ...], response: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    """0.56 prints as 55.99 and 0.8 as 79.99; the third prints 2 of 4 as 49.99."""
    text = printed(tmp_path, conll("x", *key), conll("x", *response), "--metrics", metric)
    assert text.splitlines()[-2:] == [f"Coreference: {expected}", RULE]


def test_repeated_mention_in_key(tmp_path: Path) -> None:
    """Specification B.3 and D.2: MUC 40, B³ 66.27; the copy counts as an invented mention."""
    key = conll("(d)", "(1)|(2)", "(1)", "(2)", "(2)")
    response = conll("(d)", "(1)", "(1)", "(2)", "(2)")
    expected = f"""====> (d):
File (d):
Entity 0: (0,0) (1,1)
Entity 1: (0,0) (2,2) (3,3)
====> (d):
File (d):
Entity 0: (0,0) (1,1)
Entity 1: (2,2) (3,3)
(d):
Repeated mention in the key: 0, 0 02
Total key mentions: 4
Total response mentions: 4
Strictly correct identified mentions: 4
Partially correct identified mentions: 0
No identified: 0
Invented: 1
Recall: (1 / 3) 33.33%\tPrecision: (1 / 2) 50%\tF1: 40%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (4 / 4) 100%\tPrecision: (4 / 4) 100%\tF1: 100%
{RULE}
Coreference: Recall: (1 / 3) 33.33%\tPrecision: (1 / 2) 50%\tF1: 40%
{RULE}
"""
    assert printed(tmp_path, key, response, "--per-document", "--metrics", "muc") == expected
    shown = "Recall: (2.66666666666667 / 5) 53.33%\tPrecision: (3.5 / 4) 87.5%\tF1: 66.27%"
    text = printed(tmp_path, key, response, "--metrics", "bcub")
    assert text.splitlines()[0] == "Repeated mention in the key: 0, 0 02"
    assert text.splitlines()[-2:] == [f"Coreference: {shown}", RULE]


def test_repeated_mention_in_response(tmp_path: Path) -> None:
    """Specification B.3: the listing has it still; without the key it is kept, and not told."""
    key = conll("(d)", "(1)", "(1)", "(2)", "(2)", "-")
    response = conll("(d)", "(1)|(2)", "(1)", "(2)", "(2)|(1", "1)|(3)|(4)")
    expected = f"""(d):
====> (d):
File (d):
Entity 0: (0,0) (1,1)
Entity 1: (2,2) (3,3)
====> (d):
File (d):
Entity 0: (0,0) (1,1) (3,4)
Entity 1: (0,0) (2,2) (3,3)
Entity 2: (4,4)
Entity 3: (4,4)
Repeated mention in the response: 0, 0 00
Total key mentions: 4
Total response mentions: 6
Strictly correct identified mentions: 4
Partially correct identified mentions: 0
No identified: 0
Invented: 2
Recall: (2 / 2) 100%\tPrecision: (2 / 3) 66.66%\tF1: 80%
{RULE}

====== TOTALS =======
Identification of Mentions: Recall: (4 / 4) 100%\tPrecision: (4 / 6) 66.66%\tF1: 80%
{RULE}
Coreference: Recall: (2 / 2) 100%\tPrecision: (2 / 3) 66.66%\tF1: 80%
{RULE}
"""
    options = "--document", "(d)", "--metrics", "muc"
    assert printed(tmp_path, key, response, *options) == expected
    shown = "Recall: (4 / 4) 100%\tPrecision: (4 / 7) 57.14%\tF1: 72.72%"
    text = printed(tmp_path, key, response, "--metrics", "ceafm")
    assert text.splitlines()[-2:] == [f"Coreference: {shown}", RULE]


def with_repeats(name: str, repeats: int) -> tuple[str, str]:
    """Key and response of a document; the response repeats so many mentions of the key."""
    key = conll(name, *["(1)"] * repeats)
    return key, conll(name, *["(1)|(2)"] * repeats)


@pytest.mark.parametrize(
    ("repeats", "options", "status"),
    [
        (2, (), 0),
        (3, (), 3),
        (5, ("--metrics", "muc,ceafe"), 0),
        (6, ("--metrics", "muc,ceafe"), 3),
        (10, ("--metrics", "muc"), 0),
        (11, ("--metrics", "muc"), 3),
    ],
)
def test_more_than_ten_repeats(
    repeats: int, options: tuple[str, ...], status: int, tmp_path: Path
) -> None:
    done = run(tmp_path, *with_repeats("(d)", repeats), *options)
    assert done.exit_code == status
    assert bool(done.stdout) == (status == 0)
    assert ("[E204]" in done.stderr) == (status == 3)


def test_repeats_are_added_up_over_documents(tmp_path: Path) -> None:
    (one, first), (other, second) = with_repeats("(a)", 6), with_repeats("(b)", 5)
    done = run(tmp_path, one + other, first + second, "--metrics", "muc")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "11 repeated mentions" in done.stderr


@pytest.mark.parametrize("duplicates", ["first", "error"])
def test_other_rule_for_repeated_mentions(duplicates: str, tmp_path: Path) -> None:
    key, response = with_repeats("(d)", 11)
    done = run(tmp_path, key, response, "--metrics", "muc", "--duplicates", duplicates)
    if duplicates == "error":
        assert (done.exit_code, done.stdout) == (3, "")
        assert "[E203]" in done.stderr
    else:
        assert done.exit_code == 0
        assert "Repeated" not in done.stdout
        assert "Coreference: Recall: (10 / 10) 100%\tPrecision: (10 / 10) 100%" in done.stdout


@settings(max_examples=200)
@given(documents(), documents())
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_links_of_repeated_mentions(one: Document, other: Document) -> None:
    """Specification B.4: a pair can be coreferent and not, and a mention linked with its copy."""
    key, response = one[0] + other[0], one[1] + other[1]
    blanc = score(key, response, duplicates="reference", metrics=["blanc"]).blanc
    kept = removed(response, {mention for entity in key for mention in entity})
    for name, links in (("coreference", inside), ("non_coreference", across)):
        ours, theirs = links(key), links(kept)
        both = len(ours & theirs)
        assert blanc.parts[name].recall_counts == (both, len(ours))
        assert blanc.parts[name].precision_counts == (both, len(theirs))


def removed(response: Side, in_key: set[str]) -> Side:
    """The response without the copies that are noticed: those of mentions in the key."""
    seen: set[str] = set()
    kept: Side = []
    for entity in response:
        kept.append([])
        for mention in entity:
            if mention not in seen:
                kept[-1].append(mention)
            seen |= {mention} & in_key
    return [entity for entity in kept if entity]


def inside(side: Side) -> set[frozenset[str]]:
    return {frozenset(pair) for entity in side for pair in combinations(entity, 2)}


def across(side: Side) -> set[frozenset[str]]:
    return {frozenset(pair) for one, other in combinations(side, 2) for pair in product(one, other)}


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_one_copy_in_a_long_document() -> None:
    """It is counted without enumerating links."""
    key = [[(token, token) for token in range(start, 6_000, 20)] for start in range(20)]
    scores = score([*key, [(0, 0)]], key, duplicates="reference")
    assert scores.blanc.parts["coreference"].recall_counts == (20 * 300 * 299 / 2,) * 2


def test_only_one_response_can_be_printed(tmp_path: Path) -> None:
    run(tmp_path, KEY, RESPONSE)
    paths = [str(tmp_path / name) for name in ("key.conll", "response.conll", "key.conll")]
    done = CliRunner().invoke(main, ["score", *paths, "--format", "reference"])
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("metric", ["lea", "mentions"])
def test_metric_that_reference_scorer_lacks(metric: str, tmp_path: Path) -> None:
    done = run(tmp_path, KEY, RESPONSE, "--metrics", metric)
    assert (done.exit_code, done.stdout) == (2, "")
    assert metric in done.stderr


def test_findings_go_to_standard_error(tmp_path: Path) -> None:
    done = run(tmp_path, KEY, RESPONSE_A, "--metrics", "muc")
    assert done.exit_code == 0
    assert "[W201]" in done.stderr
    assert "W201" not in done.stdout


def test_clusters_without_spans(tmp_path: Path) -> None:
    paths = []
    for name, entities in (("key", [["a", "b"]]), ("response", [["a", "b"], ["c"]])):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"d": entities}), encoding="utf-8")
        paths.append(str(path))
    options = ["--format", "reference", "--metrics", "muc", "--per-document"]
    done = CliRunner().invoke(main, ["score", *paths, *options])
    assert done.exit_code == 0
    assert "Entity 0: (a) (b)\n" in done.stdout


def cases() -> list[Any]:
    if not CASES.exists():
        return []
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.skipif(not CASES.exists(), reason="no shared cases beside this checkout")
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases()])
def test_random_corpora_equal_reference_scorer(case: dict[str, Any], tmp_path: Path) -> None:
    """Byte for byte after the version line; what it refuses, we refuse."""
    if case["perl"]["exit"] == 0:
        text = printed(tmp_path, case["key"], case["response"])
        assert text == case["perl"]["stdout_all_none"]
    else:
        done = run(tmp_path, case["key"], case["response"])
        assert (done.exit_code, done.stdout) == (3, "")
        assert "[E204]" in done.stderr
