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
        let test = TestCircuit::new(layout(11, &widths(4)), |ctx| {
            row = ctx.advice.len();
            let root = ctx.load_witness(own.root());
            let mut signers = PathSigners::new(root, (4, 1), LeafFormat::Names);
            let mut follow = |x: u64, way: &MemberPath| {
                let x = ctx.load_witness(Fr::from(x));
                signers.follow(ctx, x, way);
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
