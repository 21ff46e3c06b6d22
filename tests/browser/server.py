"""A JupyterLab of our own on loopback, that knows nothing of the user's and leaves nothing."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

DEADLINE_S = 60
_QUIET = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _command(port: int, settings: Path, root: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--LabApp.expose_app_in_browser=True",
        f"--LabApp.app_settings_dir={settings}",
        "--LabApp.extension_manager=readonly",
        f"--ServerApp.root_dir={root}",
    ]


def _environment(folder: Path) -> dict[str, str]:
    own = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "IPYTHONDIR": "ipython",
    }
    return {**os.environ, **{name: str(folder / place) for name, place in own.items()}}


def _wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"{url}/api/status", timeout=5),
        ):
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the server, which ends its kernels; whatever is left of its own group is killed."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=20)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def jupyterlab(folder: Path, notebooks: Path) -> Iterator[str]:
    """Serve `notebooks` and yield the server's address; settings and log go to `folder`."""
    settings = folder / "app"
    settings.mkdir(parents=True)
    (settings / "overrides.json").write_text(json.dumps(_QUIET), encoding="utf-8")
    log = folder / "log.txt"
    port = _free_port()
    with log.open("wb") as out:
        process = subprocess.Popen(
            _command(port, settings, notebooks),
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_ready(url, process, log)
        yield url
    finally:
        _end(process)
