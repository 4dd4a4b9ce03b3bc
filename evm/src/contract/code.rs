//! The text of a contract, and the few forms that all its parts use.

use std::fmt::Display;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};

/// Spaces of a level.
const INDENT: usize = 4;
/// Most characters of a line.
const WIDTH: usize = 100;

/// Lines of code, indented.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    /// Levels and texts; long lines are wrapped only when the text is written.
    lines: Vec<(usize, String)>,
    level: usize,
}

impl Code {
    /// Code that begins at a level.
    pub(super) fn at(level: usize) -> Self {
        Self { lines: vec![], level }
    }

    /// The text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.lines.iter().for_each(|(level, line)| wrap(&mut text, *level, line));
        text
    }

    /// A line; a long one will be wrapped.
    pub(super) fn line(&mut self, line: impl Into<String>) {
        self.lines.push((self.level, line.into()));
    }

    /// Number of lines so far.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The lines, one statement each.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|(_, line)| line.as_str())
    }

    /// The lines from number `from` on.
    pub(super) fn lines_mut(&mut self, from: usize) -> impl Iterator<Item = &mut String> {
        self.lines[from..].iter_mut().map(|(_, line)| line)
    }

    /// A remark.
    pub(super) fn remark(&mut self, text: impl Display) {
        self.line(format!("// {text}"));
    }

    /// A block with a title.
    pub(super) fn section(&mut self, title: &str, fill: impl FnOnce(&mut Self)) {
        self.line("");
        self.line(format!("// {title}"));
        self.block("", fill);
    }

    /// A block after its head.
    pub(super) fn block(&mut self, head: &str, fill: impl FnOnce(&mut Self)) {
        self.line(if head.is_empty() { "{".to_owned() } else { format!("{head} {{") });
        self.level += 1;
        fill(self);
        self.level -= 1;
        self.line("}");
    }

    /// Puts a value into memory.
    pub(super) fn store(&mut self, place: usize, value: impl Display) {
        self.line(format!("mstore({}, {value})", hex(place)));
    }
}

fn wrap(text: &mut String, level: usize, line: &str) {
    let remark = line.starts_with("//");
    let (first, more) = (INDENT * level, if remark { 0 } else { INDENT });
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let too_long = column + word.trim_end().len() > WIDTH;
        if too_long {
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        if too_long || column == 0 {
            column = if too_long { first + more } else { first };
            text.extend(std::iter::repeat_n(' ', column));
            if too_long && remark {
                *text += "// ";
                column += 3;
            }
        }
        *text += word;
        column += word.len();
    }
    text.push('\n');
}

/// A place or a length.
pub(super) fn hex(number: usize) -> String {
    format!("{number:#04x}")
}

/// A constant of the field.
pub(super) fn constant(value: &Fr) -> String {
    let mut bytes = value.to_repr();
    bytes.reverse();
    let digits = hex::encode(bytes);
    let digits = digits.trim_start_matches('0');
    match digits.len() {
        0 => "0".into(),
        // An odd number of digits is fine, but forty of them would be an address.
        length if length % 2 == 1 => format!("0x0{digits}"),
        40 => format!("0x00{digits}"),
        _ => format!("0x{digits}"),
    }
}

/// A word of memory.
pub(super) fn load(place: usize) -> String {
    format!("mload({})", hex(place))
}

/// A word of calldata.
pub(super) fn calldata(place: usize) -> String {
    format!("calldataload({})", hex(place))
}

/// The reduced product of any words.
pub(super) fn product(a: impl Display, b: impl Display) -> String {
    format!("mulmod({a}, {b}, r)")
}
