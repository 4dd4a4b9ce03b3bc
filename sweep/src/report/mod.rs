//! A sweep as one page that needs nothing else: the command and the machines, the plots, what rows are made of as bars, and a
//! table that can be sorted by any column.

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::{
    memory::human,
    plot,
    results::{Bar, Results, Row, MACHINE},
};

/// The page, with braces where something is filled in.
const PAGE: &str = include_str!("page.html");

/// The page. `plots` are whole SVGs, and `command` is what was typed. Rows that could be saved make no error.
pub(crate) fn page<R: Row>(
    results: &Results<R>,
    command: &str,
    plots: &[String],
) -> Result<String, serde_json::Error> {
    let rows: Vec<Value> =
        results.rows.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
    let columns = R::COLUMNS.split(',').chain([MACHINE]);
    let columns: Vec<Column> = columns.map(|name| Column::new(name, &rows)).collect();
    let (varying, constant): (Vec<_>, Vec<_>) = columns.iter().partition(|one| !one.is_constant);
    // The lines of a plot need two rows; for one, its bar says all.
    let figures = if results.rows.iter().filter(|row| row.has_run()).count() > 1 {
        plots.iter().map(|svg| format!("<figure>{svg}</figure>\n")).collect()
    } else {
        String::new()
    };
    let line = |row: &Value| -> String {
        let cells: String = varying.iter().map(|column| column.cell(row)).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let parts = [
        ("{title}", escaped(R::TITLE)),
        ("{command}", escaped(command)),
        (
            "{machines}",
            results.summaries().iter().map(|line| escaped(line)).collect::<Vec<_>>().join("<br>"),
        ),
        ("{figures}", figures),
        ("{bars}", bars(results)),
        ("{constant}", in_all_rows(&constant, &rows)),
        ("{head}", varying.iter().map(|column| column.head()).collect()),
        ("{rows}", rows.iter().map(line).collect()),
        (
            "{notes}",
            R::NOTES
                .iter()
                .map(|note| format!("<p class=\"faint\">{}</p>\n", escaped(note)))
                .collect(),
        ),
    ];
    Ok(filled(&parts))
}

/// The page with these parts in place of their names; what a part says is no name of another.
fn filled(parts: &[(&str, String)]) -> String {
    let (mut text, mut rest) = (String::new(), PAGE);
    while let Some(start) = rest.find('{') {
        let part = parts.iter().find(|(name, _)| rest[start..].starts_with(name));
        let (name, value) = part.map_or(("{", "{"), |(name, value)| (*name, value.as_str()));
        text += &rest[..start];
        text += value;
        rest = &rest[start + name.len()..];
    }
    text + rest
}

/// A column of the table.
struct Column {
    name: &'static str,
    /// Whether its values are words.
    is_of_words: bool,
    /// Whether all rows have the same in it, or none has anything.
    is_constant: bool,
}

impl Column {
    fn new(name: &'static str, rows: &[Value]) -> Self {
        Self {
            name,
            is_of_words: rows.iter().any(|row| row[name].is_string()),
            is_constant: rows.iter().all(|row| row[name] == rows[0][name]),
        }
    }

    /// Its name without the unit, which stands beside the values.
    fn title(&self) -> String {
        let name = self.name.strip_suffix("_s").or_else(|| self.name.strip_suffix("_bytes"));
        name.unwrap_or(self.name).replace('_', " ")
    }

    fn class(&self) -> &'static str {
        if self.is_of_words {
            " class=\"word\""
        } else {
            ""
        }
    }

    fn head(&self) -> String {
        format!("<th{}><button>{}</button></th>", self.class(), escaped(&self.title()))
    }

    fn cell(&self, row: &Value) -> String {
        let (class, value) = (self.class(), plain(&row[self.name]));
        let (value, text) = (escaped(&value), escaped(&self.text(row)));
        format!("<td{class} data-value=\"{value}\">{text}</td>")
    }

    /// What people read.
    fn text(&self, row: &Value) -> String {
        let value = &row[self.name];
        match (value.as_f64(), value.as_u64()) {
            (Some(value), _) if self.name.ends_with("_s") => seconds(value),
            (_, Some(value)) if self.name.ends_with("_bytes") => human(value),
            _ => plain(value),
        }
    }
}

/// What all rows have in common, which no column repeats.
fn in_all_rows(constant: &[&Column], rows: &[Value]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let said = constant.iter().filter(|column| !first[column.name].is_null());
    let said: Vec<_> = said
        .map(|column| format!("{} {}", escaped(&column.title()), escaped(&column.text(first))))
        .collect();
    if said.is_empty() {
        String::new()
    } else {
        format!("The same in all rows: {}.", said.join(", "))
    }
}

/// A bar for each row that has parts, as long as its seconds, and what the colours stand for.
fn bars<R: Row>(results: &Results<R>) -> String {
    let bars: Vec<Bar> = results.rows.iter().filter_map(|row| row.bar()).collect();
    let Some(first) = bars.first() else { return String::new() };
    let whole = |bar: &Bar| bar.parts.iter().map(|(_, seconds)| seconds).sum::<f64>();
    let longest = bars.iter().map(whole).fold(f64::MIN_POSITIVE, f64::max);
    let swatch = |(number, (name, _)): (usize, &(&str, f64))| {
        format!("<span style=\"background:{}\"></span>{}", plot::hex(number), escaped(name))
    };
    let legend: String = first.parts.iter().enumerate().map(swatch).collect();
    let mut text = format!("<h2>{}</h2>\n<p class=\"legend\">{legend}</p>\n", escaped(R::BARS));
    for bar in &bars {
        let part = |(number, (name, spent)): (usize, &(&str, f64))| {
            let width = 100.0 * spent / longest;
            let title = escaped(&format!("{name}: {}", seconds(*spent)));
            let colour = plot::hex(number);
            format!(
                "<span style=\"width:{width:.2}%;background:{colour}\" title=\"{title}\"></span>"
            )
        };
        let parts: String = bar.parts.iter().enumerate().map(part).collect();
        let name = escaped(&format!("{}: {}", bar.name, seconds(whole(bar))));
        text += &format!("<div>{name}</div><div class=\"bar\">{parts}</div>\n");
    }
    text
}

/// A value as the table sorts it.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Seconds with three digits that count.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 1e-4 {
        format!("{:.1} µs", seconds * 1e6)
    } else if seconds < 0.1 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 10.0 {
        format!("{seconds:.2} s")
    } else {
        format!("{seconds:.1} s")
    }
}

/// Text that no reader of HTML takes for anything else.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            other => safe.push(other),
        }
    }
    safe
}

/// The command that this process was called with, as a shell takes it.
pub(crate) fn command() -> String {
    let mut arguments = std::env::args();
    let program = arguments.next().unwrap_or_default();
    // Where the program lies is nobody's business.
    let program = program.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let words = [program].into_iter().chain(arguments);
    words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./=,:^+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
