"""The package is typed: mypy and pyright in strict mode, on it and on a program that uses it."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]


def run(*words):
    command = [sys.executable, "-m", *words]
    places = {**os.environ, "MYPYPATH": str(HERE / "tests")}
    found = subprocess.run(command, capture_output=True, text=True, cwd=HERE, env=places)
    assert found.returncode == 0, found.stdout + found.stderr


def test_mypy():
    run("mypy", "--strict", "--no-incremental", "-p", "astragal", "-m", "typed_use")


def test_pyright():
    run("pyright", "--pythonpath", sys.executable, "python/astragal", "tests/typed_use.py")
