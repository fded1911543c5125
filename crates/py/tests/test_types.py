"""The package is typed: mypy and pyright in strict mode, on it and on a program that uses it."""

import subprocess
import sys
from pathlib import Path

import astragal
import pytest

PACKAGE = Path(astragal.__file__).parent
USE = Path(__file__).parent / "typed_use.py"


def run(*words):
    found = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=USE.parent.parent)
    assert found.returncode == 0, found.stdout + found.stderr


def test_mypy():
    run("mypy", "--strict", "--no-incremental", str(USE), "-p", "astragal")


@pytest.mark.parametrize("what", [str(USE), str(PACKAGE)], ids=["use", "package"])
def test_pyright(what, tmp_path):
    (tmp_path / "pyrightconfig.json").write_text(
        '{"typeCheckingMode": "strict", "include": ["%s"], "reportMissingModuleSource": false}' % what
    )
    run("pyright", "--pythonpath", sys.executable, "-p", str(tmp_path))
