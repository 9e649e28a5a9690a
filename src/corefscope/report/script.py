"""The script of the page, joined from the JavaScript modules in ``static/``.

The report is one file that may be opened from disk, where browsers load no modules, and its content
security policy allows exactly one script. So modules are joined: starting from ``main.js``, each
module follows those that it imports and becomes the body of a function, which keeps its names
private except for its exports::

    modules["shared/spans.js"] = (() => {
    ...
    return { spanKey };
    })();

    modules["document/model.js"] = (({ spanKey }) => {
    ...
    return { model };
    })(modules["shared/spans.js"]);

Only the syntax that the modules use is supported; anything else is an error:

* ``import { a, b as c } from "./other.js";`` on one or more lines;
* ``export`` before a ``function`` (also ``async``), a ``const`` with one name, or a ``class``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath

from msgspec import Struct

STATIC = files("corefscope.report") / "static"
ENTRY = "main.js"
"""The module that the browser starts with."""

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.\.?/[^"]+)";$', re.M)
_NAME = re.compile(r"([\w$]+)(?: as ([\w$]+))?")
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|const|class) ([\w$]+))", re.M)
_COMMENT = re.compile(r"^[ \t]*/\*.*?\*/|/\*[^\n]*?\*/|^[ \t]*//[^\n]*", re.M | re.S)
_UNKNOWN = re.compile(r"^[ \t]*(?:import|export)\b.*|\bimport\s*[(.].*", re.M)


class ScriptError(Exception):
    """The modules of the page cannot be joined; this is a bug in a module, not in the input."""


class Import(Struct, frozen=True):
    """Names that a module imports from another one."""

    path: str
    """The path of the other module, relative to the folder."""
    names: list[tuple[str, str]]
    """Each name in the other module, and in this one."""


class Module(Struct, frozen=True, kw_only=True):
    """One file of the script."""

    path: str
    imports: list[Import]
    exports: list[str]
    code: str
    """The file without its import statements and without the word ``export``."""


@cache
def bundle() -> str:
    """Return the script of the page."""
    return join_modules(STATIC)


def join_modules(folder: Traversable) -> str:
    """Join the entry module of a folder and all modules that it needs into one script."""
    return "\n".join(["const modules = {};\n", *map(_wrapped, sorted_modules(folder))])


def sorted_modules(folder: Traversable) -> list[Module]:
    """Return the modules that the entry module of a folder needs, each after those it imports.

    Raises
    ------
    ScriptError
        If a module is missing, does not export what another imports, imports itself through
        others, or uses syntax that is not supported.
    """
    done: dict[str, Module] = {}

    def visit(path: str, importers: tuple[str, ...]) -> None:
        if path in importers:
            circle = " imports ".join([*importers[importers.index(path) :], path])
            raise ScriptError(f"circular import: {circle}")
        if path in done:
            return
        module = parse_module(path, _read(folder, path, importers))
        for each in module.imports:
            visit(each.path, (*importers, path))
            for name, _ in each.names:
                if name not in done[each.path].exports:
                    raise ScriptError(f"{path} imports {name}, which {each.path} does not export")
        done[path] = module

    visit(ENTRY, ())
    return list(done.values())


def parse_module(path: str, text: str) -> Module:
    """Find what a module imports and exports.

    Raises
    ------
    ScriptError
        If it imports or exports in a way that is not supported.
    """
    code = _EXPORT.sub("", _IMPORT.sub("", text))
    for unknown in _UNKNOWN.finditer(_COMMENT.sub("", code)):
        raise ScriptError(
            f"{path}: {unknown[0].strip()!r} is not supported; "
            'write import { a, b as c } from "./other.js"; with each statement at the start '
            "of a line, and export in front of a function, a const with one name, or a class"
        )
    return Module(
        path=path, imports=list(_imports(path, text)), exports=_EXPORT.findall(text), code=code
    )


def _imports(path: str, text: str) -> Iterator[Import]:
    for names, place in _IMPORT.findall(text):
        pairs = []
        for name in filter(None, map(str.strip, names.split(","))):
            if not (match := _NAME.fullmatch(name)):
                raise ScriptError(f"{path}: import {{ {name} }} is not supported")
            pairs.append((match[1], match[2] or match[1]))
        yield Import(normpath(join(dirname(path), place)), pairs)


def _wrapped(module: Module) -> str:
    """Return a module as a function call; its parameters are the imports of the module."""
    parameters = ", ".join(_pattern(each.names) for each in module.imports)
    arguments = ", ".join(f'modules["{each.path}"]' for each in module.imports)
    return (
        f'modules["{module.path}"] = (({parameters}) => {{\n{module.code.strip()}\n'
        f"return {{ {', '.join(module.exports)} }};\n}})({arguments});\n"
    )


def _pattern(names: list[tuple[str, str]]) -> str:
    """Return the destructuring pattern of imported names."""
    pairs = (there if there == here else f"{there}: {here}" for there, here in names)
    return f"{{ {', '.join(pairs)} }}"


def _read(folder: Traversable, path: str, importers: tuple[str, ...]) -> str:
    try:
        return (folder / path).read_text(encoding="utf-8")
    except OSError as error:
        reason = f", which {importers[-1]} imports" if importers else ""
        raise ScriptError(f"cannot read the module {path}{reason}: {error}") from error
