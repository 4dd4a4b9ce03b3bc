//! What the files of a sweep of FROST hold.

use super::{
    plot,
    row::{Ask, Row},
    table,
};
use crate::Results;

impl crate::Row for Row {
    const FILES: &'static str = "frost";
    const COLUMNS: &'static [&'static str] = &[
        "suite",
        "threshold",
        "signers",
        "keygen_ms",
        "round1_ms",
        "round2_ms",
        "aggregate_frost_core_ms",
        "aggregate_ms",
        "aggregate_encoding_ms",
        "cheater_frost_core_ms",
        "cheater_one_by_one_ms",
        "cheater_ms",
    ];
    type Ask = Ask;

    fn ask(&self) -> Ask {
        Ask { suite: self.suite, threshold: self.threshold, signers: self.signers }
    }

    fn outcome(&self) -> String {
        table::outcome(self)
    }

    fn draw(results: &Results<Self>) -> Result<String, String> {
        plot::draw(results)
    }
}
