//! What the files of a sweep of aggregations hold.

use std::cmp::Ordering;

use super::{
    plot,
    row::{Ask, Row},
    table,
};
use crate::Results;

impl crate::Row for Row {
    const COLUMNS: &'static [&'static str] = &[
        "suite",
        "identities",
        "threshold",
        "signers",
        "threads",
        "method",
        "domain_s",
        "lagrange_s",
        "combination_s",
        "verification_s",
        "aggregate_s",
        "naive_lagrange_s",
        "naive_aggregate_s",
        "repeat",
    ];
    type Ask = Ask;

    fn ask(&self) -> Ask {
        let Self { suite, identities, threshold, threads, .. } = *self;
        Ask { suite, identities, threshold, threads }
    }

    fn outcome(&self) -> String {
        table::outcome(self)
    }

    fn order(&self, other: &Self) -> Ordering {
        let key = |row: &Self| (row.suite.name(), row.identities.name(), row.threshold);
        key(self).cmp(&key(other))
    }

    fn draw(results: &Results<Self>) -> Result<String, String> {
        plot::draw(results)
    }
}
