//! Honest dealings, changed ones, and the known attack.

use super::*;
use rand::{rngs::StdRng, SeedableRng};

fn setup(rng: &mut StdRng) -> Setup {
    Setup::new(Shape { players: 4, threshold: 3, chunk_bits: 16 }, rng).0
}

#[test]
fn honest_dealings_pass_and_changed_ones_do_not() {
    let mut rng = StdRng::seed_from_u64(1);
    let setup = setup(&mut rng);
    let good = setup.deal(&setup.witness(&mut rng), &mut rng);
    assert!(setup.verify(&good));
    let mut bad = good.clone();
    bad.ciphertexts[3] = bad.ciphertexts[4];
    assert!(!setup.verify(&bad));
    let mut bad = good.clone();
    bad.answers[0] += 1;
    assert!(!setup.verify(&bad));
    let mut bad = good.clone();
    bad.sharing_answers[1] += Fr::ONE;
    assert!(!setup.verify(&bad));
    let mut bad = good;
    bad.shares.swap(0, 1);
    assert!(!setup.verify(&bad));
}

/// The known attack: one chunk of (Z − 1 − S)/(E − 1) and no masks pass.
#[test]
fn a_chunk_far_out_of_range_passes() {
    let mut rng = StdRng::seed_from_u64(2);
    let setup = setup(&mut rng);
    let chunk = setup.shape.largest_chunk();
    assert!(chunk > 1 << 20, "far beyond the 16 bits of a chunk: {chunk}");
    // All shares are the same scalar, so that any chunks of it are on a polynomial of degree 0.
    let mut own = vec![0u128; setup.shape.chunks()];
    own[0] = chunk;
    let value = wide(chunk);
    let mut honest = vec![0u128; setup.shape.chunks()];
    for (place, digit) in honest.iter_mut().enumerate() {
        *digit = chunk >> (16 * place).min(127) & 0xffff;
    }
    let mut chunks = own;
    (1..4).for_each(|_| chunks.extend(&honest));
    let witness = Witness { polynomial: vec![value, Fr::ZERO, Fr::ZERO], chunks, no_masks: true };
    let dealing = setup.deal(&witness, &mut rng);
    assert!(setup.verify(&dealing));
}
