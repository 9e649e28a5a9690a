"""The script of the page: modules joined into one, each with its own scope."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from corefscope.report.page import STYLES
from corefscope.report.script import (
    STATIC,
    ScriptError,
    bundle,
    join_modules,
    parse_module,
    sorted_modules,
)

FOLDER = Path(str(STATIC))
MODULES = {module.path: module for module in sorted_modules(STATIC)}
TEXTS = {
    path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("*.js"))
}


def write(folder: Path, **modules: str) -> Path:
    """Write modules, where ``a__b`` is the file ``a/b.js``."""
    for name, text in modules.items():
        path = folder / f"{name.replace('__', '/')}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def order(folder: Path) -> list[str]:
    return [module.path for module in sorted_modules(folder)]


def run(browser: Browser, folder: Path) -> Any:
    """Run the modules of a folder, and return what ``main.js`` exports."""
    page = browser.new_page()
    try:
        script = join_modules(folder)
        return page.evaluate(f'() => {{ "use strict"; {script}; return modules["main.js"]; }}')
    finally:
        page.close()


# ---- small folders of modules ----


def test_same_name_in_two_modules(browser: Browser, tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        main="""
            import { show } from "./one.js";
            import { show as showOther } from "./two/other.js";
            const COLOUR = "blue";
            function modules() { return COLOUR; }
            export const all = [modules(), show(), showOther()];
        """.replace("\n            ", "\n"),
        one='const COLOUR = "red";\nexport function show() { return COLOUR; }\n',
        two__other="""
            import { show as showOne } from "../one.js";
            const COLOUR = "green";
            export function show() { return COLOUR + showOne(); }
        """.replace("\n            ", "\n"),
    )
    assert run(browser, folder) == {"all": ["blue", "red", "greenred"]}


def test_every_kind_of_export(browser: Browser, tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        main="""import {
  later, VALUE,
  Kind as Sort, numbers, $used,
} from "./other.js";
export const types = [typeof later, VALUE, new Sort().name, [...numbers()], $used];
// export nothing below: import("./gone.js") is only a comment
/** @typedef {import("./gone.js").Type} Type */
/*
 * import("./gone.js")
 */
""",
        other="""export const VALUE = early();
function early() { return "hoisted"; }
export async function later() {}
export function* numbers() { yield 1; yield 2; }
export class Kind { name = "kind"; }
export const $used = true; // the last line has no end""",
    )
    assert run(browser, folder) == {"types": ["function", "hoisted", "kind", [1, 2], True]}


def test_modules_run_once_after_their_imports(browser: Browser, tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        main="""import { b } from "./b.js";
import { a } from "./a.js";
import { log } from "./log.js";
log.push("main");
export const ran = log;
export const both = a + b;
""",
        a='import { log } from "./log.js";\nlog.push("a");\nexport const a = 1;\n',
        b="""import { a } from "./a.js";
import { log } from "./log.js";
log.push("b");
export const b = a + 1;
""",
        log="export const log = [];\n",
        unused="this is not even JavaScript: nothing imports it",
    )
    assert order(folder) == ["log.js", "a.js", "b.js", "main.js"]
    assert run(browser, folder) == {"ran": ["a", "b", "main"], "both": 3}


def test_circular_imports_are_refused(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        main='import { a } from "./a.js";\n',
        a='import { b } from "./b.js";\nexport const a = 1;\n',
        b='import { a } from "./a.js";\nexport const b = 1;\n',
    )
    with pytest.raises(ScriptError, match=r"^circular import: a.js imports b.js imports a.js$"):
        sorted_modules(folder)


def test_imported_names_must_be_exported(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        main='import { a, b } from "./x/a.js";\n',
        x__a="export const a = 1;\nconst b = 2;\n",
    )
    with pytest.raises(ScriptError, match=r"^main.js imports b, which x/a.js does not export$"):
        sorted_modules(folder)


def test_missing_modules_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, main='import { a } from "./gone.js";\n')
    with pytest.raises(
        ScriptError, match=r"^cannot read the module gone.js, which main.js imports"
    ):
        sorted_modules(folder)


@pytest.mark.parametrize(
    "line",
    [
        'import "./other.js";',
        'import other from "./other.js";',
        'import * as other from "./other.js";',
        'import { a } from "elsewhere";',
        "import { a } from './other.js';",
        'import { a } from "./other.js"',
        'import { a as "b" } from "./other.js";',
        'import { a } from "./other.js"; import { b } from "./more.js";',
        'const other = await import("./other.js");',
        "const here = import.meta.url;",
        "export default 1;",
        "export default function a() {}",
        "export { a };",
        'export { a } from "./other.js";',
        'export * from "./other.js";',
        "export let a = 1;",
        "export var a = 1;",
        "export const { a } = { a: 1 };",
        "export const [a] = [1];",
        "  export const a = 1;",
    ],
)
def test_other_syntax_is_refused(line: str) -> None:
    with pytest.raises(ScriptError, match=r"^view/a\.js: .*is not supported"):
        parse_module("view/a.js", f"/** A module. */\n{line}\nconst last = 1;\n")


# ---- the modules of the page ----


def test_every_file_is_used() -> None:
    assert MODULES.keys() == TEXTS.keys()
    styles = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.css")}
    assert styles == set(STYLES)


def test_every_export_is_used() -> None:
    used = {
        (each.path, name)
        for module in MODULES.values()
        for each in module.imports
        for name, _ in each.names
    }
    given = {(path, name) for path, module in MODULES.items() for name in module.exports}
    assert sorted(given - used) == []


def test_script_is_one_safe_element() -> None:
    assert bundle() is bundle()
    assert not re.search(r"^\s*(import|export) |</script|<!--", bundle(), re.M | re.I)


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "fetch("]
)
def test_text_stays_text_and_nothing_is_fetched(word: str) -> None:
    assert [name for name, text in TEXTS.items() if word in text] == []


def test_rounding_equals_python(browser: Browser) -> None:
    source = MODULES["shared/dom.js"].code
    values = [i / 64 for i in range(-640, 641)] + [i / 3000 for i in range(100)] + [100 * 5 / 32]
    page = browser.new_page()
    for digits in (1, 2):
        script = f"(all) => {{ {source}; return all.map((each) => fixed(each, {digits})); }}"
        assert page.evaluate(script, values) == [f"{value:.{digits}f}" for value in values]
    page.close()
