//! What coefficients are squeezed from.

use std::collections::BTreeSet;

use super::*;
use crate::signature::foreign::SignatureBatch;

/// The responses, and every word of a digest, which binds the nonce point, the key and the message.
#[test]
fn coefficients_bind_everything() {
    let mut rng = ChaCha20Rng::seed_from_u64(41);
    let items = [(); 2].map(|()| signed(&mut rng));
    let coefficients = |items: &[Raw]| {
        let mut found = vec![];
        let layout = foreign_layout(15, 13);
        batch(layout, Acceptance::Rfc8032, items, |ctx, keys, signatures, digests| {
            let batch = open_all(ctx, keys, signatures, digests);
            let coefficients = batch.coefficients(ctx, keys, &batch.ratios());
            found = coefficients.iter().map(|z| z.value()).collect();
        });
        found
    };
    let mut all = vec![coefficients(&items)];
    assert_eq!(all[0], coefficients(&items));
    for item in 0..2 {
        let mut changed = items.clone();
        changed[item].s += 1u8;
        all.push(coefficients(&changed));
        for word in 0..8 {
            let mut changed = items.clone();
            changed[item].digest[8 * word] ^= 1;
            all.push(coefficients(&changed));
        }
    }
    for signature in 0..2 {
        let each: BTreeSet<_> = all.iter().map(|z| z[signature].clone()).collect();
        assert_eq!(each.len(), all.len());
    }
}
