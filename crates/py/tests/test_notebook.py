"""The notebook is executed in a real kernel. Its pictures are left in `target/python/notebook`, to be looked at."""

import base64
import os
import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parents[1] / "target"))


def test_the_tour():
    notebook = nbformat.read(HERE / "examples/tour.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs"
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    shown = [output.data for output in outputs if "data" in output]
    pictures = [data["text/html"] for data in shown if "<img" in data.get("text/html", "")]
    assert len(pictures) == 8
    drawn = [data for data in shown if "image/svg+xml" in data]
    assert len(drawn) == 7 and all("<svg" in data["image/svg+xml"] for data in drawn)
    assert any("image/png" in data for data in shown), "matplotlib has drawn"
    folder = TARGET / "python/notebook"
    folder.mkdir(parents=True, exist_ok=True)
    for number, html in enumerate(pictures):
        image = re.search(r"base64,([^\"]+)", html)
        assert image is not None
        (folder / f"{number}.svg").write_bytes(base64.b64decode(image[1]))
        (folder / f"{number}.html").write_text(html, encoding="utf-8")
