use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;

use super::{MaskError, SignerMask, MASK_WORD_BITS, MAX_MASKED};

#[test]
fn words_have_a_bit_for_each_signer() {
    let two = Fr::from(2);
    let mask = SignerMask::new(500, [0, 247, 248, 499, 0]).expect("members");
    let words = [Fr::ONE + two.pow_vartime([247]), Fr::ONE, two.pow_vartime([3])];
    assert_eq!(mask.words(), words);
    assert_eq!(SignerMask::from_words(500, &words), Ok(mask.clone()));
    assert_eq!(mask.iter().collect::<Vec<_>>(), [0, 247, 248, 499]);
    assert_eq!(
        (mask.count(), mask.capacity(), mask.to_string()),
        (4, 500, "0, 247, 248, 499".into())
    );
    assert!(mask.contains(248) && !mask.contains(1) && !mask.contains(500));
    for capacity in [1, 247, 248, 249, MAX_MASKED] {
        let all = SignerMask::new(capacity, 0..capacity).expect("members");
        assert_eq!(all.words().len(), SignerMask::words_of(capacity));
        assert_eq!(SignerMask::from_words(capacity, &all.words()), Ok(all));
    }
    let nobody = SignerMask::new(3, []).expect("nobody");
    assert_eq!((nobody.words(), nobody.to_string()), (vec![Fr::ZERO], String::new()));
}

#[test]
fn what_is_no_mask_is_named() {
    for capacity in [0, MAX_MASKED + 1, usize::MAX] {
        let refused = MaskError::Capacity(capacity);
        assert_eq!(SignerMask::new(capacity, []), Err(refused.clone()));
        assert_eq!(SignerMask::from_words(capacity, &[]), Err(refused));
    }
    let beyond = MaskError::Member { member: 9, capacity: 6 };
    assert_eq!(SignerMask::new(6, [1, 6, 9]), Err(beyond));
    assert!(SignerMask::new(6, [5]).is_ok() && SignerMask::new(6, [6]).is_err());
    for words in [&[][..], &[Fr::ONE; 2]] {
        let refused = MaskError::Words { expected: 1, found: words.len() };
        assert_eq!(SignerMask::from_words(6, words), Err(refused));
    }
    // At and above the capacity, above a word's bits, and the largest element.
    let bit = |bit: usize| Fr::from(2).pow_vartime([bit as u64]);
    for word in [bit(6), bit(9), bit(MASK_WORD_BITS), bit(252), -Fr::ONE] {
        assert_eq!(SignerMask::from_words(6, &[word]), Err(MaskError::Word(0)));
    }
    let second = |word| SignerMask::from_words(250, &[Fr::ONE, word]);
    assert_eq!(second(bit(2)), Err(MaskError::Word(1)));
    assert!(second(bit(1)).is_ok());
    let first = |word| SignerMask::from_words(250, &[word, Fr::ZERO]);
    assert_eq!(first(bit(MASK_WORD_BITS)), Err(MaskError::Word(0)));
    assert!(MASK_WORD_BITS < Fr::CAPACITY as usize);
}
