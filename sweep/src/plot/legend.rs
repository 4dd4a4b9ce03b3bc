//! The legend: what colours and markers stand for.

use plotters::prelude::*;

use super::style::{colour, font, marker, scaled, text, Area, Drawn, FAINT, INK, SCALE};

const LINE: i32 = 24;
const TOP: i32 = 44;
const TEXT: i32 = 34;
/// Height of a line of text, which stands on the middle of its swatch.
const HALF_TEXT: i32 = 7;
/// The least width, and that of a letter.
const LEAST: usize = 200;
const LETTER: usize = 8;

/// What colours and markers stand for.
pub(crate) struct Legend<'a> {
    /// What colours stand for, and each of them.
    pub(crate) colours: (&'a str, &'a [String]),
    /// What markers stand for, and each of them.
    pub(crate) markers: (&'a str, &'a [String]),
}

impl Legend<'_> {
    /// The height that it needs.
    pub(super) fn height(&self) -> u32 {
        let lines = self.colours.1.len() + self.markers.1.len() + 4;
        TOP as u32 + LINE as u32 * lines as u32
    }

    /// The width that it needs.
    pub(super) fn width(&self) -> u32 {
        let names = self.colours.1.iter().chain(self.markers.1);
        let letters = names.map(|name| name.chars().count()).max().unwrap_or(0);
        LEAST.max(TEXT as usize + LETTER * (letters + 1)) as u32
    }

    /// Draws it.
    pub(super) fn draw(&self, area: &Area<'_>) -> Drawn {
        let scale = SCALE as i32;
        let mut y = TOP;
        heading(area, self.colours.0, &mut y)?;
        for (number, name) in self.colours.1.iter().enumerate() {
            let stroke = colour(number).stroke_width(scaled(3));
            let swatch = vec![(0, y * scale), ((TEXT - 10) * scale, y * scale)];
            area.draw(&PathElement::new(swatch, stroke))?;
            entry(area, name, &mut y)?;
        }
        y += LINE / 2;
        heading(area, self.markers.0, &mut y)?;
        for (number, name) in self.markers.1.iter().enumerate() {
            let centre = ((TEXT - 10) / 2 * scale, y * scale);
            let corners = marker(number).into_iter().map(|(x, y)| (centre.0 + x, centre.1 + y));
            area.draw(&Polygon::new(corners.collect::<Vec<_>>(), INK.filled()))?;
            entry(area, name, &mut y)?;
        }
        Ok(())
    }
}

fn heading(area: &Area<'_>, words: &str, y: &mut i32) -> Drawn {
    area.draw(&text(words, (0, *y - HALF_TEXT), font(15.0, FAINT)))?;
    *y += LINE;
    Ok(())
}

fn entry(area: &Area<'_>, words: &str, y: &mut i32) -> Drawn {
    area.draw(&text(words, (TEXT, *y - HALF_TEXT), font(16.0, INK)))?;
    *y += LINE;
    Ok(())
}
