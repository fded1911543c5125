//! Where a drawn chart goes: into a file, or to standard output.

use std::path::Path;

use astragal::Answer;
use astragal_show::svg::drawing;

use crate::arguments::Picture;
use crate::report::Telling;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// Draws the answers into the file that was named; nothing if none was. The drawing is given back if
/// it goes to standard output.
pub(crate) fn write(
    picture: &Picture,
    title: &str,
    answers: &[(String, &Answer)],
    telling: &Telling,
) -> Result<String, Stop> {
    let Some(path) = &picture.svg else { return Ok(String::new()) };
    let title = picture.title.as_deref().unwrap_or(title);
    let drawing = drawing(title, answers, telling.view).ok_or_else(|| {
        let how = "`--field NAME` chooses one of them";
        Stop::Usage(format!("results of different types make no chart: {how}"))
    })?;
    if path == Path::new("-") {
        return Ok(drawing);
    }
    std::fs::write(path, drawing)
        .map_err(|error| Stop::Usage(format!("`{}` cannot be written: {error}", path.display())))?;
    Ok(String::new())
}

/// Says where the drawing is, or prints it.
pub(crate) fn tell(picture: &Picture, drawing: &str, terminal: &Terminal) {
    match &picture.svg {
        Some(_) if !drawing.is_empty() => terminal.out(drawing),
        Some(path) => terminal.tell(&format!("(the chart is in {})", path.display())),
        None => {}
    }
}

/// Whether the drawing is the answer.
pub(crate) fn is_to_standard_output(picture: &Picture) -> bool {
    picture.svg.as_deref() == Some(Path::new("-"))
}
