//! The systems as data: `astragal systems --json`.

use astragal::{Engine, SYSTEMS};
use astragal_assist::catalogue::{data, system};
use serde_json::Value as Json;

use super::systems::function;
use crate::input::no_such_system;
use crate::stop::Stop;

/// All systems, one of them, or one function of one.
pub(crate) fn catalogue(name: Option<&str>) -> Result<Json, Stop> {
    let engine = Engine::new();
    let page = |name: &str| engine.documentation(name).ok_or_else(|| no_such_system(&engine, name));
    let systems = match name.map(|name| name.split_once('.').unwrap_or((name, ""))) {
        None => SYSTEMS
            .iter()
            .map(|(name, _)| page(name).map(|page| system(&page)))
            .collect::<Result<Vec<_>, _>>()?,
        Some((name, "")) => vec![system(&page(name)?)],
        Some((name, wanted)) => {
            let mut page = page(name)?;
            page.functions = vec![function(&page, wanted)?.clone()];
            page.enumerations.clear();
            vec![system(&page)]
        }
    };
    Ok(data(systems))
}
