"""Remote addresses are read like local paths, and named in everything that is printed."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import patch

import fsspec
import pytest

import corefscope as cs
from commands import Command
from corefscope.arguments import is_address
from corefscope.cli.parameters import split_name
from corefscope.demo import KEY, RESPONSES
from corefscope.formats.file_names import local, shown
from corefscope.report import Contents

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
SCORE, CONVERT, VALIDATE = Command("score"), Command("convert"), Command("validate")
RESPONSE = RESPONSES["sieve"]
BROKEN = b"#begin document (x)\na\t(1\n#end document\n"


class SilentHandler(SimpleHTTPRequestHandler):
    """Serves a folder without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def memory() -> Iterator[str]:
    """The address of a folder in memory with the demo, which is removed afterwards."""
    put("memory://corpora/key.conll", KEY.read_bytes())
    put("memory://corpora/sieve.conll", RESPONSE.read_bytes())
    yield "memory://corpora"
    fsspec.filesystem("memory").rm("/", recursive=True)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[str]:
    """The address of a web server for the folder of the test."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SilentHandler, directory=tmp_path))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def put(address: str, data: bytes) -> str:
    with fsspec.open(address, "wb") as stream:
        stream.write(data)
    return address


def put_folder(address: str, folder: Path) -> str:
    for file in folder.iterdir():
        put(f"{address}/{file.name}", file.read_bytes())
    return address


def expected() -> float | None:
    return cs.score(KEY, RESPONSE).conll


def refused(address: str) -> str:
    """The message of a command that cannot read an address."""
    status, message = SCORE.refused(str(KEY), address)
    assert status == 3 and f"] {address}: " in message
    assert len(message.split()) <= 30
    with pytest.raises(cs.InvalidInput) as error:
        cs.read(address)
    assert error.value.findings[0].message in message
    return message


@pytest.mark.parametrize(
    ("path", "is_remote"),
    [
        ("s3://bucket/a.conll", True),
        ("memory://a", True),
        ("simplecache::s3://bucket/a.conll", True),
        ("zip://a.conll::s3://bucket/a.zip", True),
        ("C://a.conll", False),
        (r"C:\a.conll", False),
        ("a/b.conll", False),
        ("a=s3://bucket/a.conll", False),
        ("see https://a.org/b", False),
        ("http://a.org\nis a page", False),
        ("", False),
        ("-", False),
    ],
)
def test_addresses(path: str, is_remote: bool) -> None:
    assert is_address(path) == is_remote


def test_an_existing_path_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s3:" / "bucket").mkdir(parents=True)
    (tmp_path / "s3:" / "bucket" / "key.conll").write_bytes(KEY.read_bytes())
    assert not is_address("s3://bucket/key.conll")
    assert cs.read("s3://bucket/key.conll").document_names == cs.read(KEY).document_names


def test_names_of_systems() -> None:
    assert split_name("a=s3://b/c=d.conll") == ("a", "s3://b/c=d.conll")
    assert split_name("s3://b/c=d.conll") == (None, "s3://b/c=d.conll")


def test_a_remote_file_is_scored_like_a_local_one(memory: str) -> None:
    key, response = f"{memory}/key.conll", f"{memory}/sieve.conll"
    assert cs.score(key, response).conll == expected()
    system = SCORE.system_of(key, f"s={response}")
    assert (system["name"], system["response"]) == ("s", response)
    assert response in SCORE.printed(key, response)
    both = cs.evaluate(key, {"s": [response, response]})
    assert [run.scores.conll for run in both.runs["s"]] == [expected()] * 2


def test_a_compressed_file(memory: str) -> None:
    address = put(f"{memory}/packed.conll.gz", gzip.compress(RESPONSE.read_bytes()))
    assert cs.score(KEY, address).conll == expected()


def test_local_files_as_addresses(tmp_path: Path) -> None:
    file = tmp_path / "a=b c.conll"
    file.write_bytes(RESPONSE.read_bytes())
    assert cs.score(KEY, f"file://{file}").conll == expected()
    assert cs.score(KEY, f"local://{file}").conll == expected()
    assert cs.read(tmp_path.as_uri()).document_names == cs.read(tmp_path).document_names


def test_a_remote_folder(memory: str) -> None:
    folder = put_folder(f"{memory}/brat", SAMPLES / "brat")
    corpus, same = cs.read(folder), cs.read(SAMPLES / "brat")
    assert corpus.path == folder
    assert corpus.document_names == same.document_names
    assert cs.score(SAMPLES / "brat", folder).conll == 1
    put(f"{folder}/notes/readme.pdf", b"%PDF")
    (finding,) = cs.read(folder).findings
    assert finding.file == folder and "readme.pdf" in finding.message
    one = cs.read(folder, include=["bakery.ann"])
    assert one.file_of(0) == f"{folder}/bakery.ann"


def test_the_text_beside_a_remote_file(memory: str) -> None:
    folder = put_folder(f"{memory}/brat", SAMPLES / "brat")
    corpus = cs.read(f"{folder}/bakery.ann")
    same = cs.read(SAMPLES / "brat" / "bakery.ann")
    assert corpus.word_digests == same.word_digests
    put(f"{folder}/bakery.txt", b"a\x00b")
    message = VALIDATE.run(f"{folder}/bakery.ann").output
    assert f"{folder}/bakery.txt" in message and "corefscope-" not in message


def test_messages_name_the_address(memory: str) -> None:
    broken = put(f"{memory}/broken.conll", BROKEN)
    assert SCORE.refused(str(KEY), broken)[1].startswith(f"error[E101] {broken}:2: ")
    folder = f"{memory}/many"
    put(f"{folder}/x/broken.conll", BROKEN)
    _, message = SCORE.refused(str(KEY), folder)
    assert f"] {folder}/x/broken.conll:" in message
    assert f"{memory}/many: no file" in SCORE.refused(str(KEY), folder, "--include", "z*")[1]


def test_stored_scores_and_answers(memory: str) -> None:
    result = SCORE.printed(str(KEY), f"s={RESPONSE}", "--per-document", "--format", "json")
    stored = put(f"{memory}/scores.json", result.encode())
    assert SCORE.system_of(str(KEY), f"s={stored}")["response"] == stored
    gold = SAMPLES / "corefud"
    (conllu,) = gold.glob("*.conllu")
    answers = CONVERT.run(str(conllu), "-", "--to", "crac-text", "--lossy").stdout
    answer = put(f"{memory}/answers.txt", answers.encode())
    with pytest.warns(UserWarning, match=answer):
        scores = cs.score(conllu, answer, profile="crac-2026")
    assert scores.path == answer


def test_annotators_of_a_remote_folder(memory: str) -> None:
    folder = f"{memory}/annotators"
    for name in ("anna", "berta"):
        put(f"{folder}/{name}.conll", KEY.read_bytes())
    result = json.loads(Command("agree").run(folder, "--format", "json").stdout)
    assert f"{folder}/anna.conll" in json.dumps(result)
    assert "corefscope-" not in json.dumps(result)


def test_the_report_has_the_digest_of_a_remote_file(memory: str) -> None:
    evaluation = cs.evaluate(f"{memory}/key.conll", {"s": f"{memory}/sieve.conll"})
    files = Contents(evaluation=evaluation, title="", command="").summary().files
    assert [file.path for file in files] == [f"{memory}/key.conll", f"{memory}/sieve.conll"]
    for file, path in zip(files, (KEY, RESPONSE), strict=True):
        assert file.sha256 == sha256(path.read_bytes()).hexdigest()


def test_a_changed_file_is_fetched_again(memory: str) -> None:
    address = f"{memory}/sieve.conll"
    before = cs.read(address)
    same = local(address)
    assert local(address) == same and shown(same) == address
    put(address, KEY.read_bytes())
    assert cs.score(KEY, address).conll == 1
    assert cs.score(KEY, before).conll == expected()


def test_missing_files_and_unknown_schemes(memory: str, tmp_path: Path) -> None:
    assert "E108" in (message := refused(f"{memory}/none.conll"))
    assert "no such file" in message
    assert "E108" in refused(f"{tmp_path.as_uri()}/none.conll")
    assert "E108" in refused("nothing://bucket/key.conll")
    put(f"{memory}/empty/readme.pdf", b"%PDF")
    assert "E105" in SCORE.refused(str(KEY), f"{memory}/empty")[1]


def test_fsspec_is_needed(memory: str) -> None:
    with patch.dict(sys.modules, {"fsspec": None}):
        message = refused(f"{memory}/key.conll")
    assert "E305" in message and "pip install 'corefscope[remote]'" in message


def test_the_package_of_a_scheme_is_needed() -> None:
    with patch.dict(sys.modules, {"paramiko": None}):
        assert "E305" in refused("sftp://example.org/key.conll")


def test_names_do_not_lead_out_of_the_folder(memory: str, tmp_path: Path) -> None:
    system = fsspec.filesystem("memory")
    listed = {"/corpora/key.conll": {"created": 1}, "/corpora/../../x.conll": {"created": 1}}
    with patch.object(type(system), "find", return_value=listed):
        assert "E108" in refused(memory)


def test_files_of_a_web_server(web: str, tmp_path: Path) -> None:
    (tmp_path / "my key.conll").write_bytes(KEY.read_bytes())
    address = f"{web}/my%20key.conll?version=1"
    assert cs.score(address, RESPONSE).conll == expected()
    assert Path(local(address)).name == "my key.conll"
    assert "404" in refused(f"{web}/none.conll")


def test_a_broken_connection_is_reported() -> None:
    assert "E108" in refused("http://127.0.0.1:9/key.conll")


def test_remote_addresses_are_not_written(memory: str) -> None:
    for arguments in (["s3://bucket/x.conll"], ["memory://folder", "--to", "brat", "--lossy"]):
        status, message = CONVERT.refused(str(KEY), *arguments)
        assert status == 5 and f"{arguments[0]}: " in message and "E601" in message
        assert "remote addresses are only read" in message
        assert not Path(arguments[0]).exists()
    with pytest.raises(cs.CannotWrite, match="only read"):
        cs.write(cs.read(KEY), "s3://bucket/brat", "brat", lossy=True)
    with pytest.raises(cs.CannotWrite, match="only read"):
        cs.write(cs.read(KEY), "s3://bucket/x.conll")


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "key.conll"
    file.write_bytes(KEY.read_bytes())
    status, message = CONVERT.refused(file.as_uri(), str(file))
    assert status == 2 and "the output is an input" in message


def test_copies_are_removed_at_the_end(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "corefscope", "score", KEY.as_uri(), RESPONSE.as_uri()],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr and RESPONSE.as_uri() in done.stdout
    assert not list(tmp_path.iterdir())


def test_local_files_do_not_load_fsspec() -> None:
    code = f"import corefscope as cs, sys; cs.read({str(KEY)!r}); print('fsspec' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
