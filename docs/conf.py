"""Settings of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxTranslator

from corefscope.version import __version__

project = "corefscope"
author = "The corefscope developers"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "corefscope"
html_search_scorer = str(Path(__file__).with_name("search_scorer.js"))
exclude_patterns = ["_build"]
autodoc_typehints = "description"
nitpicky = False
html_math_renderer = "mathml"
EXTERNAL = re.compile(r'<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?:https?:)?//[^"]+')
"""What a page would load from somewhere else."""


def _inline(translator: SphinxTranslator, node: nodes.Element) -> None:
    """Write a formula in MathML, which browsers show without a network."""
    translator.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def _block(translator: SphinxTranslator, node: nodes.Element) -> None:
    translator.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def _check(app: Sphinx, exception: Exception | None) -> None:
    """Refuse pages that would load something from a network."""
    if exception is not None or app.builder.name != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        found = EXTERNAL.search(page.read_text(encoding="utf-8"))
        if found:
            raise RuntimeError(f"{page} loads from a network: {found[0]}")


def setup(app: Sphinx) -> None:
    """Render formulas as MathML, and check the pages at the end."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("build-finished", _check)
