//! Signers whose paths lead elsewhere.

use super::{super::super::signers::PathSigners, *};

/// A signer with a weight whose path leads to another root, alone and behind one whose path leads to the right one, and
/// whatever could make up for it.
#[test]
fn a_path_that_leads_elsewhere_counts_for_nothing() {
    let [leaves, others] = [leaves(4), leaves(5)];
    let [own, other] = [tree(&leaves, 4, 1), tree(&others[1..], 4, 1)];
    for is_behind in [false, true] {
        let mut row = 0;
        let test = TestCircuit::new(layout(11, &widths(4)), |ctx, chips| {
            row = ctx.advice.len();
            let root = ctx.load_witness(own.root());
            let mut signers = PathSigners::new(root, (4, 1));
            let mut follow = |x: u64, way: &MemberPath| {
                let x = ctx.load_witness(Fr::from(x));
                signers.follow(ctx, chips, x, way);
            };
            if is_behind {
                follow(106, &member(&leaves, &own, 6));
            }
            follow(113, &member(&others[1..], &other, 9));
        });
        let walk = test.walk([row]);
        assert!(walk.sums >= 2 && walk.copies >= 4, "{walk:?}");
    }
}

/// The name of all who weigh nothing.
const UNUSED: u64 = 77;

/// Signers who have these names and weigh so much, of whom those who weigh nothing have one name; and the rows of what is
/// claimed: the root and their names.
fn named(signers: &[(u64, u64)]) -> (TestCircuit, Vec<usize>) {
    let leaves = leaves(4);
    let own = tree(&leaves, 4, 1);
    let mut claims = vec![];
    let test = TestCircuit::new(layout(11, &widths(4)), |ctx, chips| {
        claims.push(ctx.advice.len());
        let root = ctx.load_witness(own.root());
        let mut all = PathSigners::new(root, (4, 1)).unused_named(Some(Fr::from(UNUSED)));
        for (name, weight) in signers {
            claims.push(ctx.advice.len());
            let x = ctx.load_witness(Fr::from(*name));
            // The weight of a member is its number.
            let mut way = member(&leaves, &own, *weight as usize);
            way.leaf.x[way.position] = *x.value();
            all.follow(ctx, chips, x, &way);
        }
    });
    (test, claims)
}

#[test]
fn signers_who_weigh_nothing_have_one_name() {
    let others = [(UNUSED, 0), (105, 5), (UNUSED, 0)];
    named(&others).0.assert_satisfied();
    for other in [UNUSED + 1, 0, 100, 105] {
        for before in [0, 2, 3] {
            let signers = [&others[..before], &[(other, 0)]].concat();
            let (test, claims) = named(&signers);
            assert!(!test.is_satisfied());
            let walk = test.walk(claims);
            assert!(walk.sums >= 1 && walk.copies >= 2, "{walk:?}");
        }
    }
}
