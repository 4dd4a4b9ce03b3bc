//! Verifiers of more words: statements that say who signed, or that are about a point.

use alloy_primitives::keccak256;
use muster_circuits::{Goal, Mode, Request, Scheme, Shape, SignerMask, MAX_MASKED};
use muster_params::Srs;
use muster_prover::Keys;
use num_bigint::BigUint;

use super::{
    source::prove_sample_of,
    stage::{address, number, wrapper},
    *,
};
use crate::contract::{generate, Export, POINT_INPUTS};

/// A verifier with its wrapper, and a proof that it takes.
struct Deployed {
    evm: Evm,
    verifier: Address,
    wrapper: Address,
    shape: Shape,
    /// Whether the verifier has loops over openings.
    loops: bool,
    inputs: Vec<Fr>,
    proof: Vec<u8>,
    /// What a good proof takes.
    gas: u64,
    hash: [u8; WORD],
}

impl Deployed {
    /// Keys, a proof of so many of so many, and contracts on a chain; none without a compiler.
    fn new(request: Request, signing: usize) -> Option<Self> {
        let solc = compiler()?;
        let shape = Shape::fit(&request).unwrap();
        let srs = Srs::insecure(shape.degree()).unwrap();
        let keys = Keys::make(&srs, &shape).unwrap();
        let key = keys.verifier();
        let (inputs, proof) = prove_sample_of(&srs, &keys, (signing, shape.capacity));
        // Fails unless the contract takes the proof.
        let export = Export::new(contract_key(&key), Some(&solc)).unwrap();
        let loops = export.written().source.contains("function fold(");
        let export = export.with_proof(&statement(&shape, &inputs), &proof).unwrap();
        assert_files(&export, &shape);
        let mut evm = Evm::default();
        let creation = &export.bytecode().unwrap().creation;
        let verifier = evm.deploy_with_parts(&export.parts(), creation).unwrap();
        let verifier = verifier.last().unwrap().address;
        let gas = export.gas().unwrap();
        let (length, parts) = (proof.len(), export.parts().len());
        eprintln!("2^{}: {gas} gas, a proof of {length} B, {parts} parts", shape.degree());
        let (length, cap) = (number(proof.len() as u64), number(gas * 6 / 5));
        let arguments = [address(verifier), key.contract_digest(), length, cap].concat();
        let wrapper = evm.deploy(&wrapper(&shape, arguments)).unwrap();
        let hash = export.verifier_hash().unwrap();
        Some(Self { evm, verifier, wrapper, shape, loops, inputs, proof, gas, hash })
    }

    /// What the generated verifier, and both functions of the wrapper, say of public inputs below the modulus.
    #[track_caller]
    fn assert_verdict(&mut self, inputs: &[Fr], is_good: bool) {
        let calldata = Calldata::claimed(&self.shape, inputs, &self.proof).unwrap();
        assert_eq!(self.takes(&calldata.verifier()), is_good);
        let outcome = self.evm.call(self.wrapper, &calldata.verify()).unwrap();
        assert!(outcome.success && outcome.output == number(is_good.into()), "{outcome:?}");
        let reverting = calldata.verify_proof(self.hash);
        assert_eq!(self.evm.call(self.wrapper, &reverting).unwrap().success, is_good);
    }

    /// Whether the generated verifier takes calldata.
    fn takes(&mut self, calldata: &[u8]) -> bool {
        self.evm.call(self.verifier, calldata).unwrap().accepted()
    }

    /// The error with which the wrapper refuses to look at a proof of these inputs.
    #[track_caller]
    fn assert_malformed(&mut self, inputs: &[Fr], error: &str) {
        // Of no point as they are.
        let calldata = Calldata::claimed(&self.shape, inputs, &self.proof);
        let calldata = calldata.unwrap_or_else(|_| Calldata::of(inputs, &self.proof));
        for call in [calldata.verify(), calldata.verify_proof(self.hash)] {
            let outcome = self.evm.call(self.wrapper, &call).unwrap();
            assert!(
                !outcome.success && outcome.output[..4] == keccak256(error)[..4],
                "{outcome:?}"
            );
        }
    }

    /// The words as they are, and no others.
    fn takes_its_words_alone(&mut self) {
        let inputs = self.inputs.clone();
        self.assert_verdict(&inputs, true);
        self.refuses_each_other_word();
        self.refuses_other_lengths();
    }

    /// Each public input by itself: one more, and r more, of which the verifier does not take the remainder.
    fn refuses_each_other_word(&mut self) {
        for place in 0..self.inputs.len() {
            let mut other = self.inputs.clone();
            other[place] += Fr::one();
            let calldata = calldata(&other, &self.proof);
            assert!(!self.takes(&calldata), "one more at {place}");
            let mut bad = super::calldata(&self.inputs, &self.proof);
            assert!(add(&mut bad[WORD * place..][..WORD], SCALARS));
            let outcome = self.evm.call(self.verifier, &bad).unwrap();
            assert!(!outcome.accepted(), "r more at {place}");
            assert!(outcome.execution_gas < self.gas / 20, "before anything else: {outcome:?}");
        }
    }

    /// Calldata is as long as it is: words are not left out, nor are there more.
    fn refuses_other_lengths(&mut self) {
        let good = calldata(&self.inputs, &self.proof);
        assert!(self.takes(&good));
        let inputs = WORD * self.inputs.len();
        let zeros = [&good[..inputs], &[0; WORD], &good[inputs..]].concat();
        let behind = [&good[..], &[0; WORD]].concat();
        for bad in [&zeros[..], &behind, &good[WORD..], &good[..good.len() - 1], &good[inputs..]] {
            assert!(!self.takes(bad), "{} bytes", bad.len());
        }
        let most = self.inputs.len() - 1;
        assert!(!self.takes(&calldata(&self.inputs[..most], &self.proof)), "a word fewer");
    }

    /// Another signer in the place of one, one more, and fewer; and a bit for nobody, which is no question.
    fn refuses_other_signers(&mut self) {
        let (members, mask) = (self.shape.capacity, self.shape.mask_inputs());
        let (inputs, before) = (self.inputs.clone(), self.inputs[..mask.start].to_vec());
        let signers = self.shape.signers(&inputs).unwrap().unwrap().to_vec();
        let [first, ref rest @ ..] = signers[..] else { panic!("no signers") };
        let other = (0..members).rev().find(|member| !signers.contains(member)).unwrap();
        let [moved, more] = [[&[other], rest].concat(), [&[other], &signers[..]].concat()];
        for named in [&moved[..], &more, rest, &[first, other], &[]] {
            let words = SignerMask::new(members, named.iter().copied()).unwrap().words();
            self.assert_verdict(&[&before[..], &words].concat(), false);
        }
        // Above the last member, and above a word.
        let beyond = (members % 248) as u64;
        for (place, bit) in [(mask.end - 1, beyond), (mask.end - 1, 248), (mask.start, 253)] {
            let mut other = inputs.clone();
            other[place] += Fr::from(2).pow_vartime([bit]);
            self.assert_malformed(&other, "MaskNotCanonical(uint256,uint256)");
        }
    }
}

/// The manifest names each word, and the wrapper with what it takes.
fn assert_files(export: &Export<'_>, shape: &Shape) {
    let manifest = export.manifest();
    let names = manifest["public_inputs"].as_array().unwrap();
    assert_eq!(names.len(), shape.public_inputs());
    assert!(names.iter().all(|name| !name.as_str().unwrap().is_empty()));
    assert_eq!(manifest["wrapper"]["contract"], "MusterWordsVerifier");
    assert_eq!(manifest["wrapper"]["message_inputs"], shape.public_message().inputs());
    let members = if shape.mask { shape.capacity } else { 0 };
    assert_eq!(manifest["wrapper"]["members"], members);
    let files: Vec<_> = export.files().into_iter().map(|(name, _)| name).collect();
    assert!(files.contains(&"MusterWordsVerifier.sol".to_owned()), "{files:?}");
}

/// Signers of `members`, shown by paths, and the mask of these.
fn masked(signing: usize, members: usize, degree: Option<u32>) -> Request {
    let request = Request::new(Scheme::Schnorr, members, signing);
    Request { mode: Some(Mode::Path), mask: true, degree, ..request }
}

/// In one word, which are four public inputs; and in three words, which are six, more than are added up line by line: in few
/// columns, and in so many that openings are loops, too. No word is 0, so none could be left out.
#[test]
fn a_mask_goes_through_wrapper_and_verifier() {
    for (signing, members, degree) in [(2, 12, None), (8, 700, None), (8, 700, Some(12))] {
        let request = masked(signing, members, degree);
        let Some(mut deployed) = Deployed::new(request, signing) else { return };
        let inputs = deployed.inputs.clone();
        assert_eq!(inputs.len() > generate::MOST_ADDED, members == 700);
        assert_eq!(deployed.loops, degree.is_some());
        assert!(inputs.iter().all(|word| *word != Fr::ZERO));
        deployed.takes_its_words_alone();
        deployed.refuses_other_signers();
    }
}

/// A digest is one word to the wrapper, and the words of the mask move on.
#[test]
#[ignore = "slow: a proof of 2^16 rows"]
fn a_digest_with_a_mask_goes_through_wrapper_and_verifier() {
    let request = Request::new(Scheme::EcdsaSecp256k1, 500, 1);
    let request = Request { goal: Goal::Gas, mode: Some(Mode::Path), mask: true, ..request };
    let Some(mut deployed) = Deployed::new(request, 1) else { return };
    assert_eq!(deployed.inputs.len(), 7);
    deployed.takes_its_words_alone();
    deployed.refuses_other_signers();
}

/// A point in eight words; and with a mask of all but the absent behind it.
#[test]
#[ignore = "slow: two proofs of BLS"]
fn a_point_goes_through_wrapper_and_verifier() {
    let bare = Request { goal: Goal::Gas, ..Request::new(Scheme::BlsBn254, 2, 1) };
    let masked = Request { absent: Some(1), mode: Some(Mode::Complement), ..bare.clone() };
    let masked = Request { mask: true, ..masked };
    for (request, words) in [(bare, 10), (masked, 11)] {
        let Some(mut deployed) = Deployed::new(request, 1) else { return };
        let inputs = deployed.inputs.clone();
        assert_eq!(inputs.len(), words);
        assert!(inputs.iter().all(|word| *word != Fr::ZERO));
        deployed.takes_its_words_alone();
        // Words of more than 128 bits are none of a point.
        for place in MESSAGE..10 {
            let mut other = inputs.clone();
            other[place] += Fr::from(2).pow_vartime([128]);
            deployed.assert_malformed(&other, "PointNotCanonical(uint256)");
        }
        if deployed.shape.mask {
            deployed.refuses_other_signers();
        }
    }
}

/// A few public inputs are added up before the sum is reduced, which is no more than a word; of one more it would be.
#[test]
fn sums_of_public_inputs_fit_a_word() {
    let sum = |count: usize| BigUint::from_bytes_le((-Fr::ONE).to_repr().as_ref()) * count;
    let word = BigUint::from(1u8) << (8 * WORD);
    let most = generate::MOST_ADDED;
    assert!(sum(most) < word && sum(most + 1) >= word);
    for generated in all() {
        let g2 = [generated.key.params().g2(), -generated.key.params().s_g2()];
        let mut protocol = generated.protocol.clone();
        let mut text = |inputs: usize| {
            protocol.public_inputs = inputs;
            generate::body(&protocol, &g2).unwrap().fallback
        };
        assert!(!text(most).contains("The public inputs as one fraction"));
        // The words of a point and of the largest mask: as much code as of one more than are added up.
        let mask = SignerMask::words_of(MAX_MASKED);
        let largest = MESSAGE + POINT_INPUTS + mask;
        let [next, largest] = [most + 1, largest].map(|inputs| {
            let text = text(inputs);
            assert!(text.contains("The public inputs as one fraction"));
            generate::estimate(&text)
        });
        assert!(largest < next + 200, "{next}, {largest}");
    }
}
