"""Data: what the report was made from and by, in full, and where to copy it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from report.report_pages import Opened


def card(demo: Opened, id: str) -> str:
    return demo.page.locator(f'[aria-labelledby="data-{id}-title"]').inner_text()


def test_command_and_signatures_can_be_copied(demo: Opened, summary: Any) -> None:
    demo.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    demo.open("tab=data")
    signatures = {
        "command": summary["command"],
        "signature": summary["signature"],
        "comparison": summary["comparison"]["signature"],
        "errors": summary["errors"]["systems"][0]["signature"],
        "names": summary["nec"]["systems"][0]["signature"],
    }
    for id, text in signatures.items():
        assert demo.page.locator(f"#data-{id}").text_content() == text
        demo.page.locator(f"#data-copy-{id}").focus()
        demo.page.keyboard.press("Enter")
        expect(demo.page.locator("#status")).to_have_text("Copied.")
        assert demo.evaluate("navigator.clipboard.readText()") == text
        demo.evaluate("() => { document.getElementById('status').textContent = ''; }")
        assert demo.evaluate("document.activeElement.id") == f"data-copy-{id}"


def test_findings_are_told_with_code_and_place(demo: Opened, summary: Any) -> None:
    demo.open("tab=data")
    assert f"Findings: {len(summary['findings'])}" in demo.text
    assert summary["findings"]
    for finding in summary["findings"]:
        row = demo.page.locator(f'[data-code="{finding["code"]}"]')
        assert finding["message"] in row.inner_text()
        assert finding["file"] in row.inner_text()
