"""What a notebook and a terminal show."""

import xml.etree.ElementTree as ET

import astragal as ag
import matplotlib
import pytest

matplotlib.use("Agg")


def test_odds_show_themselves():
    odds = ag.odds("4d6kh3")
    html = odds._repr_html_()
    assert "data:image/svg+xml;base64," in html and "<table>" in html and "7/432" in html
    assert "mean 12.2446 (15869/1296)" in html
    assert ET.fromstring(odds._repr_svg_()).tag.endswith("svg")
    assert odds._repr_markdown_().startswith("| outcome | chance |")
    bundle = odds._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "text/markdown", "image/svg+xml"}
    assert set(odds._repr_mimebundle_(include={"text/html"})) == {"text/html"}
    assert "text/html" not in odds._repr_mimebundle_(exclude={"text/html"})
    assert repr(odds) == "<Odds of 4d6kh3: 16 outcomes, mean 12.2446>"
    lines = str(odds).splitlines()
    assert lines[1].split()[:2] == ["3", "0.08%"] and "█" in lines[11]
    assert odds.svg(theme="dark", width=400, view="at least") != odds.svg()
    with pytest.raises(ValueError, match="theme"):
        odds.svg(theme="pink")
    with pytest.raises(ValueError, match="view"):
        odds.svg(view="sideways")


def test_texts_are_escaped():
    html = ag.odds('if d2 == 1 then "<script>" else "b"')._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html


@pytest.mark.parametrize(
    "program",
    ["d6!", "1000d6", "d20 >= 11", "cofd.action(7)", "[d10, d10, d10]", "let a = 2d6; given a > 9; a", "7"],
)
def test_everything_shows_itself(program):
    odds = ag.odds(program)
    assert odds._repr_html_().startswith("<div>") and str(odds) and repr(odds).startswith("<Odds of")


def test_plots():
    axes = ag.odds("2d6").plot()
    assert len(axes.patches) == 11 and axes.get_title() == "2d6"
    same = ag.odds("2d6").plot(axes, view="at least", color="red")
    assert same is axes and len(axes.patches) == 22
    both = ag.compare("3d6", "2d10").plot()
    assert len(both.get_legend().get_texts()) == 2
    assert ag.odds("cofd.action(5).outcome").plot() is not None
    assert ag.odds("d6 >= 5").plot(view="at most") is not None
    with pytest.raises(ValueError, match="view"):
        ag.odds("2d6").plot(view="sideways")


def test_sweeps_and_comparisons_show_themselves():
    heat = ag.sweep("d20 + bonus >= dc", bonus=range(5), dc=range(10, 15))
    assert "data:image/svg+xml" in heat._repr_html_() and ET.fromstring(heat._repr_svg_()) is not None
    lines = ag.sweep("(n)d6", n=range(1, 5))
    assert ET.fromstring(lines.svg()) is not None
    three = ag.sweep("a + b + c + d6", a=[1, 2], b=[1, 2], c=[1, 2])
    assert three._repr_svg_() is None and "<table>" in three._repr_html_()
    assert "image/svg+xml" not in three._repr_mimebundle_()
    both = ag.compare("3d6", "2d10")
    assert ET.fromstring(both._repr_svg_()) is not None and "is higher" in both._repr_html_()
    assert ag.solve("d20 >= ac", "ac", at_least="50%")._repr_html_().startswith("<div><strong>ac up to 11")
    assert repr(heat) == "<Table of d20 + bonus >= dc: 5 bonus × 5 dc; chance>"
