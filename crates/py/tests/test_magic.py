"""The cell magic."""

import astragal as ag


class Shell:
    def register_magic_function(self, function, kind, name):
        self.function, self.kind, self.name = function, kind, name


def test_a_cell_is_a_program():
    shell = Shell()
    ag.load_ipython_extension(shell)
    assert (shell.kind, shell.name) == ("line_cell", "astragal")
    assert shell.function("", "let a = d6\na + 1").mean == ag.odds("d6 + 1").mean
    assert shell.function("2d6").mean == 7
    assert 1 <= shell.function("roll", "d6").value <= 6
