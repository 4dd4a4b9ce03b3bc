//! Plots: times or sizes as lines in two panels, with the meaning of colours and markers beside them. One legend explains
//! both panels, so that no label can cover a line.

mod axis;
mod style;

use plotters::prelude::*;

use axis::{time_label, Axis};
pub(crate) use style::hex;
use style::{colour, font, marker, scaled, text, Area, Drawn, FAINT, GRID, INK, SCALE};

/// Size of the picture on a page.
const SIZE: (u32, u32) = (1180, 560);
/// Height of the part above the panels, with one line below the title; and of each further line.
const HEADER: u32 = 82;
const LINE: u32 = 22;

/// Room for a panel's title, around the axes, and for the labels of times and of counts.
const TITLE: u32 = 24;
const MARGIN: u32 = 12;
const TIMES: u32 = 62;
const COUNTS: u32 = 52;

/// Height of the legend's lines, where the first is, and where their text begins.
const ENTRY: i32 = 24;
const TOP: i32 = 44;
const TEXT: i32 = 34;
/// Height of a line of text, which stands on the middle of its swatch.
const HALF_TEXT: i32 = 7;
/// The legend's least width, and that of a letter.
const LEAST: usize = 200;
const LETTER: usize = 8;

/// The part of the axis that bars take where a panel has one place alone.
const BARS: f64 = 0.4;

/// What is said if there is nothing to draw.
pub(crate) const UNMEASURED: &str = "No row is measured yet.";

/// The number of which a place on an axis is the binary logarithm.
pub(crate) fn power(x: &f64) -> String {
    format!("{:.0}", x.exp2())
}

/// What a legend says, as it holds it.
pub(crate) fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// A picture.
pub struct Plot {
    /// What is drawn.
    pub(crate) title: &'static str,
    /// Lines below it and the machines.
    pub(crate) notes: &'static [&'static str],
    /// What is said if there is nothing to draw.
    pub(crate) empty: &'static str,
    pub(crate) panels: [Panel; 2],
    /// What colours stand for, and each of them.
    pub(crate) colours: (&'static str, Vec<String>),
    /// What markers stand for, and each of them.
    pub(crate) markers: (&'static str, Vec<String>),
}

/// A panel: lines over a measure of which the x axis has the logarithm, or that is one.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    /// The name of the x axis, and the label of a place on it.
    pub(crate) x: (&'static str, fn(&f64) -> String),
    /// The name of the y axis.
    pub(crate) y: &'static str,
    pub(crate) lines: Vec<Line>,
    /// Points for comparison, which no line connects.
    pub(crate) hollow: Vec<Line>,
}

/// Points of one colour, from left to right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// Number of its colour.
    pub(crate) colour: usize,
    pub(crate) points: Vec<Point>,
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    /// Place on the x axis.
    pub(crate) x: f64,
    /// Seconds, or what else the y axis is named after; the axis has the logarithm.
    pub(crate) y: f64,
    /// Number of its marker.
    pub(crate) marker: usize,
    /// The least and the greatest value of which y is the median, if they are known.
    pub(crate) spread: Option<(f64, f64)>,
}

impl Point {
    /// A point of one value.
    pub(crate) fn new(x: f64, y: f64, marker: usize) -> Self {
        Self { x, y, marker, spread: None }
    }

    /// The values that an axis must have room for.
    fn ends(self) -> [f64; 2] {
        self.spread.map_or([self.y; 2], |(least, most)| [least, most])
    }
}

/// A quantity that is measured: the number of its marker, and its value in a row, if it has one.
pub(crate) type Kind<R> = (usize, fn(&R) -> Option<f64>);

/// Rows by their names.
pub(crate) struct Groups<'a, R> {
    pub(crate) names: Vec<String>,
    /// Each with the number of its name.
    pub(crate) rows: Vec<(usize, &'a R)>,
}

impl<R> Groups<'_, R> {
    /// A line for each group, which has its colour, and kind, over `x`. Values without a logarithm are left out.
    pub(crate) fn lines(&self, x: fn(&R) -> f64, kinds: &[Kind<R>]) -> Vec<Line> {
        let line = |colour: usize, (marker, value): &Kind<R>| {
            let own = self.rows.iter().filter(|(place, _)| *place == colour);
            let point = |row: &R| {
                let y = value(row).filter(|value| *value > 0.0)?;
                Some(Point::new(x(row), y, *marker))
            };
            let mut points: Vec<Point> = own.filter_map(|(_, row)| point(row)).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Line { colour, points }
        };
        let colours = 0..self.names.len();
        colours.flat_map(|colour| kinds.iter().map(move |kind| line(colour, kind))).collect()
    }
}

impl Plot {
    /// Its SVG, with the `machines` below the title.
    pub(crate) fn draw(&self, machines: &[String]) -> Result<String, String> {
        let summary = machines.iter().map(String::as_str).chain(self.notes.iter().copied());
        let summary: Vec<&str> = summary.collect();
        let more = LINE * summary.len().saturating_sub(1) as u32;
        let entries = self.colours.1.len() + self.markers.1.len() + 4;
        let legend = TOP as u32 + ENTRY as u32 * entries as u32;
        let (width, height) = (SIZE.0, more + SIZE.1.max(HEADER + legend));
        let mut svg = String::new();
        let root =
            SVGBackend::with_string(&mut svg, (scaled(width), scaled(height))).into_drawing_area();
        let drawn = self.fill(&root, &summary, HEADER + more);
        drawn.and_then(|()| root.present()).map_err(|error| error.to_string())?;
        drop(root);
        let drawn = format!("width=\"{}\" height=\"{}\"", scaled(width), scaled(height));
        Ok(svg.replacen(&drawn, &format!("width=\"{width}\" height=\"{height}\""), 1))
    }

    fn fill(&self, root: &Area<'_>, summary: &[&str], head: u32) -> Drawn {
        root.fill(&WHITE)?;
        let (header, body) = root.split_vertically(scaled(head));
        let title = ("sans-serif", 25.0 * f64::from(SCALE)).into_font().style(FontStyle::Bold);
        header.draw(&text(self.title, (28, 20), title.color(&INK)))?;
        for (line, words) in summary.iter().enumerate() {
            let y = 52 + LINE as i32 * line as i32;
            header.draw(&text(words, (28, y), font(16.0, FAINT)))?;
        }
        if self.panels.iter().any(|panel| panel.lines.iter().all(|line| line.points.is_empty())) {
            return body.draw(&text(self.empty, (28, 20), font(19.0, INK)));
        }
        let letters = self.colours.1.iter().chain(&self.markers.1).map(|name| name.chars().count());
        let legend = LEAST.max(TEXT as usize + LETTER * (letters.max().unwrap_or(0) + 1)) as u32;
        let (panels, side) = body.split_horizontally(scaled(SIZE.0 - legend));
        let (left, right) = panels.split_horizontally(scaled((SIZE.0 - legend) / 2));
        self.panels[0].draw(&left)?;
        self.panels[1].draw(&right)?;
        self.draw_legend(&side)
    }

    fn draw_legend(&self, area: &Area<'_>) -> Drawn {
        let say = |words: &str, (x, y): (i32, i32), style| {
            area.draw(&text(words, (x, y - HALF_TEXT), style))
        };
        let (end, scale) = (TEXT - 10, SCALE as i32);
        let mut y = TOP;
        say(self.colours.0, (0, y), font(15.0, FAINT))?;
        for (number, name) in self.colours.1.iter().enumerate() {
            y += ENTRY;
            let swatch = vec![(0, y * scale), (end * scale, y * scale)];
            area.draw(&PathElement::new(swatch, colour(number).stroke_width(scaled(3))))?;
            say(name, (TEXT, y), font(16.0, INK))?;
        }
        y += ENTRY + ENTRY / 2;
        say(self.markers.0, (0, y), font(15.0, FAINT))?;
        for (number, name) in self.markers.1.iter().enumerate() {
            y += ENTRY;
            let corners = marker(number).into_iter();
            let corners = corners.map(|(right, down)| (end / 2 * scale + right, y * scale + down));
            area.draw(&Polygon::new(corners.collect::<Vec<_>>(), INK.filled()))?;
            say(name, (TEXT, y), font(16.0, INK))?;
        }
        Ok(())
    }
}

impl Panel {
    /// Seconds over places of which `label` makes text.
    pub(crate) fn new(
        title: &'static str,
        x: &'static str,
        label: fn(&f64) -> String,
        lines: Vec<Line>,
    ) -> Self {
        Self { title, x: (x, label), y: "seconds", lines, hollow: vec![] }
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        let (head, body) = area.split_vertically(scaled(TITLE));
        head.draw(&text(self.title, ((MARGIN + TIMES) as i32, 6), font(18.0, INK)))?;
        let points = self.lines.iter().chain(&self.hollow).flat_map(|line| &line.points);
        let x = Axis::counts(points.clone().map(|point| point.x));
        let y = Axis::times(points.flat_map(|point| point.ends()));
        let (floor, is_alone) = (y.low, x.ticks.len() == 1);
        let mut chart = ChartBuilder::on(&body)
            .margin(scaled(MARGIN))
            .x_label_area_size(scaled(COUNTS))
            .y_label_area_size(scaled(TIMES))
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .bold_line_style(GRID.stroke_width(scaled(1)))
            .light_line_style(TRANSPARENT)
            .axis_style(FAINT.stroke_width(scaled(1)))
            .set_all_tick_mark_size(scaled(5))
            .label_style(font(16.0, INK))
            .axis_desc_style(font(17.0, INK))
            .x_desc(self.x.0)
            .y_desc(format!("{} (logarithmic)", self.y))
            .x_label_formatter(&self.x.1)
            .y_label_formatter(&|y| time_label(*y))
            .draw()?;
        let at = |point: &Point| (point.x, point.y.log10());
        for line in &self.hollow {
            let stroke = colour(line.colour).stroke_width(scaled(1));
            chart.draw_series(line.points.iter().map(|point| {
                let mut corners = marker(point.marker);
                let first = corners.first().copied();
                corners.extend(first);
                EmptyElement::at(at(point)) + PathElement::new(corners, stroke)
            }))?;
        }
        if is_alone {
            // A dot in an empty panel says less than a bar.
            let (count, points) = (self.lines.len() as f64, self.lines.iter().enumerate());
            return chart
                .draw_series(points.flat_map(|(place, line)| {
                    let left = BARS * (place as f64 / count - 0.5);
                    let colour = colour(line.colour).filled();
                    line.points.iter().map(move |point| {
                        let (x, y) = at(point);
                        let [left, right] = [left, left + 0.8 * BARS / count].map(|side| x + side);
                        Rectangle::new([(left, floor), (right, y)], colour)
                    })
                }))
                .map(|_| ());
        }
        for line in &self.lines {
            let colour = colour(line.colour);
            let stroke = colour.stroke_width(scaled(2));
            let spreads = line.points.iter().filter_map(|point| Some((point.x, point.spread?)));
            chart.draw_series(spreads.map(|(x, (least, most))| {
                PathElement::new(
                    [least, most].map(|y| (x, y.log10())).to_vec(),
                    colour.stroke_width(scaled(1)),
                )
            }))?;
            chart.draw_series(LineSeries::new(line.points.iter().map(at), stroke))?;
            chart.draw_series(line.points.iter().map(|point| {
                EmptyElement::at(at(point)) + Polygon::new(marker(point.marker), colour.filled())
            }))?;
        }
        Ok(())
    }
}
