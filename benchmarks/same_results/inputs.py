"""The files that cases name: copies beside the empty folder in which each case runs."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = {
    "samples": ROOT / "docs" / "samples",
    "examples": ROOT / "docs" / "examples",
    "demo": ROOT / "src" / "corefscope" / "demo",
}
DAMAGES = 8
"""How many damaged copies of each sample there are."""
SHARED = next(
    (p / "shared" for p in ROOT.parents if (p / "shared" / "cases" / "formats").is_dir()), None
)


def prepare(root: Path) -> None:
    """Put all inputs into a folder; cases run in a folder beside them and name them by ``../``."""
    for name, folder in COPIED.items():
        shutil.copytree(folder, root / name, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    if SHARED is not None:
        (root / "shared").symlink_to(SHARED)
    for format in formats():
        for number in range(DAMAGES):
            _damaged(root, format, number)


def formats() -> list[str]:
    """Return the formats that have a sample."""
    return sorted(path.name for path in COPIED["samples"].iterdir())


def sample(format: str, folder: str = "../samples") -> str:
    """Return the sample of a format as a command is given it: a file, or a folder."""
    paths = list((COPIED["samples"] / format).iterdir())
    alone = len(paths) == 1 and paths[0].is_file()
    return f"{folder}/{format}" + (f"/{paths[0].name}" if alone else "")


def damaged(format: str, number: int) -> str:
    """Return a damaged copy of the sample of a format."""
    return sample(format, "../damaged").replace(format, f"{format}-{number}", 1)


def _damaged(root: Path, format: str, number: int) -> None:
    draw = random.Random(f"{format} {number}")
    target = root / "damaged" / f"{format}-{number}"
    shutil.copytree(root / "samples" / format, target)
    file = draw.choice(sorted(path for path in target.rglob("*") if path.is_file()))
    file.write_bytes(_damage(file.read_bytes(), draw))


def _damage(data: bytes, draw: random.Random) -> bytes:
    kind = draw.choice(("cut", "digit", "byte", "drop", "repeat", "cell", "swap"))
    if kind == "cut":
        return data[: draw.randrange(len(data))]
    if kind in ("digit", "byte"):
        places = [i for i, byte in enumerate(data) if kind == "byte" or 48 <= byte < 58] or [0]
        at, new = draw.choice(places), draw.randrange(1, 256)
        sign = b"%d" % (new % 10) if kind == "digit" else bytes([new])
        return data[:at] + sign + data[at + 1 :]
    lines = data.split(b"\n")
    place = draw.randrange(len(lines))
    before, line = lines[max(place - 1, 0)], lines[place]
    changed = {
        "drop": [],
        "repeat": [line, line],
        "cell": [line.rpartition(b"\t")[0] or line[:-1]],
        "swap": [line, before],
    }
    lines[place - (kind == "swap") : place + 1] = changed[kind]
    return b"\n".join(lines)
