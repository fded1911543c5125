//! Completion: what may stand where the cursor is.
//!
//! | before the cursor | offered |
//! |---|---|
//! | `cofd.`, `Outcome.` | functions and enumerations of the system, variants |
//! | `skill(8, adv` | the function's parameters that are not given yet, and names |
//! | `method: ` | the variants of the parameter's type |
//! | `4d6 ke` | suffixes in words |
//! | anything else | names and keywords |

use crate::cursor::{call_around, ends_in_dice, trailing_path, trailing_word};
use crate::definitions::Kind;
use crate::names::{Catalogue, Known};
use crate::words::{BUILT_IN, KEYWORDS, SUFFIXES};

/// Something that may stand at the cursor, and a word about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offer {
    /// What would be written.
    pub text: String,
    /// What it is; may be empty.
    pub about: String,
}

impl Offer {
    /// A text, and a word about it.
    pub fn new(text: impl Into<String>, about: impl Into<String>) -> Offer {
        Offer { text: text.into(), about: about.into() }
    }
}

fn offer(text: impl Into<String>, about: impl Into<String>) -> Offer {
    Offer::new(text, about)
}

/// What may stand at the end of a text, and where the word to be replaced begins.
pub fn offers(before: &str, names: &Catalogue) -> (usize, Vec<Offer>) {
    let start = before.len() - trailing_word(before).len();
    let (left, word) = before.split_at(start);
    let mut offers = candidates(left, word, names);
    let word = word.to_lowercase();
    offers.retain(|offer| offer.text.to_lowercase().starts_with(&word) && offer.text != word);
    offers.dedup_by(|a, b| a.text == b.text);
    (start, offers)
}

fn candidates(left: &str, word: &str, names: &Catalogue) -> Vec<Offer> {
    if let Some(owner) = left.strip_suffix('.') {
        return members(trailing_path(owner), names);
    }
    let call = call_around(left);
    let known = call.as_ref().and_then(|call| names.called(call.function));
    if let (Some(known), Some(name)) = (&known, left.trim_end().strip_suffix(':')) {
        return values(known, trailing_word(name), names);
    }
    if !word.is_empty() && ends_in_dice(left) {
        return SUFFIXES.iter().map(|suffix| offer(suffix.names[0], suffix.meaning)).collect();
    }
    let parameters = known.zip(call).map(|(known, call)| parameters(&known, call.arguments));
    let mut offers = parameters.unwrap_or_default();
    if !word.is_empty() || offers.is_empty() {
        offers.extend(everywhere(names));
    }
    offers
}

/// What stands behind `cofd.` or `Outcome.`
pub fn members(owner: &str, names: &Catalogue) -> Vec<Offer> {
    let last = owner.rsplit('.').next().unwrap_or(owner);
    let Some(page) = names.system(owner) else {
        return names.variants(last).into_iter().map(|variant| offer(variant, "")).collect();
    };
    let functions = page.functions.iter().filter(|function| function.doc.is_some());
    let functions = functions.map(|f| offer(format!("{}(", f.name), first_line(f.doc.as_deref())));
    let enumerations =
        page.enumerations.iter().map(|e| offer(&e.name, first_line(e.doc.as_deref())));
    functions.chain(enumerations).collect()
}

/// What stands behind `method: `
fn values(known: &Known, parameter: &str, names: &Catalogue) -> Vec<Offer> {
    let found = known.function.parameters.iter().find(|p| p.name == parameter);
    match found.and_then(|parameter| parameter.ty.as_deref()) {
        Some("bool") => vec![offer("true", ""), offer("false", "")],
        Some(ty) => {
            let own = known.enumerations.iter().find(|e| e.name == ty).map(|e| e.variants.clone());
            let variants = own.unwrap_or_else(|| names.variants(ty));
            variants.into_iter().map(|variant| offer(variant, "")).collect()
        }
        None => Vec::new(),
    }
}

/// The parameters that are not given yet.
fn parameters(known: &Known, arguments: &str) -> Vec<Offer> {
    let given = |name: &str| arguments.contains(&format!("{name}:"));
    let open = known.function.parameters.iter().filter(|p| !given(&p.name));
    open.map(|p| offer(format!("{}: ", p.name), p.default.clone().unwrap_or_default())).collect()
}

/// What may stand where an expression begins.
pub fn everywhere(names: &Catalogue) -> Vec<Offer> {
    let own = names.own().iter().filter(|d| !matches!(d.kind, Kind::Function(_)));
    let mut offers: Vec<Offer> =
        own.map(|d| offer(&d.name, first_line(d.doc.as_deref()))).collect();
    let functions = names.all_functions().filter(|known| !names.needs_prefix(known));
    let functions =
        functions.filter(|known| known.prefix.is_empty() || known.function.doc.is_some());
    offers.extend(functions.map(|known| {
        offer(format!("{}(", known.function.name), first_line(known.function.doc.as_deref()))
    }));
    offers.extend(BUILT_IN.iter().map(|w| offer(format!("{}(", w.names[0]), w.meaning)));
    offers.extend(names.systems().map(|page| offer(format!("{}.", page.name), "system")));
    let keywords =
        KEYWORDS.iter().flat_map(|word| word.names.iter().map(|n| offer(*n, word.meaning)));
    offers.extend(keywords);
    offers.sort();
    offers
}

fn first_line(doc: Option<&str>) -> String {
    doc.unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::Line;

    fn offered(before: &str) -> Vec<String> {
        let mut names = Catalogue::new(&astragal::Engine::new());
        let own = Line::read("fn smite(target, twice = false) = d6; param pool = 7").definitions;
        names.set(Some("kaiser"), &own);
        let (start, offers) = offers(before, &names);
        assert!(before.is_char_boundary(start));
        offers.into_iter().map(|offer| offer.text).collect()
    }

    #[test]
    fn names_of_systems_and_enumerations() {
        assert_eq!(offered("1 + cofd.act"), ["action("]);
        assert_eq!(offered("skil"), ["skill("]);
        assert_eq!(offered("cof"), ["cofd."]);
        assert_eq!(offered("smi"), ["smite("]);
        assert!(offered("cofd.Outcome.").contains(&"success".to_owned()));
    }

    #[test]
    fn parameters_and_their_values() {
        assert_eq!(offered("skill(8, 12, adv"), ["advantage: ", "adv("]);
        assert!(!offered("skill(8, advantage: 1, adv").contains(&"advantage: ".to_owned()));
        assert_eq!(offered("skill(8, 12, method: "), ["keep", "reroll"]);
        assert_eq!(offered("cofd.action(7, rote: t"), ["true"]);
        assert_eq!(offered("smite(tw"), ["twice: "]);
    }

    #[test]
    fn suffixes_follow_dice() {
        assert_eq!(offered("4d6 keep h"), Vec::<String>::new());
        assert_eq!(offered("4d6 ke"), ["keep highest", "keep lowest", "keep middle"]);
        assert_eq!(offered("4d6kh3 rer"), ["reroll", "reroll once"]);
        assert_eq!(offered("4d6 rr<=2 desc"), ["descending"]);
    }

    #[test]
    fn strange_texts_do_no_harm() {
        for text in ["", ":", ": ", "?", "é", "🎲.", "((((", "\"{", "...", "a(b(c["] {
            offered(text);
        }
    }
}
