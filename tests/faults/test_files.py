"""Single files and folders of files: at every system call something goes wrong.

Whatever happens, a file is the previous one or the new one, and never a part of either.
"""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from corefscope.exceptions import CannotWrite, WouldDestroy
from corefscope.output import LIST
from corefscope.output.files import TEMPORARY, StagedFile, check_target, write_file
from corefscope.output.folder import OutputFolder
from faults.faulty import Job, injected, quick_directory

OLD, NEW = "old" * 1000, "new" * 2000
IMPORTS = """
import os, sys
from pathlib import Path
from corefscope.last_resort import status_of
from corefscope.output.files import write_file
from corefscope.output.folder import OutputFolder
"""
WRITE = f"{IMPORTS}sys.exit(status_of(lambda: write_file('out', b'new' * 2000) and 0))"
NAMED = WRITE.replace("import os, sys", "import os, sys; del os.O_TMPFILE")
"""As on a system that has no files without names."""
PREVIOUS = "open('out', 'w').write('old' * 1000)"
ORDERLY = {"full_disk": 5, "interrupt": 130, "terminate": 143}
"""What lets the program clean up, and the exit status."""


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with quick_directory() as place:
        monkeypatch.chdir(place)
        yield place
        monkeypatch.undo()


def names() -> set[str]:
    return {path.name for path in Path().iterdir()}


@pytest.mark.parametrize("code", [WRITE, NAMED], ids=["nameless", "named"])
@pytest.mark.parametrize("setup", [PREVIOUS, ""], ids=["replaced", "new"])
@pytest.mark.parametrize("fault", ORDERLY)
def test_orderly_end_leaves_previous_file(fault: str, setup: str, code: str, folder: Path) -> None:
    job = Job(fault=fault, code=code, setup=setup, warm_up=IMPORTS)
    without, *outcomes = injected(job, folder)
    assert without.files == {"out": NEW} and without.status == 0 and len(outcomes) >= 4
    before = {"out": OLD} if setup else {}
    for outcome in outcomes:
        assert "Traceback" not in outcome.stderr
        if outcome.status == 0:
            # The name was changed before; only the folder remained to be synced.
            assert outcome.files == {"out": NEW} and outcome.number >= len(outcomes) - 2
        else:
            assert outcome.status == ORDERLY[fault], outcome
            assert outcome.files == before or (fault != "full_disk" and outcome.files["out"] == NEW)
            assert set(outcome.files) <= {"out"}


@pytest.mark.parametrize("code", [WRITE, NAMED], ids=["nameless", "named"])
@pytest.mark.parametrize("setup", [PREVIOUS, ""], ids=["replaced", "new"])
@pytest.mark.parametrize("fault", ["kill", "half_then_kill"])
def test_kill_leaves_previous_or_new_file(fault: str, setup: str, code: str, folder: Path) -> None:
    littered = 0
    previous = OLD if setup else None
    for outcome in injected(Job(fault=fault, code=code, setup=setup, warm_up=IMPORTS), folder)[1:]:
        assert outcome.status == -9
        assert outcome.files.get("out") in (previous, NEW)
        litter = set(outcome.files) - {"out"}
        assert all(name.startswith(TEMPORARY) for name in litter)
        littered += len(litter)
    if code == WRITE:
        # As documented: between the link and the rename, if there is a file to replace.
        assert littered == (1 if previous else 0)


RUN_1 = {"a.txt": "old", "documents/1-old.js": "x", "index.html": "documents/1-old.js"}
RUN_2 = {"a.txt": "new", "documents/1-new.js": "y", "index.html": "documents/1-new.js"}
FILL = f"""{IMPORTS}
def fill(files):
    with OutputFolder(Path('out')) as folder:
        for name, text in files.items():
            folder.write(name, text.encode())
"""
FIRST = f"{FILL}\nfill({RUN_1!r})"
SECOND = f"{FILL}\nsys.exit(status_of(lambda: fill({RUN_2!r})))"


def fill(files: dict[str, str]) -> None:
    with OutputFolder(Path("out")) as folder:
        for name, text in files.items():
            folder.write(name, text.encode())


def files_in(place: Path) -> dict[str, str]:
    found = {str(p.relative_to(place)): p.read_text() for p in place.rglob("*") if p.is_file()}
    found.pop(LIST, None)
    return found


def without_list(files: dict[str, str]) -> dict[str, str]:
    """The files of a folder that count, by their names in it."""
    return {
        name.removeprefix("out/"): text
        for name, text in files.items()
        if name != f"out/{LIST}" and not name.startswith(f"out/{TEMPORARY}")
    }


@pytest.mark.parametrize("setup", [FIRST, ""], ids=["replaced", "new"])
@pytest.mark.parametrize("fault", ["full_disk", "interrupt", "terminate", "kill", "half_then_kill"])
def test_folder_is_of_one_run_or_the_other(fault: str, setup: str, folder: Path) -> None:
    job = Job(fault=fault, code=SECOND, setup=setup, warm_up=IMPORTS, again=True)
    before = RUN_1 if setup else {}
    for outcome in injected(job, folder):
        found = without_list(outcome.files)
        if "index.html" in found:
            assert found["index.html"] in found, "the page has its documents"
        assert without_list(outcome.after) == RUN_2, "the next run removes what was left"
        if fault not in ORDERLY:
            assert all(text in (before.get(n), RUN_2.get(n)) for n, text in found.items())
            continue
        assert not [name for name in outcome.files if TEMPORARY in name and not name.endswith(LIST)]
        if outcome.status == 0:
            assert found == RUN_2
        else:
            assert outcome.status == ORDERLY[fault], outcome
            # A signal may come after all names have changed; old files that are left are removed
            # by the next run. What needs space on the disk happens before.
            after = () if fault == "full_disk" else (RUN_2, {**before, **RUN_2})
            assert found in (before, *after), outcome


def test_file_that_cannot_be_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stays in the list, and the others are removed."""
    fill(RUN_1)
    unlink = os.unlink

    def refuse(path: str | os.PathLike[str], **options: int) -> None:
        if Path(path).name == "a.new":
            raise PermissionError(errno.EACCES, "no")
        unlink(path, **options)

    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(RuntimeError), OutputFolder(Path("out")) as folder:
        for name in ("a.new", "b.new", "deep/c.new"):
            folder.write(name, b"x")
        raise RuntimeError
    assert files_in(Path("out")) == {**RUN_1, "a.new": "x"}
    monkeypatch.setattr(os, "unlink", unlink)
    fill(RUN_2)
    assert files_in(Path("out")) == RUN_2


def test_list_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The files of the previous run stay."""
    fill(RUN_1)
    stage = StagedFile.__init__

    def full(staged: StagedFile, target: str, data: bytes, **options: bool) -> None:
        if Path(target).name == LIST:
            raise OSError(errno.ENOSPC, "No space left on device")
        stage(staged, target, data, **options)

    with monkeypatch.context() as patch:
        patch.setattr(StagedFile, "__init__", full)
        with pytest.raises(CannotWrite, match=r"No space left.*E601"):
            fill(RUN_2)
    assert files_in(Path("out")) == RUN_1
    fill(RUN_2)
    assert files_in(Path("out")) == RUN_2


@pytest.mark.parametrize("target", ["../elsewhere", "a.txt", "nowhere"])
def test_link_inside_folder_is_refused(target: str) -> None:
    Path("out").mkdir()
    Path("out/a.txt").write_text("mine")
    Path("elsewhere").write_text("new")
    Path("out/b.txt").symlink_to(target)
    with pytest.raises(WouldDestroy, match=r"b\.txt: this is a symbolic link.*E601"):
        OutputFolder(Path("out")).check(["b.txt"])
    with pytest.raises(WouldDestroy, match="E601"):
        fill({"b.txt": "new"})
    assert Path("out/b.txt").is_symlink() and names() == {"out", "elsewhere"}
    assert Path("elsewhere").read_text() == "new" and Path("out/a.txt").read_text() == "mine"
    assert not Path("out/nowhere").exists()


def test_own_file_that_became_a_link() -> None:
    """It is neither replaced nor removed."""
    fill(RUN_1)
    Path("out/a.txt").rename("moved")
    Path("out/a.txt").symlink_to("../moved")
    with pytest.raises(WouldDestroy, match="symbolic link"):
        fill(RUN_2)
    fill({"index.html": "z"})
    assert Path("out/a.txt").is_symlink() and Path("moved").read_text() == "old"


def test_links_in_place_of_folder_or_list() -> None:
    """They are refused if they lead elsewhere."""
    Path("nowhere").symlink_to("not there")
    with pytest.raises(CannotWrite, match=r"not a folder.*E601"):
        OutputFolder(Path("nowhere")).check(["a.txt"])
    Path("out").mkdir()
    Path("out", LIST).symlink_to("../list")
    with pytest.raises(WouldDestroy, match=r"symbolic link.*E601"):
        fill(RUN_1)
    assert names() == {"nowhere", "out"}


def test_folder_that_is_a_link() -> None:
    Path("real").mkdir()
    Path("out").symlink_to("real")
    fill(RUN_1)
    fill(RUN_2)
    assert files_in(Path("real")) == RUN_2 and Path("out").is_symlink()


def test_folder_that_was_given_up() -> None:
    with pytest.raises(RuntimeError), OutputFolder(Path("new/deep")) as folder:
        folder.write("a/b.txt", b"x")
        raise RuntimeError
    assert names() == set()


def test_files_of_others_are_kept() -> None:
    fill(RUN_1)
    Path("out/mine.txt").write_text("mine")
    Path("out/documents/3.js").write_text("mine")
    fill({"index.html": "z"})
    assert files_in(Path("out")) == {
        "mine.txt": "mine",
        "documents/3.js": "mine",
        "index.html": "z",
    }
    with pytest.raises(WouldDestroy, match=r"mine\.txt.*not written by corefscope.*E601"):
        fill({"a.txt": "again", "mine.txt": "ours"})
    assert "a.txt" not in files_in(Path("out"))
    with pytest.raises(WouldDestroy, match="E601"):
        OutputFolder(Path("out")).check(["mine.txt"])


def test_changed_file_is_no_longer_ours() -> None:
    fill(RUN_1)
    Path("out/a.txt").write_text("edited")
    with pytest.raises(WouldDestroy, match="was changed"):
        fill({"a.txt": "new"})
    fill({"index.html": "new"})
    assert files_in(Path("out")) == {"a.txt": "edited", "index.html": "new"}, "and is not removed"


def test_files_that_belong_together_stay_together() -> None:
    fill({"a.ann": "a", "a.txt": "text", "b.ann": "b", "b.txt": "text", "b/a.txt": "text"})
    Path("out/a.ann").write_text("edited")
    with OutputFolder(Path("out")) as folder:
        folder.write("b.tsv", b"new")
    assert files_in(Path("out")) == {"a.ann": "edited", "a.txt": "text", "b.tsv": "new"}
    assert folder.removed == ["b.ann", "b.txt", "b/a.txt"]
    assert folder.kept == ["a.ann", "a.txt"]
    # They are no longer files of corefscope, and files of other runs do not belong to them.
    with OutputFolder(Path("out")) as folder:
        folder.write("a.tsv", b"new")
    with OutputFolder(Path("out")) as folder:
        folder.write("c.tsv", b"new")
    assert files_in(Path("out")) == {"a.ann": "edited", "a.txt": "text", "c.tsv": "new"}
    assert folder.removed == ["a.tsv"] and not folder.kept


@pytest.mark.parametrize("text", ["notes\n", f"{'0' * 64}  ../x\n", f"{'0' * 64}  /etc/x\n"])
def test_a_list_that_is_not_ours_is_refused(text: str) -> None:
    Path("out").mkdir()
    Path("out", LIST).write_text(text)
    with pytest.raises(WouldDestroy, match="not a list"):
        fill(RUN_1)
    assert Path("out", LIST).read_text() == text


def test_list_with_half_a_line() -> None:
    """It is the list of a run that was killed."""
    fill(RUN_1)
    with Path("out", LIST).open("a") as file:
        file.write("0123")
    fill(RUN_2)
    fill(RUN_1)
    assert files_in(Path("out")) == RUN_1
    subprocess.run(["sha256sum", "--quiet", "-c", LIST], cwd="out", check=True)


def test_file_mode_and_umask() -> None:
    write_file("out", b"x")
    previous = os.umask(0o027)
    try:
        write_file("other", b"x")
    finally:
        os.umask(previous)
    assert stat.S_IMODE(Path("other").stat().st_mode) == 0o640
    Path("out").chmod(0o604)
    write_file("out", b"y")
    assert stat.S_IMODE(Path("out").stat().st_mode) == 0o604


def test_a_link_stays_a_link() -> None:
    Path("sub").mkdir()
    Path("sub/real").write_text(OLD)
    Path("link").symlink_to("sub/real")
    Path("dangling").symlink_to("sub/later")
    write_file("link", NEW.encode())
    write_file("dangling", NEW.encode())
    assert Path("link").is_symlink() and Path("sub/real").read_text() == NEW
    assert Path("dangling").is_symlink() and Path("sub/later").read_text() == NEW


def test_short_writes_continue() -> None:
    write = os.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", lambda to, data: write(to, bytes(data)[:7]))
        write_file("out", NEW.encode())
    assert Path("out").read_text() == NEW


def test_long_names() -> None:
    name = "x" * 255
    write_file(name, OLD.encode())
    write_file(name, NEW.encode())
    assert Path(name).read_text() == NEW and names() == {name}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("no/out", "its folder does not exist"),
        ("file/out", "."),
        (".", "it is a folder"),
        ("/dev/full", "No space left"),
        ("x" * 300, "too long"),
        ("a\0b", "null"),
        ("loop", "."),
    ],
)
def test_unwritable_path_is_an_error_with_code(path: str, message: str) -> None:
    Path("file").touch()
    Path("loop").symlink_to("loop")
    with pytest.raises(CannotWrite, match=rf"{message}.*E601") as refused:
        write_file(path, NEW.encode())
    assert isinstance(refused.value, OSError) and refused.value.filename == path
    if path != "/dev/full":
        with pytest.raises(CannotWrite):
            check_target(path)


def test_an_interrupted_system_call_goes_on() -> None:
    """A pipe is filled while signals arrive all the time."""
    os.mkfifo("pipe")
    code = (
        "import signal\nfrom corefscope.output.files import write_file\n"
        "signal.signal(signal.SIGALRM, lambda *_: None)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\n"
        "write_file('pipe', b'new' * 300_000)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as writer:
        with Path("pipe").open("rb", buffering=0) as pipe:
            read = b""
            while chunk := pipe.read(10_000):
                read += chunk
        assert writer.wait(timeout=60) == 0
    assert read == b"new" * 300_000


def test_descriptor_is_appended_to() -> None:
    Path("log").write_text("before\n")
    code = "from corefscope.output.files import write_file\nwrite_file('/dev/stdout', b'after\\n')"
    with Path("log").open("a") as log:
        subprocess.run([sys.executable, "-c", code], stdout=log, check=True)
    assert Path("log").read_text() == "before\nafter\n"
