//! What bounds leave out is never the best.

#![allow(clippy::unwrap_used)]

use muster_testing::sampled;

use super::*;
use crate::{KeyKind, Scheme};

/// Circuits with relations, some of which leave a choice of mode to the bounds.
fn requests() -> Vec<Request> {
    let all = Scheme::ALL.iter().map(|&scheme| Request::new(scheme, 4, 2));
    let addresses = Request::new(Scheme::EcdsaSecp256k1, 12, 3);
    let wide = Request { arity: 16, ..Request::new(Scheme::EcdsaP256, 300, 2) };
    let absent = Request { absent: Some(3), ..Request::new(Scheme::BlsBn254, 40, 37) };
    let more = [Request { keys: KeyKind::Address, ..addresses }, wide, absent];
    let planned = |request: &Request| !Planner::new(request).unwrap().lookups.is_empty();
    all.chain(more).filter(planned).collect()
}

#[test]
fn the_best_shape_is_that_of_all_degrees() {
    for request in sampled(requests(), 8) {
        let planner = Planner::new(&request).unwrap();
        let all: Vec<_> = planner.degrees().filter_map(|degree| planner.at(degree)).collect();
        let best = choose(all);
        assert_eq!(Shape::plan(&request).ok(), best, "{request:?}");
        // And so it is when it is asked for again.
        let fitted = || Shape::fit(&request).ok();
        assert_eq!((fitted(), fitted()), (best.clone(), best), "{request:?}");
    }
}

#[test]
fn relations_are_as_many_in_all_modes_and_for_all_lookups() {
    for request in sampled(requests(), 8) {
        let planner = Planner::new(&request).unwrap();
        let relations = planner.relations().unwrap();
        for mode in planner.modes.clone() {
            for Lookup { bits, limbs, rows } in planner.lookups.clone() {
                let membership = planner.memberships(mode)[0];
                let open = planner.open(20, membership, bits, Some(limbs));
                assert_eq!(planner.usage(&open).foreign_rows[0], relations * rows, "{request:?}");
            }
        }
    }
}
