//! Where a drawn chart goes: into files, or to standard output.

use std::path::Path;

use astragal_show::svg::{Look, Theme};

use crate::arguments::Picture;
use crate::stop::Stop;
use crate::terminal::Terminal;

/// Dots are seen from near: a PNG of which nobody said how large it is to be is twice as large as the drawing.
const DENSE: f32 = 2.0;

impl Picture {
    /// Whether there is anything to draw; complains of a look without a picture.
    pub(crate) fn is_wanted(&self) -> Result<bool, Stop> {
        let wanted = self.svg.is_some() || self.png.is_some();
        let looks = [
            ("--title", self.title.is_some()),
            ("--width", self.width.is_some()),
            ("--height", self.height.is_some()),
            ("--dark", self.dark),
            ("--light", self.light),
        ];
        match looks.iter().find(|(_, said)| *said && !wanted) {
            Some((option, _)) => Err(Stop::Usage(format!(
                "`{option}` is for a drawn chart: `--svg FILE` or `--png FILE` draws one"
            ))),
            None => Ok(wanted),
        }
    }

    /// Whether the picture is the answer.
    pub(crate) fn is_to_standard_output(&self) -> bool {
        [&self.svg, &self.png].into_iter().flatten().any(|path| is_standard_output(path))
    }

    fn look(&self) -> Look {
        let theme = match (self.dark, self.light) {
            (true, _) => Theme::Dark,
            (false, true) => Theme::Light,
            (false, false) => Theme::Viewer,
        };
        Look { width: self.width, height: self.height, theme }
    }

    /// Draws into the files that were named, if any were, and says where the picture is.
    pub(crate) fn write(
        &self,
        title: &str,
        terminal: &Terminal,
        draw: impl Fn(&str, &Look) -> Option<String>,
    ) -> Result<(), Stop> {
        let title = self.title.as_deref().unwrap_or(title);
        let drawn = |look: &Look| {
            draw(title, look).ok_or_else(|| {
                let how = "`--field NAME` chooses one of them";
                Stop::Usage(format!("results of different types make no chart: {how}"))
            })
        };
        let look = self.look();
        if let Some(path) = &self.svg {
            put(path, drawn(&look)?.as_bytes(), terminal)?;
        }
        if let Some(path) = &self.png {
            let theme = if look.theme == Theme::Dark { Theme::Dark } else { Theme::Light };
            let sized = look.width.or(look.height).is_some();
            let drawing = drawn(&Look { theme, ..look })?;
            put(path, &dots(&drawing, if sized { 1.0 } else { DENSE })?, terminal)?;
        }
        Ok(())
    }
}

#[cfg(feature = "png")]
fn dots(drawing: &str, times: f32) -> Result<Vec<u8>, Stop> {
    astragal_show::png::png(drawing, times).ok_or_else(|| {
        Stop::Usage("this chart is too large for a PNG: `--width 1200` sets its size".into())
    })
}

#[cfg(not(feature = "png"))]
fn dots(_: &str, _: f32) -> Result<Vec<u8>, Stop> {
    Err(Stop::Usage("this program was built without PNG: use `--svg FILE`".into()))
}

fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

fn put(path: &Path, content: &[u8], terminal: &Terminal) -> Result<(), Stop> {
    if is_standard_output(path) {
        terminal.bytes(content);
        return Ok(());
    }
    std::fs::write(path, content)
        .map_err(|error| Stop::Usage(format!("`{}` cannot be written: {error}", path.display())))?;
    terminal.tell(&format!("(the chart is in {})", path.display()));
    Ok(())
}
