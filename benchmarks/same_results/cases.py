"""The cases: every command, format and profile, on good and on damaged inputs."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "docs" / "samples"
SHARED = next(
    (p / "shared" for p in ROOT.parents if (p / "shared" / "cases" / "formats").is_dir()), None
)
DEMO = ROOT / "src" / "corefscope" / "demo"
TABLES = ("table", "json", "csv", "markdown", "latex")
WRITTEN = (
    *("conll", "corefud", "jsonl", "json", "native", "fastcoref", "brat", "booknlp", "webanno"),
    "spacy-json",
)
PROFILES = (
    *("conll-2012", "no-singletons", "coval", "e2e", "macro", "corefud-exact", "corefud"),
    *("crac-2022", "crac-2023", "crac-2024", "ua-1", "ua-2"),
)
METRICS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
ALL_METRICS = ",".join([*METRICS, "more"])
DAMAGES = 8
"""How many damaged copies of each sample there are."""

Commands = Iterator[tuple[str, list[str]]]


def command_cases(inputs: Path) -> Commands:
    """Yield names and arguments of commands; files are prepared in a folder."""
    samples = dict(_samples())
    yield from _on_demo()
    yield from _without_input()
    for name, path in samples.items():
        yield from _on_sample(name, path)
    yield from _damaged(inputs, samples)
    yield from _on_profiles(samples)
    if SHARED is not None:
        yield from _on_shared(inputs, SHARED)


def _samples() -> Iterator[tuple[str, str]]:
    """Yield the sample of each format: a file, or a folder."""
    for folder in sorted(SAMPLES.iterdir()):
        files = [path for path in folder.iterdir() if path.is_file()]
        is_file = len(files) == 1 and not any(path.is_dir() for path in folder.iterdir())
        yield folder.name, str(files[0] if is_file else folder)


def _demo() -> tuple[str, list[str]]:
    """Return the key and the named responses of the example corpus, for both versions the same."""
    responses = [path for path in sorted(DEMO.glob("*.conll")) if path.stem != "key"]
    return str(DEMO / "key.conll"), [f"{path.stem}={path}" for path in responses]


def _on_demo() -> Commands:
    key, responses = _demo()
    one = responses[0].partition("=")[2]
    for format in (*TABLES, "reference"):
        yield f"demo score {format}", ["score", key, one, "--format", format]
        for metrics in ("more", "antecedents", "legacy", "v4"):
            arguments = ["score", key, *responses, "--metrics", metrics, "--format", format]
            yield f"demo score {metrics} {format}", arguments
    for name, arguments in _in_all_tables(key, responses, one):
        for format in TABLES:
            yield f"demo {name} {format}", [*arguments, "--format", format]
    for mode in ("standard", "berkeley"):
        for singletons in ("keep", "drop"):
            options = ["--mode", mode, "--singletons", singletons, "--format", "json", "--list"]
            yield f"demo errors {mode} {singletons}", ["errors", key, one, *options]
        yield f"demo corrected {mode}", ["errors", key, one, "--mode", mode, "--corrected", "out"]
    yield "demo report", ["report", key, *responses, "-o", "report.html"]
    yield "demo report redacted", ["report", key, *responses, "-o", "report.html", "--redact"]
    for format in WRITTEN:
        yield f"demo convert {format}", ["convert", key, "out", "--to", format, "--lossy"]


def _without_input() -> Commands:
    for name in ("score", "errors", "nec", "compare", "gate", "validate", "stats"):
        yield f"schema {name}", ["schema", name]
        yield f"help of {name}", [name, "--help"]


def _in_all_tables(key: str, responses: list[str], one: str) -> Commands:
    yield "errors", ["errors", key, *responses]
    for option in ("--list", "--groups", "--impact"):
        yield f"errors {option}", ["errors", key, one, option]
    for table in range(1, 12):
        yield f"errors table {table}", ["errors", key, *responses, "--tables", str(table)]
    yield "nec", ["nec", key, *responses]
    yield "nec detail", ["nec", key, one, "--detail"]
    yield "compare", ["compare", key, *responses, "--samples", "200"]
    yield "profiles", ["profiles", key, one]
    yield "list of profiles", ["profiles"]
    yield "stats", ["stats", key]
    yield "per document", ["score", key, one, "--per-document"]
    for by in ("type", "entity-type", "size", "distance", "document"):
        yield f"by {by}", ["score", key, one, "--by", by]
    for metric in METRICS:
        yield f"explain {metric}", ["explain", metric, key, one]


def _on_sample(name: str, path: str) -> Commands:
    conll = str(SAMPLES / "conll" / "both.conll")
    json = ["--format", "json"]
    yield f"sample {name} as response", ["score", conll, path, "--per-document", *json]
    yield f"sample {name} as key", ["score", path, conll, "--per-document", *json]
    yield f"sample {name} with itself", ["score", path, path, "--metrics", ALL_METRICS, *json]
    for command in ("errors", "nec"):
        yield f"sample {name} {command}", [command, conll, path, *json]
        yield f"sample {name} {command} as key", [command, path, path, *json]
    yield f"sample {name} validate", ["validate", path, *json]
    yield f"sample {name} stats", ["stats", path, *json]
    yield f"sample {name} report", ["report", conll, path, "-o", "report.html"]
    for format in WRITTEN:
        yield f"sample {name} to {format}", ["convert", path, "out", "--to", format, "--lossy"]
        yield f"sample {name} to {format} strictly", ["convert", path, "out", "--to", format]


def _on_profiles(samples: dict[str, str]) -> Commands:
    key, responses = _demo()
    one = responses[0].partition("=")[2]
    pairs = {"demo": (key, one)}
    for name in ("corefud", "ua", "jsonl", "native"):
        pairs[name] = samples[name], samples[name]
    for pair, (ours, theirs) in pairs.items():
        for profile in PROFILES:
            options = ["--profile", profile, "--per-document", "--format", "json"]
            yield f"profile {profile} {pair}", ["score", ours, theirs, *options]
        for match in ("exact", "head", "partial"):
            for zeros in ("dependent", "linear", "drop"):
                options = ["--match", match, "--zeros", zeros, "--format", "json"]
                yield f"match {match} {zeros} {pair}", ["score", ours, theirs, *options]


def _damaged(inputs: Path, samples: dict[str, str]) -> Commands:
    """Damage each file of each sample in some ways that do not depend on the version."""
    for name, path in samples.items():
        for number in range(DAMAGES):
            draw = random.Random(f"{name} {number}")
            target = inputs / f"{name}-{number}"
            if Path(path).is_dir():
                shutil.copytree(path, target)
                files = sorted(file for file in target.rglob("*") if file.is_file())
            else:
                target.mkdir()
                files = [Path(shutil.copy(path, target))]
            file = draw.choice(files)
            file.write_bytes(_damage(file.read_bytes(), draw))
            given = str(target if Path(path).is_dir() else file)
            conll = str(SAMPLES / "conll" / "both.conll")
            yield f"damaged {name} {number}", ["validate", given, "--format", "json"]
            yield f"damaged {name} {number} score", ["score", conll, given, "--format", "json"]


def _damage(data: bytes, draw: random.Random) -> bytes:
    kind = draw.choice(("cut", "digit", "byte", "drop", "repeat", "cell", "swap"))
    if kind == "cut":
        return data[: draw.randrange(len(data))]
    if kind in ("digit", "byte"):
        places = [i for i, byte in enumerate(data) if kind == "byte" or 48 <= byte < 58] or [0]
        at, new = draw.choice(places), draw.randrange(1, 256)
        return (
            data[:at] + (b"%d" % (new % 10) if kind == "digit" else bytes([new])) + data[at + 1 :]
        )
    lines = data.split(b"\n")
    place = draw.randrange(len(lines))
    before, line = lines[max(place - 1, 0)], lines[place]
    changed = {
        "drop": [],
        "repeat": [line, line],
        "cell": [line.rpartition(b"\t")[0] or line[:-1]],
        "swap": [line, before],
    }
    lines[place - (kind == "swap") : place + 1] = changed[kind]
    return b"\n".join(lines)


def _on_shared(inputs: Path, shared: Path) -> Commands:
    json = ["--format", "json"]
    for path in sorted((shared / "cases" / "formats").glob("*/*")):
        yield f"shared {path.parent.name}/{path.name}", ["validate", str(path), *json]
        conll = str(shared / "cases" / "formats" / "conll2012" / "both.conll")
        yield f"shared {path.parent.name}/{path.name} score", ["score", conll, str(path), *json]
    for path in sorted((shared / "cases" / "hostile").iterdir()):
        yield f"hostile {path.name}", ["validate", str(path), *json]
        yield f"hostile {path.name} score", ["score", str(path), str(path), *json]
    data = shared / "data"
    pairs = {
        "litbank": (data / "litbank/key.json", data / "litbank/response.json"),
        "gum": (data / "gum/key.conll.gz", data / "gum/response.conll.gz"),
        "emilia": (data / "gerdracor/Emilia-LF.conll.gz", data / "gerdracor/Emilia-SE.conll.gz"),
        "gum-corefud": (
            data / "gum-corefud/key.conllu.gz",
            data / "gum-corefud/response.conllu.gz",
        ),
    }
    for name, (key, response) in pairs.items():
        if not key.exists() or not response.exists():
            continue
        pair = [str(key), str(response)]
        yield (
            f"data {name} score",
            ["score", *pair, "--metrics", ALL_METRICS, "--per-document", *json],
        )
        yield f"data {name} errors", ["errors", *pair, "--list", "--impact", *json]
        yield f"data {name} errors table", ["errors", *pair]
        yield f"data {name} berkeley", ["errors", *pair, "--mode", "berkeley", *json]
        yield f"data {name} nec", ["nec", *pair, "--detail", *json]
        yield f"data {name} stats", ["stats", *pair, *json]
        for profile in ("corefud", "corefud-exact", "crac-2022", "ua-1"):
            yield f"data {name} {profile}", ["score", *pair, "--profile", profile, *json]
        yield f"data {name} report", ["report", *pair, "-o", "report.html"]
        for format in ("conll", "corefud", "jsonl", "native"):
            yield f"data {name} to {format}", ["convert", pair[1], "out", "--to", format, "--lossy"]
    for name in ("brat", "conll", "tsv"):
        folder = data / "litbank-formats" / name
        yield f"data litbank {name}", ["score", str(folder), str(folder), *json]


def api_cases() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield names, and functions that call the library."""
    import corefscope as cs

    key, responses = _demo()
    named = dict(each.split("=", 1) for each in responses)
    first = next(iter(named.values()))
    clusters = {"a": [[(0, 1), (3, 3)], [(5, 5)]], "b": [[(0, 0), (2, 2), (4, 4)]]}
    others = {"a": [[(0, 1)], [(3, 3), (5, 5)]], "b": [[(0, 0), (2, 2)], [(4, 4)]]}
    ids = {"a": [["m1", "m2"], ["m3"]]}, {"a": [["m1"], ["m2", "m3"]]}
    yield "api score", lambda: cs.score(key, first).to_dict()
    yield "api signature", lambda: cs.score(key, first).signature
    yield "api repr", lambda: repr(cs.score(key, first))
    yield "api clusters", lambda: cs.score(clusters, others).to_dict()
    yield "api ids", lambda: cs.score(*ids).to_dict()
    yield "api flat", lambda: cs.score(clusters["a"], others["a"]).to_dict()
    for profile in PROFILES:
        yield (
            f"api profile {profile}",
            partial(_dict, clusters, others, profile),
        )
        yield f"api ids {profile}", partial(_dict, *ids, profile)
    yield "api analyze", lambda: cs.analyze(key, first).to_dict()
    yield "api records", lambda: [repr(each) for each in cs.analyze(key, first).records[:200]]
    yield "api analyze clusters", lambda: cs.analyze(clusters, others).to_dict()
    yield "api nec", lambda: cs.nec(key, first).to_dict()
    yield "api compare", lambda: cs.compare(key, named, samples=200).to_dict()
    yield "api explain", lambda: repr(cs.explain("b3", clusters, others))
    yield "api evaluate", lambda: [s.scores.conll for s in cs.evaluate(key, named)]
    yield "api scorer", lambda: _streamed(cs, clusters, others)
    yield "api bad", lambda: cs.score([[(0, 1), (0, 1)]], [[3, "a"]])
    yield "api doubtful", lambda: cs.score([[0, 1], [3, 4]], [[0, 1], [5, 6]]).to_dict()
    yield "api corpus", lambda: _shape(cs.read(key))
    yield "api with_clusters", lambda: _shape(cs.read(key).with_clusters({}))


def _dict(key: object, response: object, profile: str) -> object:
    import corefscope as cs

    return cs.score(key, response, profile=profile).to_dict()  # type: ignore[arg-type]


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
