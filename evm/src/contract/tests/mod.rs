//! Tests of generated verifiers, on the code that is checked in under `contracts/generated`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fq, Fr},
    ff::{Field, PrimeField},
};
use muster_circuits::{
    encoding::{field_from_hex, from_hex},
    Message, Shape, Statement, KEY_SET_ROOT, MESSAGE, THRESHOLD,
};
use muster_prover::{Proof, ProofKind, VerifierKey};
use serde::Deserialize;

use super::{
    evm::{Address, Evm, Outcome, SENDER},
    protocol::{Protocol, POINT, WORD},
    solc::{Solc, VERSION},
    ContractKey, SrsName, CONTRACT, FIXTURE_FILE, MANIFEST_FILE,
};
use crate::bridge::Calldata;

mod accepted;
mod client;
mod digest;
mod gas;
mod graph;
mod parts;
mod plain;
mod rejected;
mod source;
mod stage;
mod words;
mod wrapper;

/// The compiler; none where this machine lacks it, which is said.
fn compiler() -> Option<Solc> {
    let solc = Solc::find();
    if solc.is_none() {
        muster_testing::skip(&format!("solc {VERSION}"), "run `npm ci` in contracts");
    }
    solc
}

/// A folder of `contracts/generated`.
struct Generated {
    dir: PathBuf,
    key: VerifierKey,
    protocol: Protocol,
    inputs: Vec<Fr>,
    proof: Vec<u8>,
}

#[derive(Deserialize)]
struct Fixture {
    public_inputs: Vec<String>,
    proof: String,
    calldata: String,
}

impl Generated {
    fn read(dir: PathBuf) -> Self {
        let key = VerifierKey::load(&dir).unwrap();
        let fixture: Fixture =
            serde_json::from_slice(&fs::read(dir.join(FIXTURE_FILE)).unwrap()).unwrap();
        let inputs: Vec<_> =
            fixture.public_inputs.iter().map(|input| field_from_hex(input).unwrap()).collect();
        let proof = from_hex(&fixture.proof).unwrap();
        assert_eq!(calldata(&inputs, &proof), from_hex(&fixture.calldata).unwrap());
        let protocol = Protocol::new(&contract_key(&key)).unwrap();
        Self { dir, key, protocol, inputs, proof }
    }

    fn contract_key(&self) -> ContractKey<'_> {
        contract_key(&self.key)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.dir.join(name)).unwrap()
    }

    fn manifest(&self) -> serde_json::Value {
        serde_json::from_str(&self.text(MANIFEST_FILE)).unwrap()
    }

    /// What the manifest says that a good proof takes.
    fn gas(&self) -> u64 {
        self.manifest()["gas"]["execution"].as_u64().unwrap()
    }

    fn code(&self, suffix: &str) -> Vec<u8> {
        hex::decode(self.text(&format!("{CONTRACT}.{suffix}")).trim()).unwrap()
    }

    /// Creation code of the contracts that the verifier calls.
    fn parts(&self) -> Vec<Vec<u8>> {
        let files = (1..).map(|number| format!("part{number}.bin"));
        let exists = |file: &String| self.dir.join(format!("{CONTRACT}.{file}")).exists();
        files.take_while(exists).map(|file| self.code(&file)).collect()
    }

    fn deploy(&self, evm: &mut Evm) -> Address {
        let deployed = evm.deploy_with_parts(&self.parts(), &self.code("bin")).unwrap();
        deployed.last().unwrap().address
    }

    fn deployed(&self) -> (Evm, Address) {
        let mut evm = Evm::default();
        let contract = self.deploy(&mut evm);
        (evm, contract)
    }

    /// What was signed, an element; a digest is below the modulus, whatever it comes in.
    fn message(&self) -> Fr {
        match self.inputs[MESSAGE..self.key.shape().mask_inputs().start] {
            [high, low] => high * Fr::from(2).pow_vartime([128]) + low,
            _ => self.inputs[MESSAGE],
        }
    }

    fn calldata(&self) -> Vec<u8> {
        calldata(&self.inputs, &self.proof)
    }

    /// What the public inputs say.
    fn statement(&self) -> Statement {
        statement(self.key.shape(), &self.inputs)
    }

    /// Calldata of public inputs and a proof.
    fn bring(&self, inputs: &[Fr], proof: &[u8]) -> Calldata {
        Calldata::claimed(self.key.shape(), inputs, proof).unwrap()
    }

    /// Whether our own verifier takes what stands in calldata, which has the right length.
    fn natively(&self, calldata: &[u8]) -> bool {
        let (inputs, proof) = calldata.split_at(WORD * self.inputs.len());
        let read = |word: &[u8]| {
            let mut repr: [u8; WORD] = word.try_into().unwrap();
            repr.reverse();
            Fr::from_repr(repr).into_option()
        };
        let inputs: Option<Vec<_>> = inputs.chunks(WORD).map(read).collect();
        let statement = inputs.and_then(|inputs| claim(self.key.shape(), &inputs));
        statement.is_some_and(|statement| self.key.verify(&statement, &halo2(proof)).is_ok())
    }
}

/// What contracts are written for.
fn contract_key(key: &VerifierKey) -> ContractKey<'_> {
    let srs = SrsName { insecure: key.srs().insecure, digest: key.srs().digest };
    let (shape, digest) = (key.shape(), key.contract_digest());
    ContractKey { shape, vk: key.vk(), params: key.params(), digest, srs }
}

/// The statement that public inputs of a shape claim, if they are of one.
fn claim(shape: &Shape, inputs: &[Fr]) -> Option<Statement> {
    let threshold = inputs[THRESHOLD].to_bytes();
    let (low, high) = threshold.split_at(8);
    let small = high.iter().all(|byte| *byte == 0);
    let threshold = u64::from_le_bytes(low.try_into().unwrap());
    let message = Message::from_public_inputs(&inputs[MESSAGE..shape.mask_inputs().start]);
    let signers = shape.signers(inputs).ok()?;
    let key_set_root = inputs[KEY_SET_ROOT];
    let of = |message| Statement { key_set_root, threshold, message, signers };
    message.filter(|_| small).map(of)
}

/// The statement of these public inputs.
fn statement(shape: &Shape, inputs: &[Fr]) -> Statement {
    claim(shape, inputs).unwrap()
}

/// A proof of the format that contracts take.
fn halo2(bytes: &[u8]) -> Proof {
    Proof::new(ProofKind::Halo2, bytes)
}

/// What a verifier takes.
fn calldata(inputs: &[Fr], proof: &[u8]) -> Vec<u8> {
    Calldata::of(inputs, proof).verifier()
}

/// The folder of what is checked in.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts/generated")
}

/// Whether files that tests compare with are to be written.
fn updates_golden() -> bool {
    std::env::var_os("MUSTER_UPDATE_GOLDEN").is_some_and(|value| value == "1")
}

/// All folders.
fn all() -> Vec<Generated> {
    let mut dirs: Vec<_> =
        fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).collect();
    dirs.sort();
    let all: Vec<_> = dirs.into_iter().filter(|dir| dir.is_dir()).map(Generated::read).collect();
    assert!(!all.is_empty());
    all
}

/// Those whose committee signed for the light client. Others signed bytes, of which the light client's digest is no hash, or
/// say who signed, which the light client does not.
fn for_clients() -> Vec<Generated> {
    let mut all = all();
    all.retain(|generated| is_for_clients(generated.key.shape()));
    all
}

/// Whether a light client takes statements of this shape.
fn is_for_clients(shape: &Shape) -> bool {
    shape.message.is_public() && !shape.mask
}

/// Adds a modulus to a word; whether there is room for it.
fn add(word: &mut [u8], modulus: &str) -> bool {
    let modulus = hex::decode(modulus.trim_start_matches("0x")).unwrap();
    let mut carry = 0;
    for (byte, more) in word.iter_mut().zip(modulus).rev() {
        let sum = u16::from(*byte) + u16::from(more) + carry;
        *byte = sum as u8;
        carry = sum >> 8;
    }
    carry == 0
}

/// The moduli of scalars and coordinates.
const SCALARS: &str = Fr::MODULUS;
const COORDINATES: &str = Fq::MODULUS;
