//! The page: a title, two panels and a legend.

use plotters::prelude::*;

use super::{
    legend::Legend,
    panel::Panel,
    style::{font, scaled, text, Area, Drawn, FAINT, INK, SCALE},
};

/// Size of the picture on a page.
const SIZE: (u32, u32) = (1180, 560);
/// Height of the part above the panels, with one line below the title; and of each further line.
const HEADER: u32 = 82;
const LINE: u32 = 22;

/// A picture: two panels of lines, with the meaning of colours and markers beside them. One legend
/// explains both panels, so that no label can cover a line.
pub(crate) struct Page<'a> {
    /// What is drawn.
    pub(crate) title: &'a str,
    /// Lines below it.
    pub(crate) summary: &'a [String],
    /// The panels, or words in their place.
    pub(crate) panels: Result<[Panel; 2], &'a str>,
    /// What colours and markers stand for.
    pub(crate) legend: Legend<'a>,
}

impl Page<'_> {
    /// Its SVG.
    pub(crate) fn draw(&self) -> Result<String, String> {
        let more = self.header() - HEADER;
        let (width, height) = (SIZE.0, more + SIZE.1.max(HEADER + self.legend.height()));
        let mut svg = String::new();
        let root =
            SVGBackend::with_string(&mut svg, (scaled(width), scaled(height))).into_drawing_area();
        self.fill(&root).and_then(|()| root.present()).map_err(|error| error.to_string())?;
        drop(root);
        let drawn = format!("width=\"{}\" height=\"{}\"", scaled(width), scaled(height));
        Ok(svg.replacen(&drawn, &format!("width=\"{width}\" height=\"{height}\""), 1))
    }

    /// Height of the part above the panels.
    fn header(&self) -> u32 {
        HEADER + LINE * self.summary.len().saturating_sub(1) as u32
    }

    fn fill(&self, root: &Area<'_>) -> Drawn {
        root.fill(&WHITE)?;
        let (header, body) = root.split_vertically(scaled(self.header()));
        let title = ("sans-serif", 25.0 * f64::from(SCALE)).into_font().style(FontStyle::Bold);
        header.draw(&text(self.title, (28, 20), title.color(&INK)))?;
        for (line, words) in self.summary.iter().enumerate() {
            let y = 52 + LINE as i32 * line as i32;
            header.draw(&text(words, (28, y), font(16.0, FAINT)))?;
        }
        let [left, right] = match &self.panels {
            Ok(panels) => panels,
            Err(words) => return body.draw(&text(words, (28, 20), font(19.0, INK))),
        };
        let legend = self.legend.width();
        let (panels, side) = body.split_horizontally(scaled(SIZE.0 - legend));
        let (left_area, right_area) = panels.split_horizontally(scaled((SIZE.0 - legend) / 2));
        left.draw(&left_area)?;
        right.draw(&right_area)?;
        self.legend.draw(&side)
    }
}
