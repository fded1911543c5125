use crate::arguments::Play;
use crate::stop::Stop;
use crate::terminal::Terminal;
pub(crate) fn run(_: &Play, _: &Terminal) -> Result<(), Stop> { Ok(()) }
