//! Plots: times or sizes as lines in two panels, with the meaning of colours and markers beside them.

mod axis;
mod legend;
mod line;
mod page;
mod panel;
mod series;
mod style;

pub(crate) use legend::Legend;
pub(crate) use line::{Line, Point};
pub(crate) use page::Page;
pub(crate) use panel::Panel;
pub(crate) use series::{Kind, Series};
