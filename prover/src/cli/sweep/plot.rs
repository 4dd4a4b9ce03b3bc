//! The plot: times against the number of signers, and against the degree. A colour is a scheme and a
//! marker is a case.

use super::{data::Data, row::Row};
use crate::sweep::plot::{Legend, Page, Panel};

/// The picture of the rows that were proven.
pub(super) fn draw(summary: &str, rows: &[Row]) -> Result<String, String> {
    let data = Data::of(rows);
    let cases: Vec<String> = data.cases.iter().map(ToString::to_string).collect();
    let panels = if data.schemes.is_empty() {
        Err("No row is proven yet.")
    } else {
        Ok([by_signers(&data), by_degree(&data)])
    };
    let page = Page {
        title: "Time of a proof",
        summary,
        panels,
        legend: Legend {
            colours: ("scheme", &data.schemes),
            markers: ("signing / signers", &cases),
        },
    };
    page.draw()
}

/// Time against how many sign: a line a scheme.
fn by_signers(data: &Data) -> Panel {
    let title = "By signers, each at its fastest degree";
    Panel::new(title, "signers who sign", |x| format!("{:.0}", x.exp2()), data.by_signers())
}

/// Time against degree: a line a scheme and a case.
fn by_degree(data: &Data) -> Panel {
    let name = "degree (log₂ of the rows)";
    Panel::new("By degree", name, |x| format!("{x:.0}"), data.by_degree())
}
