use muster_circuits::{Request, Scheme, Shape};

use super::Size;
use crate::{Memory, ProofKind};

/// What RESULTS.md has in "The two formats of proofs", and the counts of the circuits there.
struct Measured {
    degree: u32,
    advice: usize,
    fixed: usize,
    lookups: usize,
    permutation: usize,
    /// Of each format.
    committed: [usize; 2],
    operations: usize,
    /// Seconds of halo2's format on an idle machine, from the first table there, and the time of `fast` to that of halo2's format.
    seconds: f64,
    ratio: f64,
    /// MiB of halo2's format, and of `fast`.
    peak: Option<[u64; 2]>,
}

impl Measured {
    fn sizes(&self) -> [Size; 2] {
        let &Self { degree, advice, fixed, lookups, permutation, operations, .. } = self;
        let [halo2, fast] = self.committed;
        [(ProofKind::Halo2, halo2), (ProofKind::Fast, fast)].map(|(kind, committed)| Size {
            degree,
            advice,
            fixed,
            lookups,
            permutation,
            kind,
            committed,
            operations,
            stride: 1,
            srs_degree: degree,
        })
    }
}

/// Schnorr 8 of 16 and 128 of 256, ECDSA 13 of 19 and the same by address, Ed25519 16 of 21, BLS 512 of 512.
fn measured() -> [Measured; 6] {
    let row = |degree, [advice, fixed, lookups, permutation]: [usize; 4], committed| Measured {
        degree,
        advice,
        fixed,
        lookups,
        permutation,
        committed: [advice + 3 * lookups + permutation.div_ceil(3), committed],
        operations: 0,
        seconds: 0.0,
        ratio: 0.0,
        peak: None,
    };
    [
        Measured { operations: 664, seconds: 0.046, ratio: 0.71, ..row(11, [10, 13, 2, 6], 16) },
        Measured {
            operations: 692,
            seconds: 0.312,
            ratio: 0.89,
            peak: Some([125, 88]),
            ..row(14, [12, 14, 2, 7], 18)
        },
        Measured {
            operations: 1241,
            seconds: 0.71,
            ratio: 0.58,
            peak: Some([249, 142]),
            ..row(14, [27, 25, 18, 10], 42)
        },
        Measured { operations: 2261, seconds: 1.75, ratio: 0.52, ..row(14, [61, 42, 40, 20], 92) },
        Measured { operations: 2625, seconds: 1.6, ratio: 0.58, ..row(14, [60, 50, 27, 15], 81) },
        Measured { operations: 7925, seconds: 1.81, ratio: 0.70, ..row(14, [66, 72, 26, 39], 92) },
    ]
}

#[test]
fn sizes_are_those_of_the_protocol() {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 16, 8)).unwrap();
    let sizes = [ProofKind::Halo2, ProofKind::Fast].map(|kind| Size::of(&shape, kind));
    assert_eq!(sizes, measured()[0].sizes());
}

#[test]
fn each_format_has_its_own_estimate() {
    for (place, measured) in measured().into_iter().enumerate() {
        let [halo2, fast] = measured.sizes();
        let found = fast.seconds() / (measured.seconds * measured.ratio);
        assert!((0.8..1.2).contains(&found), "case {place}: {found} of what was measured");
        assert!(fast.seconds() < halo2.seconds(), "case {place}");
        for memory in [Memory::Low, Memory::Fast] {
            for at_once in [1, 4] {
                let [halo2, fast] = [halo2, fast].map(|it| it.proving_bytes(memory, at_once));
                assert!(fast < halo2, "case {place}");
            }
        }
        // Never too little, and not more than a quarter too much.
        for (size, peak) in [halo2, fast].into_iter().zip(measured.peak.into_iter().flatten()) {
            let bytes = size.proving_bytes(Memory::Low, 1);
            let peak = peak << 20;
            assert!(bytes > peak && bytes < peak + peak / 4, "case {place}: {}", bytes >> 20);
        }
        assert_eq!(halo2.keygen_bytes(), fast.keygen_bytes());
    }
}

#[test]
fn estimates_grow_with_everything() {
    for measured in measured() {
        let [halo2, fast] = measured.sizes();
        let more = |size: Size| {
            let (degree, advice) = (size.degree + 1, size.advice + 1);
            let all = [
                Size { degree, ..size },
                Size { advice, committed: size.committed + 1, ..size },
                Size { committed: size.committed + 1, ..size },
                Size { fixed: size.fixed + 1, ..size },
                Size { permutation: size.permutation + 1, ..size },
            ];
            all.map(|larger| (larger, size))
        };
        for (larger, size) in [halo2, fast].into_iter().flat_map(more) {
            for memory in [Memory::Low, Memory::Fast] {
                assert!(larger.row_bytes(memory) >= size.row_bytes(memory));
                assert!(larger.proving_bytes(memory, 2) >= size.proving_bytes(memory, 2));
                assert!(size.proving_bytes(memory, 2) > size.proving_bytes(memory, 1));
            }
            assert!(larger.seconds() >= size.seconds());
        }
        assert!(Size { operations: fast.operations + 100, ..fast }.seconds() > fast.seconds());
    }
}
