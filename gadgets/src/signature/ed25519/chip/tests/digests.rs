//! Digests as numbers.

use super::*;

/// The number of a digest in circuit.
fn reduced(range_bits: usize, digest: &[Fr; 8]) -> (TestCircuit, BigUint) {
    let k = if range_bits > 13 { range_bits as u32 + 1 } else { 14 };
    let mut found = BigUint::ZERO;
    let test = TestCircuit::new(foreign_layout(k, range_bits), |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let words = digest.map(|word| ctx.load_witness(word));
        let challenges = ChallengeEquations::new(ctx.chips.foreign());
        found = challenges.challenge(ctx, &words).value().clone();
    });
    (test, found)
}

/// Edge values, and lookups of all lengths: limbs and words are cut at other places.
#[test]
fn digests_are_reduced() {
    let n = Curve::Edwards25519.n();
    let top: BigUint = (BigUint::from(1u8) << 512) - 1u8;
    let mut numbers = vec![BigUint::ZERO, 1u8.into(), n - 1u8, n.clone(), n + 1u8, top.clone()];
    numbers.extend([&top / n * n, BigUint::from(1u8) << 511, (BigUint::from(1u8) << 240) - 1u8]);
    let mut rng = ChaCha20Rng::seed_from_u64(21);
    for range_bits in [8, 9, 10, 11, 12, 13, 14, 15, 16] {
        let mut random = [0; 64];
        rng.fill_bytes(&mut random);
        let edges = if range_bits == 12 { &numbers[..] } else { &numbers[5..6] };
        let all = edges.iter().cloned().chain([BigUint::from_bytes_le(&random)]);
        for number in all {
            let mut bytes = [0; 64];
            let digits = number.to_bytes_le();
            bytes[..digits.len()].copy_from_slice(&digits);
            let (test, found) = reduced(range_bits, &words_of(&bytes));
            test.assert_satisfied();
            assert_eq!(found, number % n);
        }
    }
}

/// Every relation, and every cell of the vertical gate.
#[test]
fn numbers_are_bound() {
    for range_bits in [8, 10, 12, 13] {
        let digest = digest(&[1; 32], &[2; 32], MESSAGE);
        let (test, _) = reduced(range_bits, &words_of(&digest));
        test.assert_satisfied();
        test.assert_relations_are_bound("src/signature/");
        let open = test.free_values_given(0..8);
        assert_eq!(open, [], "lookups of {range_bits} bits");
    }
}

/// Words of a digest that are too long have no witness, or one for their number: they are taken at their
/// word. Bits moved from a word to the next are the same number.
#[test]
fn words_count_by_their_places() {
    let mut words = words_of(&[9; 64]);
    let (test, number) = reduced(13, &words);
    test.assert_satisfied();
    words.swap(0, 1);
    let (test, other) = reduced(13, &words);
    test.assert_satisfied();
    assert_eq!(number, other, "the words are the same");
    words[0] += Fr::one();
    let (test, other) = reduced(13, &words);
    test.assert_satisfied();
    assert_ne!(number, other);
}
