//! Response files of NIST.

use super::{up_to, Hash};

/// Asserts that a hash function and its native twin give the digests of a response file, in circuit for messages of any
/// length up to a bound. Returns the lengths in bytes.
pub(crate) fn agrees_with_nist<H: Hash>(responses: &str) -> Vec<usize> {
    let values = |name: &str| -> Vec<&str> {
        responses.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(" = ")).collect()
    };
    let vectors = values("Msg").into_iter().zip(values("MD"));
    let lengths: Vec<usize> =
        values("Len").iter().map(|bits| bits.parse::<usize>().unwrap() / 8).collect();
    for ((message, digest), length) in vectors.zip(&lengths) {
        let message = hex::decode(message).unwrap();
        assert_eq!(message.len(), *length);
        assert_eq!(hex::encode(H::native(&message)), digest, "{length} bytes");
        let (test, found) = up_to::<H>(&message, *length, length.next_multiple_of(16));
        assert_eq!(hex::encode(found), digest, "{length} bytes");
        test.assert_satisfied();
    }
    lengths
}
