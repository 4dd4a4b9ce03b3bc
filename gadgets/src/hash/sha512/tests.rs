use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use num_bigint::BigUint;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::hash::{
    padding::{
        tests::{agrees_with_nist, halves, up_to, Sha512},
        Message,
    },
    sha512,
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{Layout, Sha2Layout};
use muster_schemes::hash::sha512::{
    native::{CONSTANTS, INITIAL},
    sha512,
};

/// NIST CAVS 11.0, `SHA512ShortMsg.rsp` (lengths 0 and 8 bits); FIPS 180-2, appendices C.1 and C.2.
#[test]
fn published_values() {
    let vectors: [(&[u8], &str, usize); 4] = [
        (
            b"",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
             47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
            111,
        ),
        (
            &[0x21],
            "3831a6a6155e509dee59a7f451eb35324d8f8f2df6e3708894740f98fdee2388\
             9f4de5adb0c5010dfb555cda77c8ab5dc902094c52de3278f35a75ebc25f093a",
            1,
        ),
        (
            b"abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
             2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            200,
        ),
        (
            b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
              hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
             501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
            112,
        ),
    ];
    for (message, expected, bound) in vectors {
        assert_eq!(hex::encode(sha512(message)), expected);
        let (test, digest) = up_to::<Sha512>(message, message.len(), bound);
        assert_eq!(hex::encode(digest), expected);
        test.assert_satisfied();
    }
}

#[test]
fn vectors_of_nist() {
    let lengths = agrees_with_nist::<Sha512>(include_str!("nist.rsp"));
    assert_eq!(lengths, [55, 56, 63, 64, 65, 111, 112, 113, 119, 120, 127, 128, 227]);
}

/// The first 64 bits of fractional parts: of the cube roots of the first 80 primes, and the square roots of the first
/// eight.
#[test]
fn constants_are_those_of_the_standard() {
    let is_prime =
        |candidate: &u64| (2..*candidate).all(|divisor| !candidate.is_multiple_of(divisor));
    let primes = || (2..).filter(is_prime).map(BigUint::from);
    let low = |root: BigUint| root.iter_u64_digits().next().expect("a root above 1");
    let cubes = primes().map(|prime| low((prime << 192u32).cbrt()));
    assert!(cubes.take(CONSTANTS.len()).eq(CONSTANTS));
    assert!(primes().map(|prime| low((prime << 128u32).sqrt())).take(INITIAL.len()).eq(INITIAL));
}

/// Bytes as little-endian words.
fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut words =
        bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
    std::array::from_fn(|_| words.next().expect("as many words"))
}

/// A message of `length` bytes, at most `bound`, behind these words. The circuit hashes zeros before, since the mock
/// prover cannot tell of a failure whose gate reaches above the first row.
fn after(
    (lanes, bits): (usize, usize),
    prefix: [Fr; 8],
    message: &[u8],
    (length, bound): (u64, usize),
) -> (TestCircuit, Vec<AssignedValue<Fr>>) {
    let sha512 = Some(Sha2Layout { lanes, bits });
    let layout = Layout { sha512, range_columns: 2, ..layout(13, &[]) };
    let mut digest = vec![];
    let test = TestCircuit::new(layout, |ctx| {
        sha512::digest(ctx, &[]);
        let prefix = prefix.map(|word| ctx.load_witness(word));
        let halves = ctx.assign_witnesses(halves(message, bound.div_ceil(16)));
        let length = ctx.load_witness(Fr::from(length));
        let message = Message { halves: &halves, length, bound };
        let behind = sha512::Behind::new(ctx, message);
        digest.extend(sha512::digest_after(ctx, &prefix, &behind));
    });
    (test, digest)
}

/// As Ed25519 hashes: 64 bytes and a message, with lengths around the borders of blocks.
#[test]
fn digest_after_a_prefix() {
    let mut rng = ChaCha20Rng::seed_from_u64(41);
    let lengths = [
        (0, 1),
        (41, 41),
        (46, 47),
        (47, 47),
        (47, 162),
        (48, 48),
        (48, 162),
        (49, 64),
        (63, 64),
        (64, 64),
        (65, 80),
        (109, 162),
        (162, 162),
        (175, 176),
        (176, 176),
        (177, 178),
    ];
    for (i, (length, bound)) in lengths.into_iter().enumerate() {
        let mut bytes = vec![0; 64 + length];
        rng.fill_bytes(&mut bytes);
        let (prefix, message) = bytes.split_at(64);
        let lanes = [(1, 16), (1, 8), (2, 8), (1, 4)][i % 4];
        let size = (length as u64, bound);
        let (test, digest) = after(lanes, words(prefix).map(Fr::from), message, size);
        let expected: [u64; 8] = words(&sha512(&bytes));
        let found: Vec<_> = digest.iter().map(|word| *word.value()).collect();
        assert_eq!(found, expected.map(Fr::from), "{length} of {bound}");
        test.assert_satisfied();
    }
}

/// Bytes behind the message, a length that is wrong by one, a longer one.
#[test]
fn digest_after_a_prefix_refuses_other_lengths() {
    let prefix = [5; 8].map(Fr::from);
    for (length, written, bound) in
        [(41, 41, 41), (40, 41, 41), (42, 42, 41), (47, 48, 162), (48, 49, 162), (163, 162, 162)]
    {
        let message = vec![0xff; written];
        let (test, _) = after((1, 16), prefix, &message, (length, bound));
        assert_eq!(test.is_satisfied(), length == 41 && written == 41, "{length} of {bound}");
    }
}

/// A word of the prefix that is not below `2^64`.
#[test]
fn words_of_a_prefix_are_words() {
    let most = Fr::from(u64::MAX);
    for place in 0..8 {
        for (word, holds) in [(most, true), (most + Fr::one(), false), (-Fr::one(), false)] {
            let mut prefix = [9; 8].map(Fr::from);
            prefix[place] = word;
            let (test, _) = after((1, 16), prefix, &[1, 2, 3], (3, 41));
            assert_eq!(test.is_satisfied(), holds, "{place}");
        }
    }
}

/// Another word of the prefix or of the digest in its cells.
#[test]
fn prefix_and_digest_are_bound() {
    let prefix: [Fr; 8] = std::array::from_fn(|i| Fr::from(0x0102_0304_0506_0708 + i as u64));
    let (mut test, digest) = after((1, 16), prefix, &[1, 2, 3], (3, 162));
    test.assert_satisfied();
    let digest: Vec<_> = digest.iter().map(|word| *word.value()).collect();
    for value in prefix.iter().chain(&digest) {
        let forged = test.replace(&[(*value, *value + Fr::one())]);
        assert!(!forged.is_empty());
        assert!(!test.is_satisfied_with_all(forged));
    }
}
