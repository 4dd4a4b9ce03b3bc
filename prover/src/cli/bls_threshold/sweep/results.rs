//! What the files of a sweep of aggregations hold.

use std::cmp::Ordering;

use super::{
    plot,
    row::{Ask, Row},
    table,
};
use crate::sweep::{self, Results};

impl sweep::Row for Row {
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
        plot::draw(&results.machine.summary(), &results.rows)
    }
}

#[cfg(test)]
mod tests {
    use muster_threshold::bls::Identities;

    use super::*;
    use crate::{files::bls_threshold::SuiteName, sweep::assert_columns};

    #[test]
    fn columns_are_the_fields_of_a_row() {
        assert_columns(&Row {
            suite: SuiteName::MinSignature,
            identities: Identities::Consecutive,
            threshold: 2,
            signers: 3,
            threads: 1,
            method: "missing".into(),
            domain_s: 0.1,
            lagrange_s: 0.1,
            combination_s: 0.1,
            verification_s: 0.1,
            aggregate_s: 0.3,
            naive_lagrange_s: None,
            naive_aggregate_s: None,
            repeat: 3,
        });
    }
}
