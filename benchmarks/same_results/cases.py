"""The cases: every command, option, format, profile and finding, on good and on bad inputs.

`make same-results` runs all of them with two versions; `tests/test_stored_results.py` runs those
whose results are stored. A case is a command line and the files it needs, or a call in Python.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import click

from corefscope.cli import COMMANDS, main
from same_results.inputs import DAMAGES, SHARED, damaged, formats, sample


class Case(NamedTuple):
    """Something to be run in an empty folder."""

    name: str
    words: tuple[str, ...] = ()
    files: Mapping[str, bytes] = {}
    """What is in the folder before."""
    call: Callable[[], Any] | None = None
    """A call in Python, instead of a command."""


def case(name: str, line: str, **files: bytes) -> Case:
    """Return a case by its command line."""
    return Case(name, tuple(shlex.split(line)), files)


TABLES = ("table", "json", "csv", "markdown", "latex")
WRITTEN = (*("conll", "corefud", "jsonl", "json", "native", "brat"),)
PROFILES = (
    *("conll-2012", "no-singletons", "coval", "e2e", "macro", "corefud-exact", "corefud"),
    *("crac-2022", "crac-2023", "crac-2024", "ua-1", "ua-2"),
)
METRICS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
KEY, ONE, TWO = "../demo/key.conll", "../demo/sieve.conll", "../demo/recency.conll"
THREE = f"string-match=../demo/string-match.conll sieve={ONE} recency={TWO}"
BOTH = sample("conll")
ANNA, BEN = (f"../examples/annotators/{name}.jsonl" for name in ("anna", "ben"))


def all_cases() -> Iterator[Case]:
    """Yield every case, each with a name of its own."""
    yield from of_demo()
    yield from of_surroundings()
    yield from of_own()
    yield from of_options()
    for format in formats():
        yield from of_sample(format)
        yield from of_damage(format)
    yield from of_profiles()
    yield from of_python()
    if SHARED is not None:
        yield from of_shared(SHARED)


# ---- The example corpus: every result in every format ----

RESULTS = {
    "score": f"score {KEY} {ONE}",
    "score systems": f"score {KEY} {THREE}",
    "score more": f"score {KEY} {THREE} --metrics more",
    "score antecedents": f"score {KEY} {THREE} --metrics antecedents",
    "score legacy": f"score {KEY} {THREE} --metrics legacy",
    "per document": f"score {KEY} {ONE} --per-document",
    **{
        f"by {by}": f"score {KEY} {ONE} --by {by}"
        for by in ("mention-type", "entity-type", "entity-size", "distance", "nesting", "genre")
    },
    "windows": f"score {KEY} {ONE} --window 50,200",
    "preset": f"nec {KEY} {ONE} --preset default",
    "major": f"score {KEY} {ONE} --major 3",
    "errors": f"errors {KEY} {THREE}",
    **{f"errors {way}": f"errors {KEY} {ONE} --{way}" for way in ("list", "groups", "impact")},
    **{f"errors table {n}": f"errors {KEY} {THREE} --tables {n}" for n in range(1, 12)},
    "nec": f"nec {KEY} {THREE}",
    "nec detail": f"nec {KEY} {ONE} --detail",
    "nec tables": f"nec {KEY} {ONE} --tables 3,4",
    "compare": f"compare {KEY} {THREE} --samples 200",
    "compare pairs": f"compare {KEY} {THREE} --samples 200 --all-pairs --detail",
    "compare changes": f"compare {KEY} {ONE} {TWO} --samples 50 --changes --list",
    "agree": f"agree {ANNA} {BEN} --list",
    "profiles": f"profiles {KEY} {ONE}",
    "list of profiles": "profiles",
    "stats": f"stats {KEY}",
    **{f"explain {metric}": f"explain {metric} {KEY} {ONE}" for metric in METRICS},
}


STORMS = "../examples/storms.conll ../examples/storms_system.conll"
PLAIN = sample("jsonl")
OWN = {
    "errors of systems listed": f"errors {KEY} {THREE} --list",
    "errors without parses": f"errors {BOTH} {PLAIN} --tables all",
    "crac": "score --crac ../samples/corefud ../samples/corefud",
    "crac systems": "score --crac ../samples/corefud a=../samples/corefud b=../samples/corefud",
    "topics": f"score {STORMS} --level topic --per-document",
    "annotators": f"agree {ANNA} {BEN} ../examples/annotators/carla.jsonl --list --most 3",
    "a formula as a name": f"score {KEY} @SUM(1)={ONE} b={TWO} --per-document",
    "stored scores": f"compare {KEY} best.json {TWO} --samples 20",
}
"""What mutants of cli, rendering and serialization showed that the others do not reach."""


def of_own() -> Iterator[Case]:
    """Yield results of other corpora, as tables, JSON and CSV."""
    for name, line in OWN.items():
        for format in ("table", "json", "csv"):
            words = tuple(shlex.split(f"{line} --format {format}"))
            yield Case(f"own {name} {format}", words, {"best.json": BEST.read_bytes()})
    yield case("own groups of a type", f"errors {KEY} {ONE} --groups --type missing_mention")
    yield case("own topic", f"explain b3 {STORMS} --level topic")
    yield case("own part of a topic", f"explain b3 {STORMS} --level document --document storm_b")


def of_demo() -> Iterator[Case]:
    """Yield every result of the example corpus in every format, and what commands write."""
    for name, line in RESULTS.items():
        for format in TABLES:
            yield case(f"demo {name} {format}", f"{line} --format {format}")
    for layout in ("score", "score systems", "errors", "nec", "compare", "agree"):
        for format in ("table", "markdown", "latex", "csv"):
            line = f"{RESULTS[layout]} --layout paper --caption --format {format}"
            yield case(f"paper {layout} {format}", line)
    yield case("demo score reference", f"score {KEY} {ONE} --format reference")
    official = f"score {ON['corefud']} {ON['corefud']} --profile corefud --metrics corefud"
    yield case("demo score official", f"{official} --format corefud")
    for mode in ("standard", "berkeley"):
        for rule in ("keep", "drop"):
            line = f"errors {KEY} {ONE} --mode {mode} --singletons {rule} --list --format json"
            yield case(f"demo errors {mode} {rule}", line)
        line = f"errors {KEY} {ONE} --mode {mode} --corrected out"
        yield case(f"demo corrected {mode}", line)
    yield case("demo report", f"report {KEY} {THREE} -o report.html")
    yield case("demo report redacted", f"report {KEY} {THREE} -o report.html --redact")
    for format in WRITTEN:
        yield case(f"demo convert {format}", f"convert {KEY} out --to {format} --lossy")


def of_surroundings() -> Iterator[Case]:
    """Yield what commands say of themselves."""
    yield case("demo", "demo -o out")
    yield case("formats", "formats")
    for name in formats():
        yield case(f"formats {name}", f"formats {name}")
    for name in COMMANDS:
        yield case(f"help of {name}", f"{name} --help")
    yield case("schema", "schema")
    for name in ("score", "errors", "nec", "compare", "gate", "validate", "stats"):
        yield case(f"schema {name}", f"schema {name}")


# ---- Every option of every command ----

BASE = {
    "score": f"score {KEY} {ONE}",
    "errors": f"errors {KEY} {ONE}",
    "nec": f"nec {KEY} {ONE}",
    "compare": f"compare {KEY} {ONE} {TWO} --samples 20",
    "agree": f"agree {ANNA} {BEN}",
    "gate": f"gate {KEY} {ONE} --baseline best.json",
    "profiles": f"profiles {KEY} {ONE}",
    "report": f"report {KEY} {ONE} -o report.html",
    "explain": f"explain muc {KEY} {ONE}",
    "validate": f"validate {KEY}",
    "stats": f"stats {KEY}",
    "convert": f"convert {KEY} out.jsonl --lossy",
    "formats": "formats",
    "schema": "schema score",
    "demo": "demo",
}
ON = {
    "corefud": sample("corefud"),
    "ua": sample("ua"),
    "storms": "../examples/storms.conll",
    "folder": "../damaged/brat-0",
    "table": sample("cdcr"),
}
"""Corpora for options that say nothing of the example corpus."""
OPTIONS: dict[str, tuple[str, ...]] = {
    "--include": ("*.conll",),
    "--columns": ("word=4,coref=-1", "word=4,coref=3"),
    "--head": ("corefud file", "corefud minspan"),
    "--key-format": ("conll", "jsonl"),
    "--response-format": ("conll", "conll:ids=corpus"),
    "--input-format": ("conll",),
    "--profile": ("e2e", "corefud corefud", "ua ua-2"),
    "--match": ("exact", "corefud head", "corefud partial", "ua min", "corefud craft"),
    "--zeros": ("corefud dependent", "corefud linear", "corefud drop"),
    "--level": ("file", "document", "storms topic", "storms corpus"),
    "--split-antecedents": ("ua keep", "ua drop", "ua only"),
    "--layer": ("ua identity", "ua deixis"),
    "--metrics": ("muc,lea", "all,more"),
    "--skeleton": (f"corefud {sample('corefud')}",),
    "--zeros-from": ("corefud answer", "corefud skeleton"),
    "--window": ("50", "50,200"),
    "--document": ("(demo/news/harbour); part 000", "nowhere"),
    "--jobs": ("1", "2"),
    "--engine": ("local", "nope"),
    "--output": ("out.txt",),
    "--most": ("2", "0"),
    "--tables": ("1,3-4", "99"),
    "--names": ("names.tsv",),
    "--baseline": ("sieve", "nowhere.json"),
    "--by": ("upos", "corefud relation", "corefud zero", "spread"),
    "--major": ("2",),
    "--type": ("missing_mention", "nope"),
    "--where": ("text=it", "size>=3", "nope=1"),
    "--corrected": ("out",),
    "--cost": ("muc", "nope"),
    "--types": ("PER,ORG", "nope"),
    "--map": ("LOC=GPE", "NOPE=GPE"),
    "--preset": ("paper", "nope"),
    "--genres": ("nw", "news"),
    "--unit": ("parts", "files", "demo/(.*)/", "nope("),
    "--samples": ("9", "0"),
    "--seed": ("7",),
    "--confidence": ("0.9", "1"),
    "--max-drop": ("0.3", "lea=1", "nope=1"),
    "--title": ("Two words",),
    "--terms": ("3",),
    "--from": ("conll", "jsonl"),
    "--to": ("brat", "nope"),
}
"""Examples of the values of options, some after the corpus that shows them. What an option with
choices takes is known; flags need none."""
NEEDS = {
    "--csv-raw": "--format csv",
    "--caption": "--layout paper --format latex",
    "--intervals": "--layout paper",
    "--most": "--list",
}
"""What an option says nothing without, for commands that have it as well."""
BEST = Path(__file__).with_name("best.json")
"""Stored scores: a baseline."""
NAMES = b"(demo/news/harbour); part 000\t0\t0\tPERSON\n"


def of_options() -> Iterator[Case]:
    """Yield each option with each command that has it; every value comes with some command."""
    takers: dict[str, list[tuple[str, click.Option]]] = {}
    for command in BASE:
        parsed = main.get_command(click.Context(main), command)
        assert parsed is not None
        for option in parsed.params:
            if isinstance(option, click.Option):
                takers.setdefault(option.opts[-1], []).append((command, option))
    for name, taken in takers.items():
        differ = len({_values(option) for _, option in taken}) > 1
        for number, (command, option) in enumerate(taken):
            values = _values(option)
            most = len(values) if differ else -(-len(values) // len(taken))  # All come somewhere.
            for value in islice(cycle(values), number * most, (number + 1) * most):
                yield _with_option(command, name, value)


def _values(option: click.Option) -> tuple[str | None, ...]:
    if option.is_flag:
        return (None,)
    if option.opts[-1] in OPTIONS:
        return OPTIONS[option.opts[-1]]
    if isinstance(option.type, click.Choice):
        return tuple(map(str, option.type.choices))
    return ("",)


def _with_option(command: str, name: str, value: str | None) -> Case:
    words = shlex.split(BASE[command])
    corpus, _, rest = (value or "").partition(" ")
    if corpus in ON and rest:
        value, places = rest, [n for n, word in enumerate(words) if word.startswith("../")]
        for place in places:
            words[place] = ON[corpus]
    given = words + [name] + ([] if value is None else [value]) + _needed(command, name)
    title = f"option {command} {name} {value or ''}".rstrip()
    files = {"best.json": BEST.read_bytes(), "names.tsv": NAMES}
    return Case(title, tuple(given), files)


def _needed(command: str, name: str) -> list[str]:
    words = NEEDS.get(name, "").split()
    parsed = main.get_command(click.Context(main), command)
    assert parsed is not None
    known = {option for each in parsed.params for option in each.opts}
    return words if words[:1] and words[0] in known else []


# ---- Samples of all formats, good and damaged ----


def of_sample(format: str) -> Iterator[Case]:
    """Yield a sample as key and as response, described and converted."""
    path, json = sample(format), "--format json"
    name = f"sample {format}"
    yield case(f"{name} as response", f"score {BOTH} {path} --per-document {json}")
    yield case(f"{name} as key", f"score {path} {BOTH} --per-document {json}")
    metrics = ",".join((*METRICS, "more"))
    yield case(f"{name} with itself", f"score {path} {path} --metrics {metrics} {json}")
    for command in ("errors", "nec"):
        yield case(f"{name} {command}", f"{command} {BOTH} {path} {json}")
        yield case(f"{name} {command} as key", f"{command} {path} {path} {json}")
    yield case(f"{name} validate", f"validate {path} {json}")
    yield case(f"{name} stats", f"stats {path} {json}")
    yield case(f"{name} report", f"report {BOTH} {path} -o report.html")
    for target in WRITTEN:
        yield case(f"{name} to {target}", f"convert {path} out --to {target} --lossy")
        yield case(f"{name} to {target} strictly", f"convert {path} out --to {target}")


def of_damage(format: str) -> Iterator[Case]:
    """Yield damaged samples: what is found, and what they score."""
    for number in range(DAMAGES):
        path, name = damaged(format, number), f"damaged {format} {number}"
        yield case(name, f"validate {path} --format json")
        yield case(f"{name} score", f"score {BOTH} {path} --format json")


def of_profiles() -> Iterator[Case]:
    """Yield profiles and ways of matching on corpora with and without zeros."""
    pairs = {"demo": (KEY, ONE)}
    pairs |= {name: (sample(name),) * 2 for name in ("corefud", "ua", "jsonl", "native")}
    for name, (ours, theirs) in pairs.items():
        score = f"score {ours} {theirs} --format json"
        for profile in PROFILES:
            line = f"{score} --per-document --profile {profile}"
            yield case(f"profile {profile} {name}", line)
        for match in ("exact", "head", "partial"):
            for zeros in ("dependent", "linear", "drop"):
                line = f"{score} --match {match} --zeros {zeros}"
                yield case(f"match {match} {zeros} {name}", line)


def of_shared(shared: Path) -> Iterator[Case]:
    """Yield cases on files that may lie beside a checkout; their results are not stored."""
    for path in sorted((shared / "cases" / "formats").glob("*/*")):
        name = f"shared {path.parent.name}/{path.name}"
        given = f"../shared/cases/formats/{path.parent.name}/{path.name}"
        yield case(name, f"validate {given} --format json")
        yield case(f"{name} score", f"score {BOTH} {given} --format json")
    for path in sorted((shared / "cases" / "hostile").iterdir()):
        given = f"../shared/cases/hostile/{path.name}"
        yield case(f"hostile {path.name}", f"validate {given} --format json")
        yield case(f"hostile {path.name} score", f"score {given} {given} --format json")
    pairs = {
        "litbank": ("litbank/key.json", "litbank/response.json"),
        "gum": ("gum/key.conll.gz", "gum/response.conll.gz"),
        "emilia": ("gerdracor/Emilia-LF.conll.gz", "gerdracor/Emilia-SE.conll.gz"),
        "gum-corefud": ("gum-corefud/key.conllu.gz", "gum-corefud/response.conllu.gz"),
    }
    for name, files in pairs.items():
        if not all((shared / "data" / file).exists() for file in files):
            continue
        pair = " ".join(f"../shared/data/{file}" for file in files)
        yield case(f"data {name} score", f"score {pair} --metrics all,more --format json")
        yield case(f"data {name} errors", f"errors {pair} --list --impact --format json")
        yield case(f"data {name} berkeley", f"errors {pair} --mode berkeley --format json")
        yield case(f"data {name} nec", f"nec {pair} --detail --format json")
        yield case(f"data {name} report", f"report {pair} -o report.html")
        for profile in ("corefud", "crac-2022", "ua-1"):
            yield case(f"data {name} {profile}", f"score {pair} --profile {profile} --format json")
        for format in ("conll", "corefud", "jsonl", "native"):
            response = pair.split()[1]
            words = f"convert {response} out --to {format} --lossy"
            yield case(f"data {name} to {format}", words)


# ---- Calls in Python ----


def of_python() -> Iterator[Case]:
    """Yield calls of the library."""
    import corefscope as cs

    named = dict(each.split("=", 1) for each in THREE.split())
    clusters = {"a": [[(0, 1), (3, 3)], [(5, 5)]], "b": [[(0, 0), (2, 2), (4, 4)]]}
    others = {"a": [[(0, 1)], [(3, 3), (5, 5)]], "b": [[(0, 0), (2, 2)], [(4, 4)]]}
    ids = {"a": [["m1", "m2"], ["m3"]]}, {"a": [["m1"], ["m2", "m3"]]}
    calls: dict[str, Callable[[], Any]] = {
        "score": lambda: cs.score(KEY, ONE).to_dict(),
        "signature": lambda: cs.score(KEY, ONE).signature,
        "repr": lambda: repr(cs.score(KEY, ONE)),
        "clusters": lambda: cs.score(clusters, others).to_dict(),
        "ids": lambda: cs.score(*ids).to_dict(),
        "flat": lambda: cs.score(clusters["a"], others["a"]).to_dict(),
        "analyze": lambda: cs.analyze(KEY, ONE).to_dict(),
        "records": lambda: [repr(each) for each in cs.analyze(KEY, ONE).records[:200]],
        "analyze clusters": lambda: cs.analyze(clusters, others).to_dict(),
        "nec": lambda: cs.nec(KEY, ONE).to_dict(),
        "compare": lambda: cs.compare(KEY, named, samples=200).to_dict(),
        "agree": lambda: repr(cs.agree({"anna": ANNA, "ben": BEN})),
        "explain": lambda: repr(cs.explain("b3", clusters, others)),
        "evaluate": lambda: [s.scores.conll for s in cs.evaluate(KEY, named)],
        "report": lambda: str(cs.evaluate(KEY, named).report("report.html")),
        "scorer": lambda: _streamed(cs, clusters, others),
        "bad": lambda: cs.score([[(0, 1), (0, 1)]], [[3, "a"]]),
        "doubtful": lambda: cs.score([[0, 1], [3, 4]], [[0, 1], [5, 6]]).to_dict(),
        "corpus": lambda: _shape(cs.read(KEY)),
        "with_clusters": lambda: _shape(cs.read(KEY).with_clusters({})),
    }
    for profile in PROFILES:
        calls[f"profile {profile}"] = partial(_profiled, clusters, others, profile)
        calls[f"ids {profile}"] = partial(_profiled, *ids, profile)
    for name, call in calls.items():
        yield Case(f"api {name}", call=call)


def _profiled(key: Any, response: Any, profile: str) -> object:
    import corefscope as cs

    return cs.score(key, response, profile=profile).to_dict()


def _streamed(cs: Any, clusters: dict[str, Any], others: dict[str, Any]) -> Any:
    scorer = cs.Scorer()
    for name in clusters:
        scorer.update(clusters[name], others[name])
    return scorer.compute().to_dict()


def _shape(corpus: Any) -> Any:
    """Return what users can see of a corpus."""
    return [
        (d.name, d.words, [[(m.start, m.end) for m in e] for e in d.entities], d.tags, d.speakers)
        for d in corpus
    ]
