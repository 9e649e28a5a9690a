"""The working of a score adds up to the score, and reads as the paper's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings

import brute_force
import corefscope as cs
from brute_force import Ratios
from corefscope.cli import main
from corefscope.explanation import Explanation
from corefscope.explanation.terms import MOST_TERMS, Sum, number_text
from corefscope.explanation.working import WORKINGS
from corefscope.metrics import STANDARD
from corefscope.options import make_options
from evaluations import explanation_of
from strategies import Document, Side, documents

KEY, RESPONSE = [list("abc"), list("defg")], [list("ab"), list("cd"), list("fghi")]

every_metric = pytest.mark.parametrize("metric", STANDARD)


def explained(metric: str, key: Side, response: Side) -> Explanation:
    one, other = (cs.Corpus.from_clusters({"d": clusters}) for clusters in (key, response))
    return explanation_of(metric, one, other, make_options())


def test_every_metric_has_a_working() -> None:
    assert WORKINGS.keys() == set(STANDARD)


@settings(max_examples=200)
@given(documents())
def test_terms_add_up_to_the_score(document: Document) -> None:
    """Exactly, in fractions; and the score is the one that `score` gives."""
    scores = cs.score(*document)
    for metric in STANDARD:
        explanation = explained(metric, *document)
        assert explanation.score == scores[metric], metric
        for ratios, sums in zip(reference(metric, document), pairs(explanation.sums), strict=True):
            found = [(each.numerator, Fraction(each.denominator)) for each in sums]
            assert found == [ratios[:2], ratios[2:]], metric


@given(documents())
def test_the_values_of_the_sums_give_f1(document: Document) -> None:
    for metric in set(STANDARD) - {"blanc"}:
        explanation = explained(metric, *document)
        recall, precision = (each.value for each in explanation.sums)
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)
        assert abs(explanation.score.f1 - float(f1)) < 1e-12
        assert explanation.conclusion[-1].startswith("F1 = ")
        assert abs(concluded(explanation) - f1) < 1e-4


@settings(max_examples=200)
@given(documents())
def test_blanc_uses_the_links_of_the_key(document: Document) -> None:
    explanation = explained("blanc", *document)
    coreference, non_coreference = pairs(explanation.sums)
    expected = brute_force.METRICS["blanc"]([document])
    kinds = [kind for kind in (coreference, non_coreference) if kind[0].denominator]
    recall = sum((kind[0].value for kind in kinds), Fraction(0)) / max(len(kinds), 1)
    assert recall == expected.recall
    assert abs(concluded(explanation) - expected.f1) < 1e-4


def concluded(explanation: Explanation) -> Fraction:
    """The number at the end of the last line."""
    return Fraction(explanation.conclusion[-1].rpartition(" = ")[2]) / 100


def reference(metric: str, document: Document) -> Sequence[Ratios]:
    if metric == "blanc":
        return brute_force.blanc(*document)
    found: Ratios = getattr(brute_force, metric)(*document)
    return [found]


def pairs(sums: Sequence[Sum]) -> list[tuple[Sum, Sum]]:
    """Recall and precision, of each part."""
    return list(zip(sums[::2], sums[1::2], strict=True))


LISTING = """K1 = {a, b, c}
K2 = {d, e, f, g}
R1 = {a, b}
R2 = {c, d}
R3 = {f, g, h, i}
"""

WORKED = {
    "mentions": f"""Mentions of document d

{LISTING}
Recall = Σ common / Σ |K|
  K1  3 of 3
  K2  3 of 4; not {{e}}
  6 / 7 mentions of the key = 85.71 %

Precision = Σ common / Σ |R|
  R1  2 of 2
  R2  2 of 2
  R3  2 of 4; not {{h, i}}
  6 / 8 mentions of the response = 75.00 %

F1 = 2 · 85.71 · 75.00 / (85.71 + 75.00) = 80.00
""",
    "muc": f"""MUC of document d

{LISTING}
Recall = Σ (|K| − |p(K)|) / Σ (|K| − 1)
  K1  3 − 2 = 1   parts: {{a, b}} R1 {{c}} R2
  K2  4 − 3 = 1   parts: {{d}} R2 {{e}} {{f, g}} R3
  2 / 5 links = 40.00 %

Precision = Σ (|R| − |p(R)|) / Σ (|R| − 1)
  R1  2 − 1 = 1   parts: {{a, b}} K1
  R2  2 − 2 = 0   parts: {{c}} K1 {{d}} K2
  R3  4 − 3 = 1   parts: {{f, g}} K2 {{h}} {{i}}
  2 / 5 links = 40.00 %

F1 = 2 · 40.00 · 40.00 / (40.00 + 40.00) = 40.00
""",
    "b3": f"""B³ of document d

{LISTING}
Recall = Σ |K ∩ R|² / |K|  /  Σ |K|
  K1 ∩ R1  2² / 3 = 4/3
  K1 ∩ R2  1² / 3 = 1/3
  K2 ∩ R2  1² / 4 = 1/4
  K2 ∩ R3  2² / 4 = 1
  35/12 / 7 mentions = 41.67 %

Precision = Σ |R ∩ K|² / |R|  /  Σ |R|
  R1 ∩ K1  2² / 2 = 2
  R2 ∩ K1  1² / 2 = 1/2
  R2 ∩ K2  1² / 2 = 1/2
  R3 ∩ K2  2² / 4 = 1
  4 / 8 mentions = 50.00 %

F1 = 2 · 41.67 · 50.00 / (41.67 + 50.00) = 45.45
""",
    "ceafm": f"""CEAFm of document d

{LISTING}
Recall = Σ |K ∩ R| / Σ |K|, over the best alignment
  K1 – R1  2
  K2 – R3  2
  4 / 7 mentions = 57.14 %

Precision = Σ |K ∩ R| / Σ |R|, over the best alignment
  K1 – R1  2
  K2 – R3  2
  4 / 8 mentions = 50.00 %

Unaligned: R2
F1 = 2 · 57.14 · 50.00 / (57.14 + 50.00) = 53.33
""",
    "ceafe": f"""CEAFe of document d

{LISTING}
Recall = Σ φ₄(K, R) / Nk, over the best alignment
  K1 – R1  2 · 2 / (3 + 2) = 4/5
  K2 – R3  2 · 2 / (4 + 4) = 1/2
  13/10 / 2 entities = 65.00 %

Precision = Σ φ₄(K, R) / Nr, over the best alignment
  K1 – R1  2 · 2 / (3 + 2) = 4/5
  K2 – R3  2 · 2 / (4 + 4) = 1/2
  13/10 / 3 entities = 43.33 %

Unaligned: R2
F1 = 2 · 65.00 · 43.33 / (65.00 + 43.33) = 52.00
""",
    "blanc": f"""BLANC of document d

{LISTING}
Rc = |Ck ∩ Cr| / |Ck|, where Ck = {{a–b, a–c, b–c, d–e, d–f, d–g, e–f, e–g, f–g}}
  Ck ∩ Cr  {{a–b, f–g}}
  2 / 9 coreference links = 22.22 %

Pc = |Ck ∩ Cr| / |Cr|, where Cr = {{a–b, c–d, f–g, f–h, f–i, g–h, g–i, h–i}}
  Ck ∩ Cr  {{a–b, f–g}}
  2 / 8 coreference links = 25.00 %

Rn = |Nk ∩ Nr| / |Nk|, where Nk = {{a–d, a–e, a–f, a–g, b–d, b–e, b–f, b–g, c–d, c–e, c–f, c–g}}
  Nk ∩ Nr  {{a–d, a–f, a–g, b–d, b–f, b–g, c–f, c–g}}
  8 / 12 non-coreference links = 66.67 %

Pn = |Nk ∩ Nr| / |Nr|, where Nr = {{a–c, a–d, a–f, a–g, a–h, a–i, b–c, b–d, b–f, b–g, b–h, b–i, \
c–f, c–g, c–h, c–i, d–f, d–g, d–h, d–i}}
  Nk ∩ Nr  {{a–d, a–f, a–g, b–d, b–f, b–g, c–f, c–g}}
  8 / 20 non-coreference links = 40.00 %

Fc = 2 · 22.22 · 25.00 / (22.22 + 25.00) = 23.53
Fn = 2 · 66.67 · 40.00 / (66.67 + 40.00) = 50.00
Recall = (Rc + Rn) / 2 = (22.22 + 66.67) / 2 = 44.44
Precision = (Pc + Pn) / 2 = (25.00 + 40.00) / 2 = 32.50
BLANC = (Fc + Fn) / 2 = (23.53 + 50.00) / 2 = 36.76
""",
    "lea": f"""LEA of document d

{LISTING}
Recall = Σ |K| · resolved links / links  /  Σ |K|
  K1  3 · 1/3 = 1
  K2  4 · 1/6 = 2/3
  5/3 / 7 mentions = 23.81 %

Precision = Σ |R| · resolved links / links  /  Σ |R|
  R1  2 · 1/1 = 2
  R2  2 · 0/1 = 0
  R3  4 · 1/6 = 2/3
  8/3 / 8 mentions = 33.33 %

F1 = 2 · 23.81 · 33.33 / (23.81 + 33.33) = 27.78
""",
}
"""Pradhan et al. (2014), section 4, as we write it down; LEA by its definition."""


@every_metric
def test_example_of_the_2014_paper(metric: str) -> None:
    explanation = explained(metric, KEY, RESPONSE)
    *lines, signature = explanation.lines()
    assert "\n".join(lines) == WORKED[metric]
    assert signature == cs.score(KEY, RESPONSE).signature


@every_metric
@pytest.mark.parametrize(
    ("key", "response"), [([], []), ([], RESPONSE), (KEY, []), ([["x"]], [["x"]])]
)
def test_nearly_empty_documents(metric: str, key: Side, response: Side) -> None:
    explanation = explained(metric, key, response)
    assert explanation.score == cs.score(key, response)[metric]
    assert f"{100 * explanation.score.f1:.2f}" in "\n".join(explanation.lines())


def test_blanc_names_the_missing_kind_of_link() -> None:
    conclusions = [
        explained("blanc", key, key).conclusion[-1]
        for key in ([["a"]], [["a"], ["b"]], [["a", "b"]], KEY)
    ]
    assert conclusions == [
        "The key has no links: BLANC = 0.00",
        "The key has no coreference links: BLANC = Fn = 100.00",
        "The key has no non-coreference links: BLANC = Fc = 100.00",
        "BLANC = (Fc + Fn) / 2 = (100.00 + 100.00) / 2 = 100.00",
    ]


def large_document(mentions: int, entities: int) -> tuple[cs.Corpus, cs.Corpus]:
    """A partition and one that has moved every fifth mention, lost a tenth, found a tenth more."""
    random = np.random.default_rng(0)
    key = (random.power(0.4, mentions) * entities).astype(int)
    response = np.where(random.uniform(size=mentions) < 0.2, random.permutation(key), key)
    for side in (key, response):
        side[random.uniform(size=mentions) < 0.1] = -1
    return cs.Corpus.from_arrays(key), cs.Corpus.from_arrays(response)


@every_metric
@pytest.mark.parametrize("entities", [40, 1500])
def test_large_document_shows_largest_terms(metric: str, entities: int) -> None:
    key, response = large_document(5_000, entities)
    explanation = explanation_of(metric, key, response, make_options())
    lines = list(explanation.lines())
    assert len(lines) < 20 + 5 * (MOST_TERMS + 3)
    assert explanation.score == cs.score(key, response)[metric]
    for found, sums in zip(
        explanation.score.parts.values() or [explanation.score],
        pairs(explanation.sums),
        strict=True,
    ):
        recall, precision = sums
        assert found.recall == pytest.approx(float(recall.value), abs=1e-12)
        assert found.precision == pytest.approx(float(precision.value), abs=1e-12)


@every_metric
@pytest.mark.parametrize("most", [1, 7, 30])
def test_largest_terms_and_remainder_add_up(metric: str, most: int) -> None:
    explanation = explanation_of(metric, *large_document(600, 200), make_options())
    text = "\n".join(explanation.lines(most))
    for each in explanation.sums:
        block = next(part for part in text.split("\n\n") if part.startswith(f"{each.title} ="))
        shown = [line.strip() for line in block.splitlines()[1:-1]]
        if len(each.terms) <= most:
            assert len(shown) == len(each.terms)
            continue
        names = {line.split("  ")[0] for line in shown[:-1]}
        kept = [term for term in each.terms if term.name in names]
        left = [term for term in each.terms if term.name not in names]
        assert len(kept) == most
        assert min(term.value for term in kept) >= max(term.value for term in left)
        rest = sum((term.value for term in left), Fraction(0))
        assert shown[-1] == f"… and {len(left)} others, together {number_text(rest)}"
        assert rest + sum((term.value for term in kept), Fraction(0)) == each.numerator


def test_shown_terms_stay_in_order() -> None:
    explanation = explanation_of("muc", *large_document(600, 200), make_options())
    text = "\n".join(explanation.lines(10))
    for letter in "KR":
        numbers = [int(number) for number in re.findall(rf"^  {letter}(\d+) ", text, re.MULTILINE)]
        assert len(numbers) == 10
        assert numbers == sorted(numbers)


def test_long_entities_and_lists_are_shortened() -> None:
    entity = [f"mention {number}" for number in range(20)]
    text = "\n".join(explained("muc", [entity], [[mention] for mention in entity]).lines())
    assert (
        "K1 = {mention 0, mention 1, mention 2, mention 3, mention 4, mention 5, … 20 in all}"
        in (text)
    )
    assert "… 20 parts" in text
    aligned = "\n".join(explained("ceafm", [entity], [[m] for m in entity]).lines())
    assert "Unaligned: R" in aligned and "… 19 in all" in aligned


def test_both_sides_of_a_large_document() -> None:
    """Terms name response entities, too: nobody can follow them without."""
    explanation = explanation_of("ceafe", *large_document(600, 200), make_options())
    listing = "\n".join(explanation.lines()).split("\n\n")[1]
    terms = {
        name for each in explanation.sums for term in each.terms for name in term.name.split(" – ")
    }
    listed = set(re.findall(r"^(\w+) = ", listing, flags=re.MULTILINE))
    assert listed < terms
    for line in re.findall(
        r"^  (K\d+) – (R\d+) ", "\n".join(explanation.lines()), flags=re.MULTILINE
    ):
        assert set(line) <= listed


def test_numbers_are_written_as_people_read_them() -> None:
    assert number_text(Fraction(4)) == "4"
    assert number_text(Fraction(35, 12)) == "35/12"
    assert number_text(Fraction(1, 1000)) == "1/1000"
    assert number_text(Fraction(1, 1001)) == "0.0010"


def test_group_or_unknown_metric_is_an_error() -> None:
    for name in ("all", "conll", "accuracy"):
        with pytest.raises(cs.UnknownName):
            explained(name, KEY, RESPONSE)
    assert explained("BCUB", KEY, RESPONSE).metric == "B³"


def test_a_key_of_several_documents_is_an_error() -> None:
    corpus = cs.Corpus.from_clusters({"x": KEY, "y": KEY})
    with pytest.raises((ValueError, LookupError)):
        explanation_of("muc", corpus, corpus, make_options())
    assert explanation_of("muc", corpus.only("y"), corpus.only("y"), make_options()).document == "y"


def test_options_decide_what_is_explained() -> None:
    corpus = cs.Corpus.from_clusters({"d": [*KEY, ["z"]]})
    explanation = explanation_of("mentions", corpus, corpus, make_options(singletons="drop"))
    assert explanation.sums[0].denominator == 7
    assert "singletons:drop" in explanation.signature


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_repeated_mentions() -> None:
    repeated = [list("ab"), list("bc"), list("c")]
    explanation = explained("b3", repeated, [list("ab"), list("c")])
    assert [f"{name} = {text}" for name, text in explanation.entities.items()][:2] == [
        "K1 = {a, b}",
        "K2 = {c}",
    ]
    assert explanation.score == cs.score(repeated, [list("ab"), list("c")]).b3


CONLL = """#begin document (a)
0\tHe\t(1)
1\tsaw\t-
2\tthe\t(2
3\told\t-
4\tdog\t2)
5\tand\t-
6\tit\t(2)
7\thim\t(1)
#end document
#begin document (b)
0\tShe\t(1)
1\tlaughed\t-
2\tat\t-
3\therself\t(1)
#end document
"""


def run(folder: Path, response: str, *arguments: str) -> tuple[int, str, str]:
    paths = []
    for name, text in (("key.conll", CONLL), ("response.conll", response)):
        (folder / name).write_text(text, encoding="utf-8")
        paths.append(str(folder / name))
    metric, *options = arguments
    done = CliRunner().invoke(main, ["explain", metric, *paths, *options])
    return done.exit_code, done.stdout, done.stderr


def test_mentions_with_words_and_places(tmp_path: Path) -> None:
    status, text, _ = run(tmp_path, CONLL, "muc", "--document", "(a)")
    assert status == 0
    assert "K1 = {He (0), him (7)}\nK2 = {the old dog (2–4), it (6)}\n" in text
    assert text.startswith("MUC of document (a)\n")


def test_long_mentions_are_shortened(tmp_path: Path) -> None:
    words = ["-\t-"] * 3 + ["extraordinarily\t(1"] + ["long\t-"] * 5 + ["mention\t1)"]
    text = "#begin document (a)\n" + "\n".join(words) + "\n#end document\n"
    path = tmp_path / "long.conll"
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["explain", "b3", str(path), str(path)])
    assert "K1 = {extraordinarily long long long … (3–9)}\n" in done.stdout


def test_document_must_be_chosen(tmp_path: Path) -> None:
    status, text, message = run(tmp_path, CONLL, "muc")
    assert (status, text) == (2, "")
    assert "--document" in message and "--document: a, b" in message


@pytest.mark.parametrize("metric", ["all", "conll", "accuracy"])
def test_usage_error_without_single_metric(metric: str, tmp_path: Path) -> None:
    status, text, message = run(tmp_path, CONLL, metric, "--document", "(a)")
    assert (status, text) == (2, "")
    assert metric in message


def test_document_missing_from_response(tmp_path: Path) -> None:
    """As `score` counts it; the response is of the same texts, and lacks this one."""
    first, end, _ = CONLL.partition("#end document\n")
    status, text, message = run(tmp_path, first + end, "muc", "--document", "(b)")
    assert status == 0
    assert "K1 = {She (0), herself (3)}" in text
    assert "W201" in message
