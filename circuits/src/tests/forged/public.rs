//! Public inputs other than those that the witness was made for.

use super::*;

#[test]
fn every_public_input_is_bound() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            assert!(claim.holds());
            let honest = claim.public;
            let mut bad = vec![];
            for place in 0..3 {
                for value in [
                    honest[place] + Fr::one(),
                    honest[place] - Fr::one(),
                    -honest[place],
                    Fr::zero(),
                    Fr::one(),
                ] {
                    let mut public = honest;
                    public[place] = value;
                    bad.push(public);
                }
            }
            for (left, right) in [(0, 1), (0, 2), (1, 2)] {
                let mut public = honest;
                public.swap(left, right);
                bad.push(public);
            }
            for public in bad {
                assert!(!Claim { public, ..claim.clone() }.holds(), "{scheme}, {mode:?}");
            }
        }
    }
}

/// A public input written over by another one wherever it stands in the witness.
#[test]
fn every_public_input_is_bound_to_what_it_says() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            for place in 0..3 {
                let mut bad = claim.clone();
                bad.public[place] += Fr::one();
                let change = (claim.public[place], bad.public[place]);
                bad.assert_refused_with("public input", &[change]);
            }
        }
    }
}

/// The mock prover and the proving system pad the instance with zeros, so what is missing is zero.
#[test]
fn missing_and_extra_public_inputs() {
    for scheme in EMBEDDED {
        let claim = Claim::small(scheme, Mode::WholeSet);
        let circuit = fill(&claim.shape, &claim.inputs);
        let verdict = |public: Vec<Fr>| {
            let prover = MockProver::run(claim.shape.degree(), &circuit, vec![public]);
            prover.expect("the rows fit").verify().is_ok()
        };
        let honest = claim.public.to_vec();
        assert!(verdict(honest.clone()));
        for count in 0..3 {
            assert!(!verdict(honest[..count].to_vec()), "{scheme}");
        }
        assert!(!verdict(honest[1..].to_vec()), "{scheme}");
        assert!(!verdict([vec![Fr::one()], honest.clone()].concat()), "{scheme}");
        // Declared: the circuit says nothing of a fourth input. A `Statement` has three, and whoever takes
        // public inputs from elsewhere counts them.
        assert!(verdict([honest, vec![Fr::one()]].concat()), "{scheme}");
        assert_eq!(claim.public.len(), claim.shape.public_inputs());
    }
}
