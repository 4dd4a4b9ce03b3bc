use super::*;

fn assert_accepted(case: &Case) {
    assert!(case.is_valid());
    let circuit = fill(&case.shape, &case.inputs());
    let public = vec![case.statement.public_inputs().to_vec()];
    let prover = MockProver::run(case.shape.degree(), &circuit, public).expect("the rows fit");
    prover.assert_satisfied();
}

#[test]
fn all_schemes_and_modes() {
    for scheme in EMBEDDED {
        for mode in [Mode::WholeSet, Mode::Path] {
            assert_accepted(&case(&request(scheme, 6, 4, mode), &[0, 2, 5, 4], 1));
            // Slots that are not used count for nothing.
            assert_accepted(&case(&request(scheme, 6, 4, mode), &[3], 2));
        }
    }
}

/// Lists of keys that end in each place of a block, with and without blocks that are not used.
#[test]
fn aggregates_of_all_sizes() {
    let wanted = request(Scheme::Musig, 11, 10, Mode::WholeSet);
    for count in 1..=10 {
        let signers: Vec<_> = (1..=count).collect();
        assert_accepted(&case(&wanted, &signers, 6));
    }
    // Other numbers of slots make the same list, and the same signature.
    for slots in [2, 4, 6] {
        let wanted = request(Scheme::Musig, 11, slots, Mode::Path);
        assert_accepted(&case(&wanted, &[7, 2], 6));
    }
}

#[test]
fn leaves_that_are_not_full() {
    for scheme in EMBEDDED {
        for mode in [Mode::WholeSet, Mode::Path] {
            for capacity in [1, 5, 7] {
                assert_accepted(&case(&request(scheme, capacity, 2, mode), &[capacity - 1], 8));
            }
        }
    }
}

#[test]
fn more_lanes() {
    // At 2^10 rows eight signatures need two lanes.
    let wanted = Request { degree: Some(10), ..request(Scheme::Schnorr, 9, 7, Mode::WholeSet) };
    let case = case(&wanted, &[1, 2, 3, 5, 7, 8], 3);
    assert!(case.shape.layout.edwards_lanes > 1);
    assert_accepted(&case);
}

#[test]
fn other_arities() {
    for arity in [2, 4, 8, 16] {
        for mode in [Mode::WholeSet, Mode::Path] {
            let degree = Some(11);
            let wanted = Request { arity, degree, ..request(Scheme::Schnorr, 5, 2, mode) };
            assert_accepted(&case(&wanted, &[4, 1], 4));
        }
    }
}

#[test]
fn a_deeper_tree_than_needed() {
    for mode in [Mode::WholeSet, Mode::Path] {
        let wanted = Request { depth: Some(32), ..request(Scheme::Schnorr, 3, 2, mode) };
        assert_accepted(&case(&wanted, &[0, 2], 5));
    }
}
