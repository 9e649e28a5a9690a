"""Make the inputs of the fuzzer from the stored seeds."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import click
from click.testing import CliRunner

from corefscope.cli import COMMANDS, main
from corefscope.formats.registry import writings
from fuzzing.cases import STANDARD_INPUT, Case, names
from fuzzing.mistakes import MISTAKES
from fuzzing.mutations import change_json, mutated
from fuzzing.oracles.relations import RELATIONS
from fuzzing.samples import ONLY_RESPONSES, ROLES, SAMPLE, samples
from fuzzing.texts import (
    LINKED_ONLY,
    OF_MENTIONS,
    as_lines,
    changed,
    in_format,
    random_text,
    without_singletons,
)

SEEDS = Path(__file__).parent / "seeds"
KINDS = {".conll": "conll", ".jsonl": "jsonl", ".json": "json"}
SLOW = {"report": 0.3, "profiles": 0.3, "demo": 0.03}
"""Shares of the commands that take long even on the smallest files; the others have 1."""
ODD_VALUES = ["", "0", "-1", "x", "nan", "é", "a=b", "\x1b[31m", "key.conll", "[", "*", "1" * 400]
"""Values of options that nobody has written down in ``seeds/options.json``."""
SHARES = {
    "command": 40,
    "process": 1,
    "reader": 35,
    "silence": 10,
    "scores": 4,
    "format": 7,
    "python": 3,
}
"""Kinds of cases, of a hundred inputs."""


def load_seeds() -> dict[str, bytes]:
    """Return the stored files by name, and results of scoring two of them."""
    seeds = {p.name: p.read_bytes() for p in sorted(SEEDS.iterdir()) if p.name != "options.json"}
    return {**seeds, "results.json": _results(True), "totals.json": _results(False)}


def _results(per_document: bool) -> bytes:
    pair = [str(SEEDS / f"full.{role}.conll") for role in ("key", "response")]
    words = ["score", pair[0], f"a={pair[1]}", "--format", "json"]
    result = CliRunner().invoke(main, [*words, *(["--per-document"] if per_document else [])])
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes


def kind_of(name: str) -> str:
    """Return the kind of a file by its name: a format, or names, units or results."""
    stem = Path(name).name.partition(".")[0]
    special = {"names": "names", "units": "units", "results": "results", "totals": "results"}
    return special.get(stem) or KINDS.get(Path(name).suffix, Path(name).suffix or "conll")


@dataclass(frozen=True, slots=True)
class Generator:
    """Draws cases from the seeds and from inputs that reached new lines of the code."""

    seeds: Mapping[str, bytes]
    options: Mapping[str, list[str]]
    queue: dict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    """Inputs that reached new lines, by kind."""

    def case(self, random: Random) -> Case:
        """Draw a case."""
        (check,) = random.choices(list(SHARES), list(SHARES.values()))
        return DRAWS[check](self, random)

    def remember(self, case: Case) -> None:
        """Put the files of a case that reached new lines into the queue."""
        for name, data in case.files.items():
            if data not in self.seeds.values():
                self.queue[kind_of(name)].append(data)

    def corpora(self, role: str) -> list[str]:
        """Return the names of the seeds that are corpora of a role: key or response."""
        return [name for name in self.seeds if f".{role}." in name]

    def of_kind(self, kind: str) -> list[str]:
        """Return the names of the seeds of a kind; objects in Python are made of JSON."""
        kind = {"python": "json"}.get(kind, kind)
        return [name for name in self.seeds if kind_of(name) == kind]

    def drawn(self, name: str, random: Random, damaged: float) -> bytes:
        """Return a seed, or something made of it or of a remembered input."""
        data = self.seeds[name]
        if random.random() >= damaged:
            return data
        remembered = self.queue[kind_of(name)]
        if remembered and random.random() < 0.4:
            data = random.choice(remembered)
        return mutated(data, random)


def make_generator() -> Generator:
    """Make a generator with the stored seeds."""
    return Generator(load_seeds(), json.loads((SEEDS / "options.json").read_text("utf-8")))


def draw_reader(generator: Generator, random: Random) -> Case:
    """A file, mutated or random, for the readers, and the format that it is converted to."""
    target = (random.choice(list(writings())),)
    if random.random() < 0.7:
        format = random.choice(list(samples()))
        files = sample_files(format)
        name = random.choice(list(files))
        damaged = {**files, name: mutated(files[name], random)}
        return Case(check="reader", label=format, arguments=target, files=damaged)
    name = random.choice([*generator.corpora("key"), *generator.corpora("response")])
    kind = kind_of(name)
    data = generator.drawn(name, random, 1.0)
    if random.random() < 0.1:
        data = random.randbytes(random.randint(0, 200))
    files = {f"{SAMPLE}/input.{kind}": data}
    return Case(check="reader", label=kind, arguments=target, files=files)


def sample_files(format: str) -> dict[str, bytes]:
    """Return the files of a sample, in the folder of a case."""
    return {f"{SAMPLE}/{name}": data for name, data in samples()[format].items()}


def draw_silence(generator: Generator, random: Random) -> Case:
    """A well-formed file with one mistake of the list."""
    name = random.choice(list(MISTAKES))
    kind = random.choice(MISTAKES[name].kinds)
    file = random.choice(generator.of_kind(kind))
    files = {file: generator.seeds[file]}
    if kind in ("names", "units", "results"):
        files |= {f: generator.seeds[f] for f in ("full.key.conll", "full.response.conll")}
    arguments = (name, str(random.randrange(1 << 30)), random.choice(["key", "response"]))
    return Case(check="silence", label=kind, arguments=arguments, files=files)


def draw_format(generator: Generator, random: Random, format: str | None = None) -> Case:
    """Small random documents, as plain JSON lines and in a format."""
    format = format or random.choice(list(samples()))
    role = "response" if format in ONLY_RESPONSES else random.choice(["key", "response"])
    key = [random_text(f"d{number}", random) for number in range(random.randint(1, 3))]
    response = [changed(text, random) for text in key]
    if format in LINKED_ONLY:
        key, response = (list(map(without_singletons, side)) for side in (key, response))
    written = key if role == "key" else response
    if format in OF_MENTIONS:
        kept = [number for number, text in enumerate(written) if text.mentions]
        key, response = ([side[number] for number in kept] for side in (key, response))
        if not kept:
            return draw_format(generator, random, format)
    files = in_format(format, key if role == "key" else response)
    plain = dict(zip(ROLES, map(as_lines, (key, response)), strict=True))
    sample = {f"{SAMPLE}/{name}": data for name, data in files.items()}
    return Case(check="format", label=format, arguments=(role,), files={**plain, **sample})


def draw_scores(generator: Generator, random: Random) -> Case:
    """Two valid files of JSON lines with random entities over the same words."""
    lengths = [random.choice([0, 1, 3, 8, 20]) for _ in range(random.randint(1, 4))]
    key = [_random_record(f"d{number}", n, random) for number, n in enumerate(lengths)]
    response = [_near(record, random) for record in key]
    files = {"key.jsonl": _as_lines(key), "response.jsonl": _as_lines(response)}
    name = random.choice(list(RELATIONS))
    return Case(check="scores", label="score", arguments=(name,), files=files)


def _as_lines(records: Sequence[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _random_record(name: str, tokens: int, random: Random) -> dict[str, Any]:
    words = [f"w{token}" for token in range(tokens)]
    spans = {(first, random.randint(first, min(first + 3, tokens - 1))) for first in range(tokens)}
    places = defaultdict(list)
    for span in random.sample(sorted(spans), random.randint(0, len(spans))):
        places[random.randint(0, 5)].append(list(span))
    return {"doc_key": name, "sentences": [words], "clusters": list(places.values())}


def _near(record: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return the record with some mentions moved to other entities, and some lost."""
    if random.random() < 0.2:
        return _random_record(record["doc_key"], len(record["sentences"][0]), random)
    clusters: list[list[Any]] = [[] for _ in range(len(record["clusters"]) + 1)]
    for number, cluster in enumerate(record["clusters"]):
        for mention in cluster:
            place = random.choice([number] * 6 + [random.randrange(len(clusters))])
            if random.random() < 0.9:
                clusters[place].append(mention)
    return {**record, "clusters": [cluster for cluster in clusters if cluster]}


def draw_python(generator: Generator, random: Random) -> Case:
    """Two objects, nearly clusters, for the functions in Python."""
    documents = json.loads(generator.seeds[random.choice(["spans.key.json", "ids.key.json"])])
    value: Any = random.choice([documents, next(iter(documents.values()))])
    files = {}
    for name in ("key.json", "response.json"):
        data = json.dumps(value).encode()
        files[name] = change_json(data, random) if random.random() < 0.7 else data
    return Case(check="python", label="score", arguments=(), files=files)


def draw_command(generator: Generator, random: Random) -> Case:
    """A command line with files, of which one or two are mutated."""
    name = random.choices(list(COMMANDS), [SLOW.get(name, 1.0) for name in COMMANDS])[0]
    files = draw_files(generator, random)
    command = main.get_command(click.Context(main), name)
    assert command is not None
    words = [name]
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            words += _argument(parameter, files, generator, random)
    options = [p for p in command.params if isinstance(p, click.Option) and p.name != "help"]
    for option in random.sample(options, min(len(options), random.choice([0, 0, 1, 1, 2, 4]))):
        words += _option(option, generator, random)
    words += _needed(name, words, random)
    read = {
        file: files[file]
        for file in files
        if file == STANDARD_INPUT or any(names(word, file) for word in words)
    }
    return Case(check="command", label=name, arguments=tuple(words), files=read)


def draw_process(generator: Generator, random: Random) -> Case:
    """A command that also runs in a process of its own."""
    case = draw_command(generator, random)
    return Case(check="process", label=case.label, arguments=case.arguments, files=case.files)


def draw_files(generator: Generator, random: Random) -> dict[str, bytes]:
    """Return all files that a command line may name."""
    damaged = random.choice([0.1, 0.5, 0.9])
    files = {}
    for place, role in (("key", "key"), ("a", "response"), ("b", "response")):
        seed = random.choice(generator.corpora(role))
        extension = Path(seed).suffix if random.random() < 0.9 else ".conll"
        files[f"{place}{extension}"] = generator.drawn(seed, random, damaged)
    for name in ("names.tsv", "names.json", "units.tsv", "results.json"):
        files[name] = generator.drawn(name, random, damaged)
    for folder, role in (("gold", "key"), ("responses", "response")):
        seed = random.choice(generator.corpora(role))
        files[f"{folder}/{seed}"] = generator.drawn(seed, random, damaged)
    return files


def _argument(
    parameter: click.Argument, files: dict[str, bytes], generator: Generator, random: Random
) -> list[str]:
    """Return the words for an argument of a command."""
    inputs = [name for name in files if name.partition(".")[0] in ("key", "a", "b")]
    key, *responses = inputs
    if random.random() < 0.05:
        files[STANDARD_INPUT] = files[key]
        key = "-"
    elif random.random() < 0.05:
        key, responses = "gold", ["responses", *responses]
    match parameter.name:
        case "key" | "source":
            return [key]
        case "response":
            return [random.choice([*responses, key])]
        case "responses":
            extra = random.choice([[], [], [f"c={key}"], ["results.json"], [f"a={responses[0]}"]])
            return [*responses[: random.choice([1, 2])], *extra]
        case "folder":
            return [random.choice(["responses", "responses", "gold", key])]
        case "files":
            return random.sample(inputs, random.randint(1, 3))
        case name:
            return [random.choice(generator.options.get(str(name), ODD_VALUES))]


def _option(option: click.Option, generator: Generator, random: Random) -> list[str]:
    """Return the words for an option, with a value that it takes or one that it refuses."""
    flag = random.choice(option.opts)
    if option.is_flag:
        return [flag]
    if isinstance(option.type, click.Choice) and random.random() < 0.95:
        return [flag, str(random.choice(list(option.type.choices)))]
    known = generator.options.get(str(option.name), ODD_VALUES)
    return [flag, random.choice(known if random.random() < 0.95 else ODD_VALUES)]


def _needed(name: str, words: list[str], random: Random) -> list[str]:
    """Return options without which a command does nothing, or takes long."""
    needed = {
        "gate": ["--baseline", "results.json"],
        "compare": ["--samples", "20"],
        "report": ["-o", "out.html"],
        "demo": ["-o", "demo"],
    }.get(name, [])
    return [] if not needed or needed[0] in words else needed


DRAWS: Mapping[str, Callable[[Generator, Random], Case]] = {
    "command": draw_command,
    "process": draw_process,
    "reader": draw_reader,
    "silence": draw_silence,
    "scores": draw_scores,
    "format": draw_format,
    "python": draw_python,
}
