//! Truths, texts, variants, lists, records.

use super::{Grower, Sort};

impl Grower {
    pub(super) fn bool(&mut self, depth: u32) -> String {
        let next = depth.saturating_sub(1);
        match self.fork(if depth == 0 { 5 } else { 14 }) {
            0 => self.likely(),
            1 | 2 => match self.known(&[Sort::Bool]) {
                Some(name) => name,
                None => format!("({} > 1)", self.leaf()),
            },
            3 => self.one_of(&["true", "false"]),
            4..=7 => {
                let op = self.one_of(&[">=", "=", "<", ">", "!=", "<="]);
                format!("({} {op} {})", self.number(next), self.number(next))
            }
            8 => format!("({} and {})", self.bool(next), self.bool(next)),
            9 => format!("({} or {})", self.bool(next), self.bool(next)),
            10 => format!("(not {})", self.bool(next)),
            11 => {
                let op = self.one_of(&["=", "!=", "<", ">="]);
                format!("({} {op} {})", self.text(next), self.one_of(&["\"a\"", "\"b\""]))
            }
            12 => {
                let of = self.one_of(&["any", "all"]);
                let (list, least) = (self.list(next), self.leaf());
                format!("{of}({list}, i => i >= {least})")
            }
            _ => match self.fork(4) {
                0 => format!("({} == Colour.red)", self.colour(next)),
                1 => format!("contains({}, {})", self.list(next), self.leaf()),
                2 => format!("({} == {})", self.list(next), self.list(0)),
                _ => format!("{}.yes", self.record(next)),
            },
        }
    }

    /// Something that holds more often than not: for evidence and requirements.
    pub(super) fn likely(&mut self) -> String {
        match self.fork(6) {
            0 => format!("({} >= 1)", self.leaf()),
            4 => format!("({} >= {})", self.leaf(), self.leaf()),
            5 => format!("({} != {})", self.read_once(), self.leaf()),
            1 => format!("({} != 2)", self.leaf()),
            2 => format!("({} <= 2)", self.read_once()),
            _ => format!("({} > 0)", self.read_once()),
        }
    }

    pub(super) fn text(&mut self, depth: u32) -> String {
        match self.fork(if depth == 0 { 4 } else { 7 }) {
            0 => self.one_of(&["\"a\"", "\"b\""]),
            1 | 2 => self.known(&[Sort::Text]).unwrap_or_else(|| "\"c\"".to_owned()),
            3 if self.affords(2) => {
                self.one_of(&["d{\"a\", \"b\": 2}", "d{\"b\", \"a\": 2} drawn"])
            }
            4 => format!("(if {} then \"a\" else {})", self.bool(depth - 1), self.text(depth - 1)),
            5 => format!("\"{{{}}} {{{}}}\"", self.leaf_without_text(), self.leaf_without_text()),
            6 => format!("word({}, [\"a\", \"B c\", \"long\"])", self.text(depth - 1)),
            _ => "\"b\"".to_owned(),
        }
    }

    /// What may stand in a text: no text of its own.
    pub(super) fn leaf_without_text(&mut self) -> String {
        match self.known(&[Sort::Number, Sort::Count, Sort::Bool, Sort::Text, Sort::List]) {
            Some(name) => name,
            None => self.die(),
        }
    }

    pub(super) fn colour(&mut self, depth: u32) -> String {
        if !self.heads.contains("enum") {
            self.heads.insert_str(0, "enum Colour = red | green | blue\n");
        }
        match self.fork(if depth == 0 { 4 } else { 5 }) {
            0 => self.one_of(&["Colour.red", "Colour.green", "Colour.blue"]),
            1 | 2 => self.known(&[Sort::Colour]).unwrap_or_else(|| "Colour.green".to_owned()),
            3 if self.affords(2) => "d{Colour.red, Colour.blue: 2}".to_owned(),
            4 => format!("(if {} then Colour.red else {})", self.bool(depth - 1), self.colour(0)),
            _ => "Colour.blue".to_owned(),
        }
    }

    pub(super) fn list(&mut self, depth: u32) -> String {
        let next = depth.saturating_sub(1);
        match self.fork(if depth == 0 { 4 } else { 13 }) {
            0 => self.one_of(&["[1, 2]", "1..2", "[0]"]),
            1 | 2 => match self.known(&[Sort::List]) {
                Some(name) => name,
                None => format!("[{}, 2]", self.leaf()),
            },
            3 => format!("[{}]", self.leaf()),
            4 => format!("[{}, {}]", self.number(next), self.number(next)),
            5 => {
                let item = self.name("i");
                let list = self.list(next);
                let body =
                    self.repeated(2, |g| g.within(&[(&item, Sort::Number)], |g| g.number(next)));
                format!("map({list}, {item} => {body})")
            }
            6 => format!("append({}, {})", self.list(next), self.number(next)),
            7 => format!("filter({}, i => i >= {})", self.list(next), self.one_of(&["1", "2"])),
            8 => format!("sort({})", self.list(next)),
            9 => format!("reverse(concat({}, {}))", self.list(next), self.list(0)),
            10 => format!("1..{}", self.count()),
            11 => format!("map({}, row => row.n)", self.rows(next)),
            _ => self.seen_in_walk(),
        }
    }

    pub(super) fn texts(&mut self, depth: u32) -> String {
        match self.fork(4) {
            0 => "[\"a\", \"b\"]".to_owned(),
            1 => match self.known(&[Sort::Texts]) {
                Some(name) => name,
                None => format!("[{}]", self.text(0)),
            },
            2 if self.affords(4) => self.one_of(&["2d{\"a\", \"b\"}", "2d{\"a\": 2, \"b\"} drawn"]),
            3 => match self.known(&[Sort::Texts]) {
                Some(name) if self.affords(2) => format!("sort({name})"),
                _ => format!("[\"b\", {}]", self.text(depth.min(1))),
            },
            _ => "[\"b\"]".to_owned(),
        }
    }

    pub(super) fn record(&mut self, depth: u32) -> String {
        match self.fork(if depth == 0 { 3 } else { 6 }) {
            0 => format!("{{n: {}, yes: {}}}", self.leaf(), self.bool(0)),
            1 | 2 => match self.known(&[Sort::Record]) {
                Some(name) => name,
                None => format!("{{n: {}, yes: {}}}", self.read_once(), self.likely()),
            },
            3 => {
                let (c, a, b) = (self.bool(depth - 1), self.record(depth - 1), self.record(0));
                format!("(if {c} then {a} else {b})")
            }
            4 => self.record_of_walk(),
            _ => format!("{{n: {}, yes: {}}}", self.number(depth - 1), self.bool(depth - 1)),
        }
    }

    pub(super) fn rows(&mut self, depth: u32) -> String {
        match self.fork(if depth == 0 { 3 } else { 5 }) {
            0 => format!("[{}]", self.record(0)),
            1 => match self.known(&[Sort::Rows]) {
                Some(name) => name,
                None => format!("[{}, {}]", self.record(0), self.record(0)),
            },
            2 => format!("[{}, {}]", self.record(0), self.record(0)),
            3 => format!("sort_by({}, row => row.n)", self.rows(depth - 1)),
            _ => {
                let (list, yes) = (self.list(depth - 1), self.likely());
                format!("map({list}, i => {{n: i, yes: {yes}}})")
            }
        }
    }

    /// Symbols that are added up.
    pub(super) fn tally(&mut self) -> String {
        if let Some(name) = self.known(&[Sort::Tally])
            && self.fork(3) > 0
        {
            return name;
        }
        match self.fork(4) {
            0 if self.affords(2) => "d{{a: 1}, {b: 1, a: 2}: 2}".to_owned(),
            1 if self.affords(9) => "2d{{a: 1, b: 0}, {b: 1, a: -1}: 2, {}}".to_owned(),
            2 if self.affords(4) => "(2d{{a: 1}: 2, {b: 2}} drawn)".to_owned(),
            3 if self.affords(4) => "(d{{a: 1}, {b: 1}} + d{{a: 2}, {b: 1/2}})".to_owned(),
            _ => "{a: 1, b: 2}".to_owned(),
        }
    }
}
