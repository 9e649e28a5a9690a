"""The script of the page keeps house: short modules and functions, one scope, nothing unsafe."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from corefscope.report.page import MODULES, STATIC, STYLES, bundle

SCRIPTS = {name: (Path(str(STATIC)) / name).read_text(encoding="utf-8") for name in MODULES}
TOP_LEVEL = re.compile(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.M)
FUNCTION = re.compile(r"^(?:export )?(?:async )?function\*? (\w+)\(.*?^}$", re.M | re.S)
IMPORT = re.compile(r"^import [^;]*? from \"\./([\w-]+\.js)\";$", re.M)


def test_every_file_of_the_page_is_used() -> None:
    folder = Path(str(STATIC))
    assert {path.name for path in folder.glob("*.js")} == set(MODULES)
    assert {path.name for path in folder.glob("*.css")} == set(STYLES)


@pytest.mark.parametrize("name", MODULES)
def test_no_module_and_no_function_grows_too_long(name: str) -> None:
    assert len(SCRIPTS[name].splitlines()) <= 400
    functions = list(FUNCTION.finditer(SCRIPTS[name]))
    assert functions or name == "main.js"
    assert [f[1] for f in functions if f[0].count("\n") >= 50] == []


def test_all_names_of_the_one_scope_are_different() -> None:
    names = Counter(found for text in SCRIPTS.values() for found in TOP_LEVEL.findall(text))
    assert [name for name, count in names.items() if count > 1] == []


def test_modules_import_from_those_before_them_and_what_they_export() -> None:
    for place, (name, text) in enumerate(SCRIPTS.items()):
        for other in IMPORT.findall(text):
            assert other in MODULES[:place], f"{name} imports from {other}"


def test_nothing_is_imported_or_exported_once_the_script_is_one() -> None:
    assert not re.search(r"^(import|export) ", bundle(), re.M)


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "fetch("]
)
def test_text_can_only_become_text_and_nothing_is_fetched(word: str) -> None:
    assert [name for name, text in SCRIPTS.items() if word in text] == []
