"""How large code is: its tokens, whatever its layout, without docstrings and comments."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
F_STRING_START = getattr(tokenize, "FSTRING_START", None)
F_STRING_END = getattr(tokenize, "FSTRING_END", None)
DATA = {".json", ".toml", ".yaml", ".yml", ".csv", ".tsv", ".txt"}
LONG = 120
"""A longer string counts by its words, so that moving code into strings gains nothing."""


def package_sizes(source: Path) -> Counter[str]:
    """Return the tokens of each package, and of the modules beside them as ``.``."""
    sizes: Counter[str] = Counter()
    for path in source.rglob("*"):
        parts = path.relative_to(source).parts
        package = parts[0] if len(parts) > 1 else "."
        if path.suffix == ".py":
            sizes[package] += code_tokens(path.read_text(encoding="utf-8"))
        elif path.suffix in DATA and "demo" not in parts:
            sizes[package] += len(path.read_text(encoding="utf-8").split())
    return sizes


def code_tokens(code: str) -> int:
    """Count the tokens of a module; an f-string is one token in every version of Python."""
    docstrings = {
        line
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    count = depth = 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type in LAYOUT:
            continue
        if token.type == F_STRING_END:
            depth -= 1
        elif token.type == F_STRING_START:
            depth += 1
            count += depth == 1
        elif not depth and token.type != tokenize.STRING:
            count += 1
        elif not depth and token.start[0] not in docstrings:
            count += len(token.string.split()) if len(token.string) > LONG else 1
    return count
