"""The script of the page keeps house: short modules and functions, one scope, nothing unsafe."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from corefscope.report.page import MODULES, STATIC, STYLES, bundle

SCRIPTS = {name: (Path(str(STATIC)) / name).read_text(encoding="utf-8") for name in MODULES}
DECLARED = re.compile(
    r"^(export )?(?:async )?(?:function\*?|const|let|class) (\w+|[\[{][^=]*[\]}](?= =))", re.M
)
FUNCTION = re.compile(r"^(?:export )?(?:async )?function\*? (\w+)\(.*?^}$", re.M | re.S)
IMPORT = re.compile(r"^import \{([^}]*)\} from \"\./([\w-]+\.js)\";$", re.M)


def names_in(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def declared(name: str) -> list[str]:
    """Return the names that a module gives to the one scope."""
    return [each for _, names in DECLARED.findall(SCRIPTS[name]) for each in names_in(names)]


def exported(name: str) -> set[str]:
    found = DECLARED.findall(SCRIPTS[name])
    return {each for export, names in found if export for each in names_in(names)}


def imported(name: str) -> list[tuple[str, str]]:
    """Return from where a module imports what."""
    found = IMPORT.findall(SCRIPTS[name])
    return [(other, each) for names, other in found for each in names_in(names)]


def test_every_file_of_the_page_is_used() -> None:
    folder = Path(str(STATIC))
    assert {path.name for path in folder.glob("*.js")} == set(MODULES)
    assert {path.name for path in folder.glob("*.css")} == set(STYLES)


@pytest.mark.parametrize("name", MODULES)
def test_no_module_and_no_function_grows_too_long(name: str) -> None:
    assert len(SCRIPTS[name].splitlines()) <= 400
    functions = list(FUNCTION.finditer(SCRIPTS[name]))
    assert functions
    assert [f[1] for f in functions if f[0].count("\n") >= 50] == []


def test_all_names_of_the_one_scope_are_different() -> None:
    names = Counter(each for name in MODULES for each in declared(name))
    assert [name for name, count in names.items() if count > 1] == []


def test_modules_import_from_those_before_them_and_what_they_export() -> None:
    for place, (name, text) in enumerate(SCRIPTS.items()):
        assert text.count("\nimport ") == len(IMPORT.findall(text)), name
        for other, each in imported(name):
            assert other in MODULES[:place], f"{name} imports from {other}"
            assert each in exported(other), f"{name} imports {each} from {other}"


def test_what_is_exported_is_imported_somewhere() -> None:
    wanted = {each for name in MODULES for each in imported(name)}
    given = {(name, each) for name in MODULES for each in exported(name)}
    assert sorted(given - wanted) == []


def test_names_of_a_pattern_are_seen() -> None:
    found = DECLARED.findall("const [A, B] = [1, 2];\nexport const { C } = x;\nlet d = {};\n")
    assert found == [("", "[A, B]"), ("export ", "{ C }"), ("", "d")]


def test_nothing_is_imported_or_exported_once_the_script_is_one() -> None:
    assert not re.search(r"^(import|export) ", bundle(), re.M)


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "fetch("]
)
def test_text_can_only_become_text_and_nothing_is_fetched(word: str) -> None:
    assert [name for name, text in SCRIPTS.items() if word in text] == []


def test_numbers_just_between_two_are_rounded_as_python_does(browser: Browser) -> None:
    source = re.sub(r"^export ", "", SCRIPTS["dom.js"], flags=re.M)
    values = [i / 64 for i in range(-640, 641)] + [i / 3000 for i in range(100)] + [100 * 5 / 32]
    page = browser.new_page()
    for digits in (1, 2):
        script = f"(all) => {{ {source}; return all.map((each) => fixed(each, {digits})); }}"
        assert page.evaluate(script, values) == [f"{value:.{digits}f}" for value in values]
    page.close()
