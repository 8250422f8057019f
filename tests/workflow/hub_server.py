"""A hub on this machine: the few answers of Hugging Face's that a download needs."""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from project import ENVIRONMENT


def _siblings(files: Mapping[str, bytes], large: frozenset[str]) -> list[dict[str, Any]]:
    """The files as the facts of a model name them."""
    found = []
    for name, data in files.items():
        one: dict[str, Any] = {"rfilename": name, "size": len(data), "blobId": "0" * 40}
        if name in large:
            digest = hashlib.sha256(data).hexdigest()
            one["lfs"] = {"sha256": digest, "size": len(data), "pointerSize": 134}
        found.append(one)
    return found


def _tree(siblings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same files as a listing names them."""
    found = []
    for one in siblings:
        listed = {"type": "file", "oid": one["blobId"], "size": one["size"]}
        listed["path"] = one["rfilename"]
        if "lfs" in one:
            listed["lfs"] = {"oid": one["lfs"]["sha256"], "size": one["size"], "pointerSize": 134}
        found.append(listed)
    return found


class _Answers(BaseHTTPRequestHandler):
    """Facts of one model at one revision, and its files."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        server: Any = self.server
        path = self.path.partition("?")[0]
        facts, files = f"/api/models/{server.model}", f"/{server.model}/resolve/{server.revision}/"
        if path == f"{facts}/revision/{server.revision}":
            body = {"id": server.model, "sha": server.revision, "siblings": server.siblings}
            self._send(json.dumps(body).encode(), {"Content-Type": "application/json"})
        elif path == f"{facts}/tree/{server.revision}":
            listing = json.dumps(_tree(server.siblings)).encode()
            self._send(listing, {"Content-Type": "application/json"})
        elif path.startswith(files) and (data := server.files.get(path.removeprefix(files))):
            digest = hashlib.sha256(data).hexdigest()
            self._send(data, {"ETag": f'"{digest}"', "X-Repo-Commit": server.revision})
        else:
            self.send_response(404)
            self.send_header("X-Error-Code", "RevisionNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def _send(self, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(200)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@contextmanager
def hub_server(
    model: str,
    revision: str,
    files: Mapping[str, bytes],
    large: frozenset[str],
    served: Mapping[str, bytes] | None = None,
) -> Iterator[str]:
    """The address of a hub while the block runs.

    Parameters
    ----------
    files : what it promises; `large` ones with their sha256. served : what it gives instead.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.model, server.revision = model, revision
    server.files, server.siblings = {**files, **(served or {})}, _siblings(files, large)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def hub_of(
    folder: Path, model: str, revision: str, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> Iterator[None]:
    """While the block runs, Snakemake asks a hub that holds the files of a folder."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with hub_server(model, revision, files, frozenset({"model.safetensors"})) as url:
        own = {"HF_ENDPOINT": url, "HF_HOME": str(cache), "HF_HUB_OFFLINE": "0"}
        for name, value in own.items():
            monkeypatch.setitem(ENVIRONMENT, name, value)
        yield
