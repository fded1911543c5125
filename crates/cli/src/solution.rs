//! A solution at a terminal.

use astragal_show::export::grid::Grid;
use astragal_vary::Solution;

use crate::terminal::Terminal;

/// The answer in one line, and the values that it stands on.
pub(crate) fn text(solution: &Solution<'_>, terminal: &Terminal) -> String {
    let mut lines = terminal.wrapped(&solution.headline());
    if terminal.markdown {
        lines.push(String::new());
    }
    let mut grid = Grid::default();
    let heads = if terminal.markdown { ["value", solution.goal.key()] } else { ["", ""] };
    heads.iter().for_each(|head| grid.texts(*head));
    for told in solution.told() {
        let mark = match (told.met, terminal.unicode) {
            (true, true) => "✓",
            (true, false) => "+",
            (false, _) => "",
        };
        let value = format!("{} = {}", solution.axis.name, told.value);
        let chance = format!("{} {mark}", told.said);
        grid.row(vec![if terminal.markdown { value } else { format!("  {value}") }, chance]);
    }
    lines.extend(terminal.table(&grid));
    lines.join("\n")
}

pub(crate) fn tell_refused(solution: &Solution<'_>, terminal: &Terminal) {
    if let (Some(first), Some(last)) = (solution.refused.first(), solution.refused.last()) {
        let (name, count) = (&solution.axis.name, solution.refused.len());
        let place = if count == 1 { (*first).clone() } else { format!("{first}..{last}") };
        let hint = "`astragal odds --set` tells why";
        terminal.tell(&format!("{name} = {place} has no answer ({count} values; {hint})"));
    }
}
