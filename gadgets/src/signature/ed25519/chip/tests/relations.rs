//! Every relation of a batch, rewritten with all that follows.

use super::*;

const FILES: &str = "src/signature/";

fn bound(range_bits: usize, count: usize, rule: Acceptance) -> TestCircuit {
    let mut rng = ChaCha20Rng::seed_from_u64(31);
    let items: Vec<_> = (0..count).map(|_| signed(&mut rng)).collect();
    let layout = foreign_layout(15, range_bits);
    let test = batch(layout, rule, &items, |ctx, keys, signatures, digests| {
        let verdict = assert_verify_all(ctx, keys, signatures, digests);
        assert_eq!(verdict, Ok(()));
    });
    test.expect("points")
}

#[test]
fn what_ed25519_relates_is_bound() {
    for (count, rule) in [(1, Acceptance::Zip215), (2, Acceptance::Strict)] {
        bound(13, count, rule).assert_relations_are_bound(FILES);
    }
}

#[test]
fn what_ed25519_relates_in_shorter_limbs_is_bound() {
    bound(10, 2, Acceptance::Rfc8032).assert_relations_are_bound(FILES);
}

/// Cells of the vertical gate: all are bound, but those that another gate computes or takes.
#[test]
fn sums_of_limbs_and_digits_are_determined() {
    for (count, rule) in [(1, Acceptance::Strict), (2, Acceptance::Zip215)] {
        assert_eq!(bound(13, count, rule).free_values(), [], "{count}");
    }
}
