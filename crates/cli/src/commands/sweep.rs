//! `astragal sweep`: how odds change with an input.

use astragal::{Program, Rational};
use astragal_show::decimal::exact;
use astragal_show::export::grid::Grid;
use astragal_show::export::outcomes::pair;
use astragal_show::svg::{self, Look};
use astragal_show::sweep::{Input, Measure};
use astragal_vary::{Axis, Column, Condition, columns, combinations, data, number};
use serde_json::Value as Json;

use super::odds::{budget, field_path};
use crate::arguments::{Source, Sweep};
use crate::chart::{BAR, SHORTEST_BAR, drawn};
use crate::heat::heat_map;
use crate::plot::plot;
use crate::stop::Stop;
use crate::survey::{program, survey};
use crate::terminal::Terminal;

/// The longest fraction in a table.
const LONGEST_FRACTION: usize = 18;
/// The longest bar beside a table.
const LONGEST_BAR: usize = 40;

pub(crate) fn run(arguments: &Sweep, terminal: &Terminal) -> Result<(), Stop> {
    let axes =
        arguments.over.iter().map(|text| Axis::parse(text)).collect::<Result<Vec<_>, _>>()?;
    if axes.is_empty() {
        let how = "write them after the program, such as `dc=5..25`";
        return Err(Stop::Usage(format!("there are no values to sweep over: {how}")));
    }
    if arguments.picture.is_wanted()? && axes.len() > 2 {
        let how = "sweep two of them, and set the others with `--set NAME=VALUE`";
        return Err(Stop::Usage(format!("{} inputs make no chart: {how}", axes.len())));
    }
    let conditions = arguments.that.iter().chain(&arguments.chance);
    let conditions = conditions.map(|text| Condition::parse(text));
    let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
    let program = program(&arguments.source, &axes, terminal)?;
    let (field, budget) = (field_path(arguments.field.as_deref()), budget(arguments.steps));
    let points = combinations(&axes)?;
    let measured = survey(&program, &axes, &points, terminal, |program| {
        let mut columns = columns(program, &field, &conditions, &budget)?.columns;
        columns.retain(|column| arguments.that.is_none() || column.asked);
        Ok(columns)
    });
    let mut rows = Vec::new();
    for (point, columns) in points.iter().zip(measured) {
        rows.push(Row {
            point,
            columns: columns.inspect_err(|_| tell_where(&axes, point, terminal))?,
        });
    }
    let table = Table { axes: &axes, titles: titles(&rows), rows };
    if arguments.picture.is_wanted()? {
        let title = title(&arguments.source, &program);
        arguments.picture.write(&title, terminal, |title, look| table.drawing(title, look))?;
    }
    match () {
        () if arguments.picture.is_to_standard_output() => {}
        () if terminal.json => terminal.say_json(&table.json(program.text())),
        () if arguments.csv.csv => terminal.out(&table.csv()),
        () if axes.len() == 2 => terminal.say(&table.map(terminal)),
        () if terminal.markdown => terminal.say(&table.grid(None).markdown().join("\n")),
        () => terminal.say(&table.text(terminal)),
    }
    Ok(())
}

/// The program as the user knows it: without the inputs that were put before it.
fn title(source: &Source, program: &Program) -> String {
    let text = source.expression.clone().unwrap_or_else(|| program.text().to_owned());
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// At which point a program failed.
fn tell_where(axes: &[Axis], point: &[&str], terminal: &Terminal) {
    let settings = axes.iter().zip(point).map(|(axis, value)| format!("{}={value}", axis.name));
    terminal.tell(&format!("at {}:", settings.collect::<Vec<_>>().join(" ")));
}

struct Row<'a> {
    point: &'a [&'a str],
    columns: Vec<Column>,
}

impl Row<'_> {
    fn column(&self, title: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.title == title)
    }
}

struct Table<'a> {
    axes: &'a [Axis],
    titles: Vec<String>,
    rows: Vec<Row<'a>>,
}

/// The titles of all rows; texts may come up at some points only.
fn titles(rows: &[Row<'_>]) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for column in rows.iter().flat_map(|row| &row.columns) {
        if !titles.contains(&column.title) {
            titles.push(column.title.clone());
        }
    }
    titles
}

impl Table<'_> {
    /// The points as a list: with bars where there is one chance, else with a chart of lines below.
    fn text(&self, terminal: &Terminal) -> String {
        let without = self.grid(None);
        let lines = without.lines();
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 2;
        let room = terminal.width.saturating_sub(width).min(LONGEST_BAR);
        if self.has_one_chance() && !terminal.plain && room >= SHORTEST_BAR {
            return self.grid(Some((room, terminal))).lines().join("\n");
        }
        let mut lines = without.lines_within(terminal.wrapping);
        if let ([axis], false) = (self.axes, terminal.plain) {
            lines.extend(plot(&as_input(axis), &self.measures(), terminal));
        }
        lines.join("\n")
    }

    /// The points as rows and columns.
    fn map(&self, terminal: &Terminal) -> String {
        let [rows, columns] = [0, 1].map(|at| as_input(&self.axes[at]));
        heat_map(&rows, &columns, &self.measures(), terminal)
    }

    fn drawing(&self, title: &str, look: &Look) -> Option<String> {
        let measures = self.measures();
        match self.axes {
            [axis] => Some(svg::lines(title, &as_input(axis), &measures, look)),
            [rows, columns] => {
                Some(svg::map(title, &as_input(rows), &as_input(columns), &measures, look))
            }
            _ => None,
        }
    }

    /// What can be drawn: a deviation is no answer of its own.
    fn measures(&self) -> Vec<Measure> {
        let measure = |title: &String| {
            let column = |row: &Row<'_>| row.column(title).cloned();
            let columns: Vec<Option<Column>> = self.rows.iter().map(column).collect();
            let known = || columns.iter().flatten();
            (!known().any(|column| column.rounded)).then(|| Measure {
                title: title.clone(),
                chance: known().all(|column| column.chance),
                values: columns.iter().map(|column| Some(column.as_ref()?.value.clone())).collect(),
            })
        };
        self.titles.iter().filter_map(measure).collect()
    }

    /// A bar can stand for one chance only.
    fn has_one_chance(&self) -> bool {
        self.titles.len() == 1 && self.rows.iter().all(|row| row.columns.iter().all(|c| c.chance))
    }

    /// The points and their values; with one chance a point, also its bar and its fraction.
    fn grid(&self, bars: Option<(usize, &Terminal)>) -> Grid {
        let mut grid = Grid::default();
        for axis in self.axes {
            match axis.values.iter().all(|value| number(value).is_some()) {
                true => grid.numbers(&axis.name),
                false => grid.texts(&axis.name),
            }
        }
        grid.known_by(self.axes.len());
        self.titles.iter().for_each(|title| grid.numbers(title));
        if self.has_one_chance() {
            grid.texts("exactly");
        }
        // The bar is last: colours in it would push aside what follows.
        if bars.is_some() {
            grid.texts("");
        }
        for row in &self.rows {
            let values = self.titles.iter().map(|title| row.column(title));
            let values = values.map(|column| column.map_or_else(|| "–".into(), Column::text));
            let mut cells: Vec<String> =
                row.point.iter().map(|value| (*value).to_owned()).chain(values).collect();
            if let ([only], true) = (row.columns.as_slice(), self.has_one_chance()) {
                let fraction = exact(&only.value).filter(|text| text.len() <= LONGEST_FRACTION);
                cells.push(fraction.unwrap_or_default());
                let bar =
                    |(width, terminal)| drawn(&only.value, &Rational::ONE, width, BAR, terminal);
                cells.extend(bars.map(bar));
            }
            grid.row(cells);
        }
        grid.without_empty_columns()
    }

    fn csv(&self) -> String {
        let mut grid = Grid::default();
        self.axes.iter().for_each(|axis| grid.texts(&axis.name));
        for title in &self.titles {
            grid.numbers(title);
            grid.numbers(format!("{title} exactly"));
        }
        for row in &self.rows {
            let values = self.titles.iter().flat_map(|title| match row.column(title) {
                Some(column) if column.rounded => [column.text(), String::new()],
                Some(column) => pair(&column.value),
                None => [String::new(), String::new()],
            });
            grid.row(row.point.iter().map(|value| (*value).to_owned()).chain(values).collect());
        }
        grid.without_empty_columns().csv()
    }

    fn json(&self, expression: &str) -> Json {
        let points = self.rows.iter().map(|row| (row.point, row.columns.as_slice()));
        data::sweep(expression, self.axes, points)
    }
}

fn as_input(axis: &Axis) -> Input {
    Input { name: axis.name.clone(), values: axis.values.clone() }
}
