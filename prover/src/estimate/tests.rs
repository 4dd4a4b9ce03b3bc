use muster_circuits::{Request, Scheme, Shape};

use super::Size;
use crate::ProofKind;

/// What RESULTS.md has of proofs of `fast`, and the counts of the circuits there.
struct Measured {
    size: Size,
    /// Seconds on an idle machine.
    seconds: f64,
}

/// Schnorr 8 of 16 and 128 of 256, ECDSA 13 of 19 and the same by address, Ed25519 16 of 21, BLS 512 of 512.
fn measured() -> [Measured; 6] {
    let row = |degree, [advice, fixed, lookups, permutation]: [usize; 4], committed, operations| {
        let (kind, stride, srs_degree) = (ProofKind::Fast, 1, degree);
        Size {
            degree,
            advice,
            fixed,
            lookups,
            permutation,
            kind,
            committed,
            operations,
            stride,
            srs_degree,
        }
    };
    [
        Measured { size: row(11, [10, 13, 2, 6], 16, 664), seconds: 0.033 },
        Measured { size: row(14, [12, 14, 2, 7], 18, 692), seconds: 0.278 },
        Measured { size: row(14, [27, 25, 18, 10], 42, 1241), seconds: 0.412 },
        Measured { size: row(14, [61, 42, 40, 20], 92, 2261), seconds: 0.910 },
        Measured { size: row(14, [60, 50, 27, 15], 81, 2625), seconds: 0.928 },
        Measured { size: row(14, [66, 72, 26, 39], 92, 7925), seconds: 1.267 },
    ]
}

#[test]
fn sizes_are_those_of_the_protocol() {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 16, 8)).unwrap();
    assert_eq!(Size::of(&shape, ProofKind::Fast).unwrap(), measured()[0].size);
}
