//! One panel: axes, lines and markers.

use plotters::prelude::*;

use super::{
    axis::{time_label, Axis},
    line::{Line, Point},
    style::{colour, font, marker, scaled, text, Area, Drawn, FAINT, GRID, INK},
};

/// Room for the title, around the axes, and for the labels of times and of counts.
const TITLE: u32 = 24;
const MARGIN: u32 = 12;
const TIMES: u32 = 62;
const COUNTS: u32 = 52;

/// A panel.
pub(crate) struct Panel {
    title: &'static str,
    x_name: &'static str,
    x_label: fn(&f64) -> String,
    x: Axis,
    y: Axis,
    y_name: &'static str,
    lines: Vec<Line>,
    /// Points for comparison, which no line connects.
    hollow: Vec<Line>,
}

impl Panel {
    /// Lines over a base-2 logarithm.
    pub(crate) fn new(
        title: &'static str,
        x_name: &'static str,
        x_label: fn(&f64) -> String,
        lines: Vec<Line>,
    ) -> Self {
        let (x, y) = axes(lines.iter());
        Self { title, x_name, x_label, x, y, y_name: "seconds", lines, hollow: vec![] }
    }

    /// Also with hollow points.
    pub(crate) fn hollow(mut self, points: Vec<Line>) -> Self {
        (self.x, self.y) = axes(self.lines.iter().chain(&points));
        self.hollow = points;
        self
    }

    /// The same for something other than seconds.
    pub(crate) fn in_units_of(mut self, name: &'static str) -> Self {
        self.y_name = name;
        self
    }

    /// Draws it.
    pub(super) fn draw(&self, area: &Area<'_>) -> Drawn {
        let (head, body) = area.split_vertically(scaled(TITLE));
        head.draw(&text(self.title, ((MARGIN + TIMES) as i32, 6), font(18.0, INK)))?;
        let mut chart = ChartBuilder::on(&body)
            .margin(scaled(MARGIN))
            .x_label_area_size(scaled(COUNTS))
            .y_label_area_size(scaled(TIMES))
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        chart
            .configure_mesh()
            .bold_line_style(GRID.stroke_width(scaled(1)))
            .light_line_style(TRANSPARENT)
            .axis_style(FAINT.stroke_width(scaled(1)))
            .set_all_tick_mark_size(scaled(5))
            .label_style(font(16.0, INK))
            .axis_desc_style(font(17.0, INK))
            .x_desc(self.x_name)
            .y_desc(self.y_name)
            .x_label_formatter(&self.x_label)
            .y_label_formatter(&|y| time_label(*y))
            .draw()?;
        let at = |point: &Point| (point.x, point.seconds.log10());
        for line in &self.hollow {
            let stroke = colour(line.colour).stroke_width(scaled(1));
            chart.draw_series(line.points.iter().map(|point| {
                let mut corners = marker(point.marker);
                let first = corners.first().copied();
                corners.extend(first);
                EmptyElement::at(at(point)) + PathElement::new(corners, stroke)
            }))?;
        }
        for line in &self.lines {
            let colour = colour(line.colour);
            let stroke = colour.stroke_width(scaled(2));
            chart.draw_series(LineSeries::new(line.points.iter().map(at), stroke))?;
            chart.draw_series(line.points.iter().map(|point| {
                EmptyElement::at(at(point)) + Polygon::new(marker(point.marker), colour.filled())
            }))?;
        }
        Ok(())
    }
}

/// Axes that span all points.
fn axes<'a>(lines: impl Iterator<Item = &'a Line> + Clone) -> (Axis, Axis) {
    let points = lines.flat_map(|line| &line.points);
    (
        Axis::counts(points.clone().map(|point| point.x)),
        Axis::times(points.map(|point| point.seconds)),
    )
}
