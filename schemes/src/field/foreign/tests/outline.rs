//! Relations as bounds see them.

use num_bigint::BigInt;
use proptest::prelude::*;

use super::{
    super::{relation::Operands, *},
    bn254, secp256k1,
};

/// Operands of a relation, of any range each.
const OPERANDS: usize = 6;

fn relations() -> impl Strategy<Value = Relation> {
    let operands = prop_oneof![
        (0..OPERANDS, 0..OPERANDS).prop_map(|(a, b)| Operands::Product(a, b)),
        (0..OPERANDS).prop_map(Operands::Linear),
    ];
    let terms = prop::collection::vec((-4i64..=4, operands), 1..12);
    (terms, any::<i64>())
        .prop_map(|(terms, constant)| Relation { terms, constant: BigInt::from(constant) })
}

fn ranges() -> impl Strategy<Value = Vec<Range>> {
    let kinds = prop::sample::select(vec![Range::Element, Range::Signed, Range::Near]);
    prop::collection::vec(kinds, OPERANDS)
}

proptest! {
    /// The same checks in all formats, or the same reason why there are none.
    #[test]
    fn an_outline_has_the_same_checks(relation in relations(), ranges in ranges()) {
        let sought = Sought { modulo: secp256k1(), relation, ranges };
        let outline = sought.clone().outlined();
        prop_assert!(outline.relation.terms.len() <= sought.relation.terms.len());
        for format in Format::all(&bn254(), 256, 16) {
            let format = format.with_modulus(&sought.modulo);
            let checks = |sought: &Sought<_>| sought.relation.checks(&format, &sought.ranges);
            prop_assert_eq!(checks(&sought), checks(&outline));
        }
    }
}

/// Operands by other numbers, in other terms and in another order make no other relation.
#[test]
fn relations_that_read_other_operands_are_one() {
    let outline = |terms: &[(i64, Operands)]| {
        let relation = Relation { terms: terms.to_vec(), constant: BigInt::from(7) };
        Sought { modulo: (), relation, ranges: vec![Range::Element; 4] }.outlined()
    };
    let (first, second) = (Operands::Product(0, 1), Operands::Product(2, 3));
    let twice = outline(&[(2, first), (-1, Operands::Linear(2))]);
    assert_eq!(outline(&[(-1, Operands::Linear(0)), (1, second), (1, first)]), twice);
    assert_ne!(outline(&[(1, first), (-1, Operands::Linear(2))]), twice);
    assert_ne!(outline(&[(2, first), (1, Operands::Linear(2))]), twice);
}
