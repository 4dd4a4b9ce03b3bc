//! Poseidon against light-poseidon, published values and its own textbook form.

use ark_ff::{AdditiveGroup as _, BigInteger as _, PrimeField as _};
use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use muster_testing::circom::{self, PoseidonHasher};
use proptest::prelude::*;

use super::*;

fn to_ark(v: Fr) -> ark_bn254::Fr {
    ark_bn254::Fr::from_le_bytes_mod_order(v.to_repr().as_ref())
}

fn from_ark(v: ark_bn254::Fr) -> Fr {
    let bytes: [u8; 32] = v.into_bigint().to_bytes_le().try_into().unwrap();
    Fr::from_repr(bytes).unwrap()
}

fn from_hex(s: &str) -> Fr {
    let mut bytes: [u8; 32] = hex::decode(s).unwrap().try_into().unwrap();
    bytes.reverse();
    Fr::from_repr(bytes).unwrap()
}

fn counting(n: u64) -> Vec<Fr> {
    (1..=n).map(Fr::from).collect()
}

/// The permutation as the paper writes it.
fn textbook(spec: &PoseidonSpec, state: &mut Vec<Fr>) {
    let half = spec.full_rounds / 2;
    for (round, constants) in spec.round_constants.iter().enumerate() {
        state.iter_mut().zip(constants).for_each(|(s, c)| *s += c);
        let full = round < half || round >= half + spec.partial_rounds;
        let lanes = if full { spec.width } else { 1 };
        state[..lanes].iter_mut().for_each(|s| *s = s.pow_vartime([5]));
        *state =
            spec.mds.iter().map(|row| row.iter().zip(&*state).map(|(m, s)| *m * s).sum()).collect();
    }
}

#[test]
fn constants_equal_light_poseidon() {
    for width in MIN_WIDTH..=13 {
        let spec = PoseidonSpec::get(width);
        let theirs = circom::parameters(width);
        assert_eq!(
            (spec.full_rounds, spec.partial_rounds),
            (theirs.full_rounds, theirs.partial_rounds)
        );
        let ours: Vec<_> = spec.round_constants.iter().flatten().map(|v| to_ark(*v)).collect();
        assert_eq!(ours, theirs.ark, "round constants, width {width}");
        for (row, their_row) in spec.mds.iter().zip(&theirs.mds) {
            assert_eq!(&row.iter().map(|v| to_ark(*v)).collect::<Vec<_>>(), their_row);
        }
    }
}

#[test]
fn sparse_rounds_equal_textbook() {
    for width in MIN_WIDTH..=MAX_WIDTH {
        let spec = PoseidonSpec::get(width);
        assert_eq!(spec.width, width);
        for seed in [0, 1, u64::MAX] {
            let mut state: Vec<Fr> =
                (0..width as u64).map(|i| Fr::from(seed) * Fr::from(i) - Fr::from(i)).collect();
            let mut expected = state.clone();
            permute(spec, &mut state);
            textbook(spec, &mut expected);
            assert_eq!(state, expected, "width {width}");
        }
    }
}

/// Equal samples would give the Cauchy matrix equal rows or columns.
#[test]
fn linear_layers_have_distinct_rows_and_columns() {
    for width in MIN_WIDTH..=MAX_WIDTH {
        let mds = &PoseidonSpec::get(width).mds;
        let column = |j: usize| mds.iter().map(|row| row[j]).collect::<Vec<_>>();
        for i in 0..width {
            for j in 0..i {
                assert!(mds[i] != mds[j] && column(i) != column(j), "width {width}");
            }
        }
        assert!(mds.iter().flatten().all(|v| *v != Fr::ZERO));
    }
}

/// iden3 poseidon-rs 0.0.8 and go-iden3-crypto, test `TestPoseidonHash`; circomlibjs tests.
#[test]
fn published_values() {
    let vectors: [(&[u64], &str); 5] = [
        (&[1], "29176100eaa962bdc1fe6c654d6a3c130e96a4d1168b33848b897dc502820133"),
        (&[1, 2], "115cc0f5e7d690413df64c6b9662e9cf2a3617f2743245519e19607a4417189a"),
        (&[1, 2, 0, 0, 0], "024058dd1e168f34bac462b6fffe58fd69982807e9884c1c6148182319cee427"),
        (&[1, 2, 0, 0, 0, 0], "21e82f465e00a15965e97a44fe3c30f3bf5279d8bf37d4e65765b6c2550f42a1"),
        (&[3, 4, 0, 0, 0], "0cd93f1bab9e8c9166ef00f2a1b0e1d66d6a4145e596abe0526247747cc71214"),
    ];
    for (inputs, expected) in vectors {
        let inputs: Vec<Fr> = inputs.iter().map(|v| Fr::from(*v)).collect();
        assert_eq!(hash(&inputs), from_hex(expected));
    }
    let decimal = |s| Fr::from_str_vartime(s).unwrap();
    assert_eq!(
        hash(&counting(4)),
        decimal("18821383157269793795438455681495246036402687001665670618754263018637548127333")
    );
    // go-iden3-crypto: lengths that light-poseidon does not offer by default.
    let padded = |len: usize| {
        let mut inputs = counting(9);
        inputs.resize(len, Fr::ZERO);
        hash(&inputs)
    };
    assert_eq!(
        padded(14),
        decimal("5540388656744764564518487011617040650780060800286365721923524861648744699539")
    );
    assert_eq!(
        padded(16),
        decimal("11882816200654282475720830292386643970958445617880627439994635298904836126497")
    );
    assert_eq!(
        hash(&counting(14)),
        decimal("8354478399926161176778659061636406690034081872658507739535256090879947077494")
    );
    assert_eq!(
        hash(&counting(16)),
        decimal("9989051620750914585850546081941653841776809718687451684622678807385399211877")
    );
}

#[test]
fn domain_is_a_big_endian_integer() {
    assert_eq!(domain(""), Fr::ZERO);
    assert_eq!(domain("a"), Fr::from(0x61));
    assert_eq!(domain("abc"), Fr::from(0x616263));
    assert_ne!(domain("muster.leaf.v1"), domain("muster.leaf.v2"));
    assert!(std::panic::catch_unwind(|| domain(&"x".repeat(32))).is_err());
    assert!(std::panic::catch_unwind(|| domain("é")).is_err());
}

#[test]
fn refuses_bad_lengths() {
    assert!(std::panic::catch_unwind(|| hash(&[])).is_err());
    assert!(std::panic::catch_unwind(|| hash(&[Fr::ONE; 17])).is_err());
    assert!(std::panic::catch_unwind(|| PoseidonSpec::get(1)).is_err());
    assert!(std::panic::catch_unwind(|| PoseidonSpec::get(18)).is_err());
    assert!(std::panic::catch_unwind(|| {
        permute(PoseidonSpec::get(3), &mut [Fr::ZERO; 4]);
    })
    .is_err());
}

proptest! {
    #[test]
    fn hashes_equal_light_poseidon(seed: [u8; 64], len in 1usize..13) {
        use ff::FromUniformBytes;
        let base = Fr::from_uniform_bytes(&seed);
        let inputs: Vec<Fr> = (0..len as u64).map(|i| base.pow_vartime([i])).collect();
        let theirs: Vec<_> = inputs.iter().map(|v| to_ark(*v)).collect();
        let mut plain = circom::poseidon(len, ark_bn254::Fr::ZERO);
        prop_assert_eq!(hash(&inputs), from_ark(plain.hash(&theirs).unwrap()));
        let mut tagged = circom::poseidon(len, to_ark(base));
        prop_assert_eq!(hash_with_domain(base, &inputs), from_ark(tagged.hash(&theirs).unwrap()));
    }
}
