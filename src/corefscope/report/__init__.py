"""The report: an HTML page that shows the results of all other commands."""

from __future__ import annotations

from corefscope.report.contents import Contents
from corefscope.report.notebook import Report, make_report, report_of, title_of
from corefscope.report.page import render

__all__ = ["Contents", "Report", "make_report", "render", "report_of", "title_of"]
