"""The explorer: one page that shows everything that the other commands know."""

from __future__ import annotations

from corefscope.report.contents import Contents, ReportSystem
from corefscope.report.making import Response, collect
from corefscope.report.page import render

__all__ = ["Contents", "ReportSystem", "Response", "collect", "render"]
