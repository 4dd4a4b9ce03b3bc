//! The plots: times against the number of signers, and against the degree. A colour is a scheme and a
//! marker is a case.
//! And the phases of a proof, each in a colour, against the degree: a marker is a scheme and a case.

use super::{
    data::{Data, PhaseData},
    phases::Phases,
    row::Row,
};
use crate::{
    plot::{Legend, Page, Panel},
    Results,
};

/// The picture of the rows that were proven.
pub(super) fn draw(results: &Results<Row>) -> Result<String, String> {
    let data = Data::of(results);
    let cases: Vec<String> = data.cases.iter().map(ToString::to_string).collect();
    let panels = if data.schemes.is_empty() {
        Err("No row is proven yet.")
    } else {
        Ok([by_signers(&data), by_degree(&data)])
    };
    let page = Page {
        title: "Time of a proof",
        summary: &results.summaries(),
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

/// The picture of where the time of proofs goes.
pub(super) fn draw_phases(results: &Results<Row>) -> Result<String, String> {
    let data = PhaseData::of(results);
    let phases = Phases::FIELDS.map(|(name, _)| name.to_owned());
    let panels =
        if data.names.is_empty() { Err("No row is proven yet.") } else { Ok(phase_panels(&data)) };
    let page = Page {
        title: "Phases of a proof",
        summary: &results.summaries(),
        panels,
        legend: Legend {
            colours: ("phase", &phases),
            markers: ("scheme, signing / signers", &data.names),
        },
    };
    page.draw()
}

/// Seconds, and shares, against the degree: a line a phase, a scheme and a case.
fn phase_panels(data: &PhaseData) -> [Panel; 2] {
    let label: fn(&f64) -> String = |x| format!("{x:.0}");
    let name = "degree (log₂ of the rows)";
    let shares = Panel::new("Share", name, label, data.shares()).in_units_of("percent");
    [Panel::new("Time", name, label, data.times()), shares]
}
