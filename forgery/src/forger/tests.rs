use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};

use super::super::testing::{layout, TestCircuit};
use muster_gates::chain;

const RANGE: usize = 6;
const VERTICAL: usize = 7;

/// A sum that is range-checked: what follows from its start goes on from the vertical gate to the running sum.
#[test]
fn what_follows_goes_from_gate_to_gate() {
    let mut test = TestCircuit::new(layout(9, &[]), |ctx| {
        let terms = [3, 5].map(|c| [c, c + 1].map(|c| QuantumCell::Witness(Fr::from(c))).into());
        let sum = chain::sum(ctx, QuantumCell::Constant(Fr::from(1000)), &terms);
        ctx.range.check(sum, 24);
    });
    let forger = test.forger();
    let forged = forger.rewrite(&[((VERTICAL, 0), Fr::from(2000))]);
    let places: Vec<_> = forged.iter().map(|forged| (forged.column, forged.row)).collect();
    let expected = [(RANGE, 0), (RANGE, 1), (VERTICAL, 0), (VERTICAL, 3), (VERTICAL, 6)];
    assert_eq!(places, expected);
    assert_eq!(forged[0].value, Fr::from(2000 + 12 + 30));
    test.assert_only_copies_refuse(&forger, "the start", &[((VERTICAL, 0), Fr::from(2000))]);
}
