"""The point that measures everyday work, each row with the ratio that it had before.

The ratios of before were measured in the same way at the commit ``227b072``, with ``--quick``;
that of ``convert`` at ``da0e5815`` with all documents, because it was not linear.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from points import BARE_LOOP, MEGABYTE, Row, Settings, files
from processes import HERE, PYTHON, Run, best_of, corefscope

DATA = HERE / "data"
TINY = "#begin document tiny\nAnn\t(1)\nsaw\t-\nher\t(1)\ncat\t-\n#end document\n"
DECODE = "import json, sys\nfor path in sys.argv[1:]:\n for line in open(path): json.loads(line)"
ONE_JOB = ("--jobs", "1")
"""Processor time is compared with versions that had one process."""
BEFORE = {
    "tiny": 1.7,
    "lines": 11.4,
    "per document": 56.5,
    "convert": 150,
    "errors": 20.9,
    "nec": 11.1,
    "report": 31,
    "errors of tiny": 139,
    "nec of tiny": 105,
    "report of tiny": 304,
}
"""The ratios of before."""


def everyday_work(settings: Settings) -> Iterator[Row]:
    """Measure (u): a tiny document, many small ones, and the analyses of a test set."""
    yield from _tiny(settings)
    yield from _many_lines(settings)
    yield from _analyses(settings)
    yield from _tiny_documents(settings)


def _row(what: str, ours: Run, rival: Run, case: str, limit: float) -> Row:
    ratio = ours.cpu / rival.cpu
    named = f"{what} (before: {BEFORE[case]:g})"
    return Row(
        "u", named, ours.cpu, "s", ours.cpu, rival.cpu, ratio, f"≤ {limit:g}", ratio <= limit
    )


def _tiny(settings: Settings) -> Iterator[Row]:
    path = _written("tiny.conll", lambda: TINY)
    imports = [PYTHON, "-c", "import numpy, click"]
    ours, rival = best_of(2 * settings.times, corefscope("score", path, path), imports)
    yield _row("score, one tiny document; rival: import numpy, click", ours, rival, "tiny", 1.3)


def _many_lines(settings: Settings) -> Iterator[Row]:
    documents = 10_000 if settings.quick else 100_000
    pair = [
        _written(f"{side}-{documents}.jsonl", lambda seed=seed: _lines(documents, seed))  # type: ignore[misc]
        for seed, side in enumerate(("key", "response"))
    ]
    plain, each, converted, rival = best_of(
        settings.few,
        corefscope("score", *pair, *ONE_JOB),
        corefscope("score", *pair, *ONE_JOB, "--per-document", "--format", "json"),
        corefscope("convert", pair[0], str(DATA / "converted.conll"), *ONE_JOB, "--lossy"),
        [PYTHON, "-c", DECODE, *pair],
    )
    named = f"score, {documents:,} JSON lines; rival: json.loads"
    yield _row(named, plain, rival, "lines", 5)
    peak = f"{each.peak / MEGABYTE:.0f} MB"
    yield _row(f"the same, --per-document --format json, {peak}", each, rival, "per document", 12)
    yield _row("convert, the first of them, to CoNLL columns", converted, rival, "convert", 40)


def _analyses(settings: Settings) -> Iterator[Row]:
    limits = {"errors": 12, "nec": 7, "report": 18}
    yield from _analysed(settings, files("news-parsed"), "348 parsed documents", "", limits)


def _tiny_documents(settings: Settings) -> Iterator[Row]:
    pair = [
        _written(f"{side}-tiny.conll", lambda seed=seed: "".join(_parsed(seed)))  # type: ignore[misc]
        for seed, side in enumerate(("key", "response"))
    ]
    limits = {"errors": 70, "nec": 53, "report": 152}
    yield from _analysed(settings, pair, "5,000 documents of 8 tokens", " of tiny", limits)


def _analysed(
    settings: Settings, pair: Sequence[str], what: str, case: str, limits: Mapping[str, float]
) -> Iterator[Row]:
    """Measure the analyses of a pair of files beside a loop that splits their lines."""
    *taken, rival = best_of(
        settings.few,
        corefscope("errors", *pair, *ONE_JOB),
        corefscope("nec", *pair, *ONE_JOB),
        corefscope("report", *pair, *ONE_JOB, "-o", str(DATA / "report.html")),
        [PYTHON, "-c", BARE_LOOP, *pair],
    )
    for (name, limit), ours in zip(limits.items(), taken, strict=True):
        yield _row(f"{name}, {what}; rival: a bare split", ours, rival, f"{name}{case}", limit)


def _parsed(seed: int) -> Iterator[str]:
    """Yield documents of two sentences with two entities; responses have errors of four kinds."""
    rows = [
        *(("Ann", "NNP", "(TOP(S(NP*)"), ("saw", "VBD", "(VP*"), ("Bob", "NNP", "(NP*))")),
        *((".", ".", "*))"), ("She", "PRP", "(TOP(S(NP*)"), ("greeted", "VBD", "(VP*")),
        *(("him", "PRP", "(NP*))"), (".", ".", "*))")),
    ]
    key = ["(1)", "-", "(2)", "-", "(1)", "-", "(2)", "-"]
    wrong = [
        ["(1)", "-", "(2)", "-", "(2)", "-", "(1)", "-"],
        ["(1)", "-", "-", "-", "(1)", "-", "(1)", "-"],
        ["(1)", "-", "(2)", "-", "(1)", "-", "-", "-"],
        ["(1)", "(1)", "(2)", "-", "(1)", "-", "(2)", "-"],
    ]
    for number in range(5_000):
        cells = wrong[number % len(wrong)] if seed else key
        yield f"#begin document (d{number}); part 000\n"
        for token, ((word, tag, parse), cell) in enumerate(zip(rows, cells, strict=True)):
            name = "(PERSON)" if tag == "NNP" else "*"
            yield f"d{number} 0 {token % 4} {word} {tag} {parse} - - - - {name} {cell}\n"
            if token == 3:
                yield "\n"
        yield "\n#end document\n"


def _written(name: str, make: Callable[[], str]) -> str:
    """Return the path of a file, which is written once."""
    path = DATA / name
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        path.write_text(make(), encoding="utf-8")
    return str(path)


def _lines(documents: int, seed: int) -> str:
    """Return small documents of six mentions; the response has a tenth of them elsewhere."""
    lines = []
    for number in range(documents):
        text, noise = Random(number), Random(number + seed * documents)
        entities: list[list[list[int]]] = [[], [], []]
        for place in range(6):
            entity = text.randrange(3)
            if seed and noise.random() < 0.1:
                entity = noise.randrange(3)
            entities[entity].append([3 * place, 3 * place + text.randrange(2)])
        record = {
            "doc_key": f"d{number}",
            "sentences": [[f"w{text.randrange(500)}" for _ in range(20)]],
            "clusters": [entity for entity in entities if entity],
        }
        lines.append(json.dumps(record) + "\n")
    return "".join(lines)


EVERYDAY_POINTS = {"u": everyday_work}
