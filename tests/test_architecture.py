"""Modules have an order: each imports only from those before its own."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import corefscope
from code_size import package_sizes
from corefscope.extending import CODES
from corefscope.formats.native.schema import OWN_COLUMNS
from corefscope.formats.registry import FORMATS
from corefscope.metrics import METRICS
from corefscope.profiles import PROFILES

SOURCE = Path(corefscope.__file__).parent
MODULES = [
    "version",
    "choices",
    "escaping",
    "last_resort",
    "formatting",
    "findings",
    "exceptions",
    "results",
    "facts",
    "extending",
    "arguments",
    "output",
    "engines",
    "corpus",
    "language",
    "formats",
    "answers",
    "transfer",
    "matching",
    "metrics",
    "official",
    "profiles",
    "options",
    "reference",
    "scoring",
    "inputs",
    "error_analysis",
    "named_entities",
    "breakdown",
    "statistics",
    "explanation",
    "agreement",
    "evaluation",
    "gate",
    "validation",
    "report",
    "schemas",
    "typescript",
    "demo",
    "extensions",
    "cli",
]
"""The command line comes last: it shows options of extensions, and may name them."""


BUDGET = {
    "formats": 98_350,
    "extensions": 89_400,
    "matching": 38_150,
    "error_analysis": 33_250,
    "cli": 24_800,
    ".": 22_150,
    "transfer": 21_600,
    "scoring": 19_300,
    "corpus": 19_200,
    "named_entities": 16_750,
    "agreement": 14_100,
    "answers": 13_900,
    "statistics": 13_700,
    "language": 10_900,
    "metrics": 10_300,
    "report": 9_800,
    "breakdown": 5_900,
    "results": 5_800,
    "explanation": 4_350,
    "output": 3_500,
    "engines": 3_350,
    "reference": 3_200,
    "demo": 50,
}
"""The largest size of each package in tokens. A commit may lower a number freely; raise one only
with a reason in the message of the commit."""
MOST_MODULES = 387
MOST_CLASSES = 698
LOADED_WHEN_CALLED = {
    ("evaluation", "report"),  # by Evaluation.report()
    ("corpus", "formats"),  # by Corpus.from_clusters(unit="characters")
    ("formats", "answers"),  # to recognise tags
    *(("official", each) for each in ("options", "profiles", "scoring")),  # types alone
}
"""Modules that load a later one in a function."""
ORDINARY = {"zero", "pairs", "tables"}
"""Names of things that extensions bring, and words that the core uses for something else."""


def module_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_modules(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("corefscope.")}


def modules() -> list[Path]:
    entry_points = {SOURCE / "__init__.py", SOURCE / "__main__.py"}
    return [path for path in SOURCE.rglob("*.py") if path not in entry_points]


def test_packages_stay_small() -> None:
    sizes = package_sizes(SOURCE)
    assert set(sizes) == set(BUDGET)
    too_large = {name: size for name, size in sizes.items() if size > BUDGET[name]}
    assert not too_large, "make it smaller, or raise the number and say why in the commit"
    assert len(modules()) <= MOST_MODULES
    classes = [
        n for path in modules() for n in ast.walk(tree_of(path)) if isinstance(n, ast.ClassDef)
    ]
    assert len(classes) <= MOST_CLASSES


def test_every_module_has_a_place() -> None:
    assert {module_of(path) for path in modules()} == set(MODULES)


def test_import_order() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {module}"
        for path in modules()
        for module in imported_modules(path)
        if MODULES.index(module) > MODULES.index(module_of(path))
        and (module_of(path), module) not in LOADED_WHEN_CALLED
    ]
    assert wrong == []


def brought() -> set[str]:
    """The names of what extensions bring."""
    own = {name for name in FORMATS if FORMATS[name].module.startswith("corefscope.extensions.")}
    own |= {name for name, profile in PROFILES.items() if profile.scorer}
    own |= {id for id, metric in METRICS.items() if "extensions" in type(metric).__module__}
    return (own | {*CODES, *OWN_COLUMNS}) - {"corefud"} - ORDINARY


def test_the_core_never_names_an_extension() -> None:
    """Formats, profiles, metrics, codes and columns of extensions are in registries alone."""
    names = brought()
    assert {
        "brat",
        "ua",
        "crac-2026",
        "mor",
        "bridging_entity",
        "W243",
        "anaphora",
    } <= names
    wrong = [
        f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value!r}"
        for path in modules()
        if module_of(path) not in ("extensions", "cli")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names
    ]
    assert wrong == []


def is_record(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base) == "Struct" for base in node.bases)


def has_positions(node: ast.ClassDef) -> bool:
    """Whether a record needs many values and does not say which is which."""
    needed = [each for each in node.body if isinstance(each, ast.AnnAssign) and each.value is None]
    return len(needed) > 3 and not any(each.arg == "kw_only" for each in node.keywords)


def test_large_records_are_keyword_only() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)}: {node.name}"
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and is_record(node) and has_positions(node)
    ]
    assert wrong == []


def test_only_output_opens_files_for_writing() -> None:
    """Elsewhere a full disk could destroy what was there before."""
    writers = {"write_text", "write_bytes", "copy", "copyfile", "copy2", "move"}
    for path in modules():
        if module_of(path) == "output":
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                assert node.func.attr not in writers, f"{path.name}: {node.func.attr}"
                modes = [a.value for a in node.args if isinstance(a, ast.Constant)]
                is_open = node.func.attr == "open"
                assert not (is_open and {"w", "wb", "a", "x"} & {str(m) for m in modes}), path.name


REFUSALS = {
    "ValueError",
    "TypeError",
    "NotClusters",
    "NotComparable",
    "BadColumns",
    "WrongArgument",
}
"""Exceptions for a call of the library that cannot be right; they are no findings."""


def raised_by(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str | None:
    """Return the exception that a part of a statement is about, if the statement raises one."""
    while not isinstance(node, ast.stmt):
        node = parents[node]
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return ast.unparse(node.exc.func)
    return None


def test_findings_say_what_was_expected_in_a_field() -> None:
    """A sentence with both halves could be told apart only by its English."""
    wrong = []
    for path in modules():
        if module_of(path) in ("findings", "last_resort", "exceptions", "cli"):
            continue
        tree = tree_of(path)
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        wrong += [
            f"{path.relative_to(SOURCE)}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and "; expected " in node.value
            and raised_by(node, parents) not in REFUSALS
        ]
    assert wrong == []


def test_the_quick_tests_exist() -> None:
    """Pytest runs nothing at all if one of them was moved."""
    makefile = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    named = makefile.partition("QUICK")[2].partition("\n\n")[0]
    paths = re.findall(r"[\w/]+(?:\.py)?", named.partition("tests/,")[2])
    assert len(paths) > 10
    assert [path for path in paths if not (Path(__file__).parent / path).exists()] == []
