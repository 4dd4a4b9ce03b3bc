//! Expansions, digest by digest.

use halo2_base::utils::fe_to_biguint;
use rand::RngCore;

use super::*;
use crate::hash::to_curve::expand as native;

fn bytes(digests: &[[crate::gate::sha2::Word<crate::gate::sha2::Sha256>; 8]]) -> Vec<u8> {
    let words = digests.iter().flatten();
    let word = words.map(|word| fe_to_biguint(word.cell().value()).to_bytes_be());
    word.flat_map(|bytes| [vec![0; 4 - bytes.len()], bytes].concat()).collect()
}

/// Messages whose ends lie at every place of a word, and tags that end at every place of the last block.
#[test]
fn agree_with_the_native_twin() {
    let mut rng = muster_testing::rng();
    for (length, tag_length, digests) in [
        (0, 1, 1),
        (1, 43, 2),
        (3, 255, 1),
        (15, 20, 2),
        (16, 21, 2),
        (18, 22, 3),
        (32, 43, 8),
        (61, 23, 1),
        (64, 43, 2),
        (119, 43, 1),
    ] {
        let mut text = vec![0; length];
        rng.fill_bytes(&mut text);
        let mut name = vec![7; tag_length];
        rng.fill_bytes(&mut name);
        let tag = Tag::new(&name).expect("a tag");
        let test = TestCircuit::new(room(14, &[]), |ctx, chips| {
            let message = message(ctx, &text);
            let found = expand(ctx, chips, &message, &tag, 32 * digests);
            assert_eq!(bytes(&found), native::expand(&text, &tag, 32 * digests));
        });
        test.assert_satisfied();
    }
}
