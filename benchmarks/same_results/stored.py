"""Results that are stored in tests/stored: what is kept of a case, and how changes are accepted.

``make accept`` runs the stored cases again and writes what they do now; ``git diff`` shows it.
``make accept CASES='^demo nec'`` does so for some; a new case has to be named in full.
``make accept MOST=600`` also chooses the cases anew: those that together reach every function,
option, value, format and code that any case reaches.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from same_results.cases import Case, all_cases
from same_results.comparing import WORDS, findings_of
from same_results.inputs import ROOT, prepare
from same_results.recording import Done, run

FOLDER = ROOT / "tests" / "stored"
ROOM, MOST = 12, 200
"""So many values that belong together are stored as they are; more, by their parts; or digests."""
LINES = 60
"""So many lines that a case prints are stored with the sentences."""
TOLERANCE = 1e-9
NOT_STORED = ("shared ", "hostile ", "data ")
"""Cases on files that are not in the repository."""
LEFT_OUT = (*WORDS, "findings")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
VERSION = re.compile(r"corefscope:[\w.]+\|")


def cases() -> dict[str, Case]:
    """Return the cases whose results can be stored."""
    return {c.name: c for c in all_cases() if not c.name.startswith(NOT_STORED)}


def stored() -> dict[str, Any]:
    """Return what is stored, by case."""
    found: dict[str, Any] = {}
    for path in sorted(FOLDER.glob("*.json")):
        found |= json.loads(path.read_text("utf-8"))
    return found


def save(found: Mapping[str, Any]) -> None:
    """Write results: a file for each kind of case, with a line for each case."""
    FOLDER.mkdir(exist_ok=True)
    kinds = {name.split()[0] for name in found}
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for kind in kinds:
        rows = {name: found[name] for name in sorted(found) if name.split()[0] == kind}
        lines = [f"{json.dumps(n)}: {json.dumps(r, ensure_ascii=False)}" for n, r in rows.items()]
        text = ",\n".join(lines)
        (FOLDER / f"{kind}.json").write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


# ---- What is kept ----


def kept(done: Done) -> dict[str, Any]:
    """Return the status, findings and figures of what a case did, without its sentences."""
    if "value" in done:
        value, codes = done["value"]
        return {"status": done["status"], "value": short(value), "codes": codes}
    out, err = done["stdout"], done["stderr"]
    found = [" ".join(each) for each in findings_of(err) + findings_of(out)] or _in_json(out)
    record: dict[str, Any] = {"status": done["status"]}
    if found:
        rest = found[ROOM:]
        record["findings"] = found[:ROOM] + [f"{len(rest)} more, {digest(rest)}"][: len(rest)]
    if out:
        record["figures"] = figures(out)
    if done["files"]:
        record["files"] = short({name: figures(text) for name, text in done["files"].items()})
    return record


def _in_json(text: str) -> list[str]:
    """Return the findings of a result as JSON, which ``validate`` does not print otherwise."""
    try:
        listed = json.loads(text).get("findings", [])
    except (ValueError, AttributeError):
        return []
    return [f"{f['file'] or ''} {f['line'] or ''} {f['code']}" for f in listed]


def figures(text: str) -> Any:
    """Return the values of JSON without its sentences, or the numbers of other text."""
    try:
        return short(without_sentences(json.loads(text)))
    except ValueError:
        return short([float(each) for each in NUMBER.findall(text)])


def without_sentences(value: Any) -> Any:
    """Leave out of JSON what has wording or a version."""
    if isinstance(value, dict):
        return {k: without_sentences(v) for k, v in value.items() if k not in LEFT_OUT}
    if isinstance(value, list):
        return [without_sentences(each) for each in value]
    return VERSION.sub("", value) if isinstance(value, str) else value


def short(value: Any) -> Any:
    """Return a value as it is if it has few parts, else its parts, and long lists as digests."""
    if size(value) <= ROOM:
        return value
    parts: Any = None
    if isinstance(value, dict) and len(value) <= ROOM:
        parts = {key: short(each) for key, each in value.items()}
    elif isinstance(value, list) and len(value) <= 4:
        parts = [short(each) for each in value]
    if parts is not None and size(parts) <= MOST:
        return parts
    return f"{len(value)} with digest {digest(value)}"


def size(value: Any) -> int:
    """Count the numbers and texts in a value; a long text counts as many."""
    if isinstance(value, dict | list):
        return sum(map(size, value.values() if isinstance(value, dict) else value))
    return 1 + len(value) // 200 if isinstance(value, str) else 1


def digest(value: Any) -> str:
    """Return a digest in which the last digits of a float do not count."""
    text = json.dumps(_rounded(value), sort_keys=True)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 9) + 0.0 if isinstance(value, float) else value


def unlike(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """Yield where two stored results differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from unlike(old.get(key), new.get(key), f"{where}.{key}".lstrip("."))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, pair in enumerate(zip(old, new, strict=True)):
            yield from unlike(*pair, f"{where}[{number}]")
    elif isinstance(old, float) and isinstance(new, float | int):
        if not math.isclose(old, new, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            yield f"{where}: {old!r} -> {new!r}"
    elif old != new:
        yield f"{where}: {old!r} -> {new!r}"


# ---- Sentences, of some ----

SENTENCES = FOLDER / "sentences.txt"
SAID = re.compile(
    r"demo (?!by|errors -|errors (list|groups)|explain).* table|demo explain (muc|ceafe) table"
    r"|demo score reference|paper \w+ latex|formats corefud|help of .*|damaged \w+ 0 score"
    r"|damaged (conll|jsonl|corefud|brat|tagged|ua) [1-3] score"
)
"""Cases of which all that is printed is stored, to be read when sentences change."""


def sentences(done: Mapping[str, Done]) -> str:
    """Return what cases print, one after the other."""
    return "\n".join(f"=== {name}\n{_first_lines(done[name])}" for name in sorted(done))


def _first_lines(done: Done) -> str:
    out = "" if done["stdout"][:1] == "{" else done["stdout"]
    lines = f"{done['stderr']}{out}".splitlines()
    more = [f"… {len(lines) - LINES} more lines"] if len(lines) > LINES else []
    return "\n".join([*lines[:LINES], *more]) + "\n"


# ---- Choosing and accepting ----


def choose(found: Mapping[str, set[Any]], most: int) -> set[str]:
    """Choose the case that reaches most that is new, until all is reached; then all once more."""
    everything: set[Any] = set().union(*found.values())
    left, chosen = set(everything), set[str]()
    while len(chosen) < min(most, len(found)):
        best = max(sorted(found.keys() - chosen), key=lambda name: len(found[name] & left))
        if not found[best] & left:
            left = set(everything)
            continue
        left -= found[best]
        chosen.add(best)
    return chosen


def reached(case: Case, root: Path) -> tuple[Done, set[Any]]:
    """Run a case; return also the functions, options and values, formats and codes it reaches."""
    import corefscope

    source, seen = str(Path(corefscope.__file__).parent), set()
    sys.settrace(lambda frame, *_: seen.add(frame.f_code))
    try:
        done = run(case, root)
    finally:
        sys.settrace(None)
    parts: set[Any] = {
        (code.co_filename, code.co_qualname) for code in seen if code.co_filename.startswith(source)
    }
    parts |= {("status", done["status"]), *features(case.words)}
    parts |= {("code", each) for each in re.findall(r"\b[EW][1-7]\d\d\b", json.dumps(done))}
    return done, parts


def features(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return the command, its options, and the values of options."""
    found: set[tuple[str, ...]] = {("command", words[0])} if words else set()
    for number, word in enumerate(words):
        if word.startswith("--"):
            value = "".join(words[number + 1 : number + 2])
            found |= {("option", words[0], word), ("value", word, value)}
    return found


def main() -> int:
    """Accept what the cases do now."""
    parser = argparse.ArgumentParser(prog="make accept", description=__doc__)
    parser.add_argument("--only", default="", help="a regular expression that cases must match")
    parser.add_argument("--most", type=int, help="choose so many cases anew")
    options = parser.parse_args()
    known, old = cases(), stored()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        prepare(root)
        if options.most:
            everything = {name: reached(case, root) for name, case in known.items()}
            chosen = choose({name: parts for name, (_, parts) in everything.items()}, options.most)
            done = {name: everything[name][0] for name in chosen}
        else:
            again = [n for n in known if n in old and re.search(options.only, n)]
            added = [n for n in known if n not in old and re.fullmatch(options.only, n)]
            done = {name: run(known[name], root) for name in again + added}
        said = {name: run(known[name], root) for name in known if SAID.fullmatch(name)}
    new = {name: kept(each) for name, each in done.items()}
    rest = {n: r for n, r in old.items() if n in known and n not in new and not options.most}
    for name, record in sorted(new.items()):
        for line in unlike(old[name], record) if name in old else ["is new"]:
            print(f"{name}: {line}")
    save(new | rest)
    SENTENCES.write_text(sentences(said), encoding="utf-8")
    gone = len(old.keys() - new.keys() - rest.keys())
    print(f"{len(new):,} results stored, {len(rest):,} left, {gone} gone")
    return 0


if __name__ == "__main__":
    sys.exit(main())
