"""Draw the README's picture: a terminal with real output, as an SVG without outside fonts."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

TEMPLATE = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" \
role="img" aria-label="corefscope in a terminal">
<style>
text {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
font-size: {char_height}px; white-space: pre; }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="100%" height="100%" rx="10" fill="#10141c"/>
<circle cx="24" cy="22" r="6" fill="#f26d6d"/><circle cx="44" cy="22" r="6" fill="#e7c15a"/>
<circle cx="64" cy="22" r="6" fill="#67c17a"/>
<g transform="translate({terminal_x}, {terminal_y})">{backgrounds}{matrix}</g>
</svg>
"""

COMMANDS = (
    ["demo"],
    ["score", "corefscope-demo/key.conll", "corefscope-demo/sieve.conll"],
)


def main(target: Path) -> None:
    """Run the commands in a scratch folder and draw what they print."""
    console = Console(record=True, width=104, file=io.StringIO(), force_terminal=True)
    folder = Path(os.environ.get("TMPDIR", "/tmp")) / "corefscope-picture"
    folder.mkdir(exist_ok=True)
    for command in COMMANDS:
        console.print(Text("$ corefscope " + " ".join(command), style="bold cyan"))
        run = [sys.executable, "-m", "corefscope", *command]
        printed = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True).stdout
        console.print(Text(printed), highlight=False)
    drawn = console.export_svg(title="", code_format=TEMPLATE)
    target.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main(Path(__file__).parent / "images" / "terminal.svg")
