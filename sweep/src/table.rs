//! Aligned text on the terminal.

/// Lines below each other, each with its cells and text after them. The columns `words` are aligned to the left, those
/// of numbers to the right. A line may have fewer cells than the first one.
pub fn align(lines: &[(Vec<String>, String)], words: &[usize]) -> String {
    let columns = lines.first().map_or(0, |(cells, _)| cells.len());
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|(cells, _)| cells.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (cells, rest) in lines {
        let mut line = String::new();
        for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            line += &if words.contains(&column) {
                format!("{cell:<width$}  ")
            } else {
                format!("{cell:>width$}  ")
            };
        }
        line += rest;
        text += line.trim_end();
        text.push('\n');
    }
    text
}
