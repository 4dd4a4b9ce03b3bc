use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine, G1},
    ff::Field,
    group::{Curve, Group},
    msm::msm_best,
};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::msm::Bases;

fn assert_agrees(scalars: &[Fr], bases: &[G1Affine]) {
    let expected = msm_best(scalars, bases).to_affine();
    assert_eq!(Bases::plain(bases).multiply(scalars).to_affine(), expected);
    assert_eq!(Bases::with_multiples(bases).multiply(scalars).to_affine(), expected);
}

#[test]
fn agrees_with_the_library() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for count in [1, 2, 8, 100, 1 << 10, 1 << 12] {
        let bases: Vec<_> = (0..count).map(|_| G1::random(&mut rng).to_affine()).collect();
        let mut scalars: Vec<_> = (0..count).map(|_| Fr::random(&mut rng)).collect();
        assert_agrees(&scalars, &bases);
        // Edges, repeated digits, few bits, and the same point many times over.
        for (scalar, edge) in scalars.iter_mut().zip([Fr::ZERO, Fr::ONE, -Fr::ONE]) {
            *scalar = edge;
        }
        assert_agrees(&scalars, &bases);
        assert_agrees(&scalars, &vec![bases[0]; count]);
        assert_agrees(&vec![Fr::from(7); count], &bases);
        assert_agrees(&vec![-Fr::from(7); count], &vec![bases[0]; count]);
        assert_agrees(&vec![Fr::ZERO; count], &bases);
        let opposite: Vec<_> =
            (0..count).map(|i| if i % 2 == 0 { bases[0] } else { -bases[0] }).collect();
        assert_agrees(&vec![Fr::from(5); count], &opposite);
    }
}

/// Scalars that stand side by side as those of a lookup do, of one window and of all, and opposite
/// points among them.
#[test]
fn runs_of_equal_scalars() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let count = 1 << 10;
    let mut bases: Vec<_> = (0..count).map(|_| G1::random(&mut rng).to_affine()).collect();
    bases[801] = -bases[800];
    for length in [2, 3, 7, 100, 1023] {
        for values in [[Fr::ZERO, Fr::ONE, -Fr::ONE], [(); 3].map(|()| Fr::random(&mut rng))] {
            let scalars: Vec<_> = (0..count).map(|i| values[i / length % 3]).collect();
            assert_agrees(&scalars, &bases);
            assert_agrees(&scalars[..1000], &bases[..1000]);
        }
        let scalars: Vec<_> = (0..count).map(|i| Fr::from((i / length) as u64)).collect();
        assert_agrees(&scalars, &bases);
    }
}

#[test]
fn fewer_scalars_than_bases() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let bases: Vec<_> = (0..64).map(|_| G1::random(&mut rng).to_affine()).collect();
    let scalars: Vec<_> = (0..40).map(|_| Fr::random(&mut rng)).collect();
    let expected = msm_best(&scalars, &bases[..40]).to_affine();
    assert_eq!(Bases::plain(&bases).multiply(&scalars).to_affine(), expected);
    assert_eq!(Bases::with_multiples(&bases).multiply(&scalars).to_affine(), expected);
}
