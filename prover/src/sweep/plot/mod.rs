//! `results.svg`: times as lines in two panels, for a sweep of proofs against signers and against degree.
//!
//! A colour is a scheme and a marker is a case (or what else a [`Page`] says), in both panels; one legend beside them explains
//! both, so that no label can cover a line.

mod axis;
pub(crate) mod data;
mod legend;
mod panel;

use plotters::prelude::*;

use self::data::Data;
pub(crate) use self::panel::Panel;
use super::results::Results;

/// Size of the picture in a page.
const SIZE: (u32, u32) = (1180, 560);
/// Plotters rounds to whole pixels, so it draws larger than the page shows.
const SCALE: u32 = 4;
const HEADER: u32 = 82;
const LEGEND: u32 = 200;

/// Colours that people with any colour vision tell apart (Okabe and Ito; grey for their yellow, which is faint on
/// white).
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
const INK: RGBColor = RGBColor(34, 34, 34);
const FAINT: RGBColor = RGBColor(105, 105, 105);
const GRID: RGBColor = RGBColor(226, 226, 226);

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// A picture: two panels of lines, with the meaning of colours and markers beside them.
pub(crate) struct Page<'a> {
    /// What is drawn.
    pub(crate) title: &'a str,
    /// A line below it.
    pub(crate) summary: &'a str,
    /// The panels, or words in their place.
    pub(crate) panels: Result<[Panel; 2], &'a str>,
    /// What colours stand for, and each of them.
    pub(crate) colours: (&'a str, &'a [String]),
    /// What markers stand for, and each of them.
    pub(crate) markers: (&'a str, &'a [String]),
}

/// The picture of the rows that were proven.
pub(crate) fn draw(results: &Results) -> Result<String, String> {
    let data = Data::of(&results.rows);
    let cases: Vec<String> = data.cases.iter().map(ToString::to_string).collect();
    let panels = match data.schemes.is_empty() {
        true => Err("No row is proven yet."),
        false => Ok([Panel::by_signers(&data), Panel::by_degree(&data)]),
    };
    let page = Page {
        title: "Time of a proof",
        summary: &results.machine.summary(),
        panels,
        colours: ("scheme", &data.schemes),
        markers: ("signing / signers", &cases),
    };
    page.draw()
}

impl Page<'_> {
    /// Its SVG.
    pub(crate) fn draw(&self) -> Result<String, String> {
        let (width, height) = (SIZE.0, SIZE.1.max(HEADER + legend::height(self)));
        let mut svg = String::new();
        let root =
            SVGBackend::with_string(&mut svg, (scaled(width), scaled(height))).into_drawing_area();
        self.fill(&root).and_then(|()| root.present()).map_err(|error| error.to_string())?;
        drop(root);
        let drawn = format!("width=\"{}\" height=\"{}\"", scaled(width), scaled(height));
        Ok(svg.replacen(&drawn, &format!("width=\"{width}\" height=\"{height}\""), 1))
    }

    fn fill(&self, root: &Area<'_>) -> Drawn {
        root.fill(&WHITE)?;
        let (header, body) = root.split_vertically(scaled(HEADER));
        let title = ("sans-serif", 25.0 * f64::from(SCALE)).into_font().style(FontStyle::Bold);
        header.draw(&text(self.title, (28, 20), title.color(&INK)))?;
        header.draw(&text(self.summary, (28, 52), font(16.0, FAINT)))?;
        let [left, right] = match &self.panels {
            Ok(panels) => panels,
            Err(words) => return body.draw(&text(words, (28, 20), font(19.0, INK))),
        };
        let (panels, side) = body.split_horizontally(scaled(SIZE.0 - LEGEND));
        let (left_area, right_area) = panels.split_horizontally(scaled((SIZE.0 - LEGEND) / 2));
        left.draw(&left_area)?;
        right.draw(&right_area)?;
        legend::draw(&side, self)
    }
}

fn scaled(pixels: u32) -> u32 {
    pixels * SCALE
}

fn colour(scheme: usize) -> RGBColor {
    COLOURS[scheme % COLOURS.len()]
}

/// A font whose size is in pixels of the page.
fn font(size: f64, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size * f64::from(SCALE)).into_font().color(&colour)
}

/// Text whose upper left corner is at a place of the page.
fn text<'a>(words: &str, at: (i32, i32), style: TextStyle<'a>) -> Text<'a, (i32, i32), String> {
    let scale = SCALE as i32;
    Text::new(words.to_owned(), (at.0 * scale, at.1 * scale), style)
}

/// The marker of a case around the origin: a polygon, in pixels of the drawing.
fn marker(case: usize) -> Vec<(i32, i32)> {
    let ring = |corners: usize, turn: f64, inner: f64| -> Vec<(i32, i32)> {
        let corner = |number: usize| {
            let angle = std::f64::consts::TAU * (number as f64 / corners as f64 + turn);
            let radius = f64::from(SCALE) * 5.0 * if number % 2 == 1 { inner } else { 1.0 };
            ((radius * angle.cos()).round() as i32, (radius * angle.sin()).round() as i32)
        };
        (0..corners).map(corner).collect()
    };
    match case % 8 {
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
