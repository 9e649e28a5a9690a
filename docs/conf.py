"""Settings of the documentation."""

from __future__ import annotations

from corefscope.version import __version__

project = "corefscope"
author = "The corefscope developers"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "corefscope"
exclude_patterns = ["_build"]
autodoc_typehints = "description"
nitpicky = False
