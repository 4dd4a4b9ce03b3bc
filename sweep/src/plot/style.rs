//! Colours, fonts and markers, and the scale of the drawing.

use plotters::prelude::*;

/// Plotters rounds to whole pixels, so it draws larger than the page shows.
pub(super) const SCALE: u32 = 4;

/// Colours that people with any colour vision can tell apart (Okabe and Ito; grey instead of their yellow, which is
/// faint on white).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(153, 153, 153),
];
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
pub(super) const FAINT: RGBColor = RGBColor(105, 105, 105);
pub(super) const GRID: RGBColor = RGBColor(226, 226, 226);

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// The pixels of the drawing for pixels of the page.
pub(super) fn scaled(pixels: u32) -> u32 {
    pixels * SCALE
}

/// The colour of this number; there are eight, then they repeat.
pub(super) fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

/// The same colour for a page.
pub(crate) fn hex(number: usize) -> String {
    let RGBColor(red, green, blue) = colour(number);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A font whose size is in pixels of the page.
pub(super) fn font(size: f64, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size * f64::from(SCALE)).into_font().color(&colour)
}

/// Text with its upper left corner at a place on the page.
pub(super) fn text<'a>(
    words: &str,
    at: (i32, i32),
    style: TextStyle<'a>,
) -> Text<'a, (i32, i32), String> {
    let scale = SCALE as i32;
    Text::new(words.to_owned(), (at.0 * scale, at.1 * scale), style)
}

/// The marker of this number around the origin: a polygon, in pixels of the drawing.
pub(super) fn marker(number: usize) -> Vec<(i32, i32)> {
    let ring = |corners: usize, turn: f64, inner: f64| -> Vec<(i32, i32)> {
        let corner = |place: usize| {
            let angle = std::f64::consts::TAU * (place as f64 / corners as f64 + turn);
            let radius = f64::from(SCALE) * 5.0 * if place % 2 == 1 { inner } else { 1.0 };
            ((radius * angle.cos()).round() as i32, (radius * angle.sin()).round() as i32)
        };
        (0..corners).map(corner).collect()
    };
    match number % 8 {
        0 => ring(24, 0.0, 1.0),
        1 => ring(4, 0.125, 1.0),
        2 => ring(3, -0.25, 1.0),
        3 => ring(4, 0.0, 1.0),
        4 => ring(10, -0.25, 0.45),
        5 => ring(3, 0.25, 1.0),
        6 => ring(8, 0.0, 0.4),
        _ => ring(6, 0.0, 1.0),
    }
}
