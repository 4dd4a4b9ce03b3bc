//! `muster translate prove`.

use std::{io::Write, path::PathBuf};

use muster_circuits::{translation::TranslationWitness, CircuitShape, Error as CircuitError};
use muster_prover::{
    encoding::to_hex,
    files::{CommitteeFile, TranslationFile},
    keys::TranslationKeyFiles,
    output::Output,
    prove_profiled, Memory, SrsCache, TranslationVerifierKey,
};
use muster_sweep::memory::peak;
use serde_json::json;

use super::said::{empty_places, rows, to_json};
use crate::{
    memory::prepare,
    options::{AdmissionArgs, InsecureKeys},
    progress::Progress,
    report::{joined, Report},
    srs_args::{srs_of_keys, SrsArgs},
    table,
    values::word,
    Error, ProofFault,
};

/// Prove that a committee's root holds the members of a chain's commitment.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster translate prove --keys keys --committee committee.json --out translation.json
  muster translate prove --keys keys --committee committee.json --hash 0x… --out translation.json
  muster translate prove --keys keys --committee beacon/committee.json --seats --out translation.json

The committee is what `muster import` writes: its members in the order of the chain, with the weights that the chain
has. The hash of it is computed; with --hash, it has to be the one that the chain has. A committee of which anybody was left
out, or whose weights were shifted, has another hash, and cannot be translated. A validator of CometBFT whose key no set holds is a
member with an empty place, and so is an authority of BEEFY without an address: the weight counts, nobody can sign, and the
proof shows both.")]
pub(super) struct ProveArgs {
    /// Directory with the keys.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The committee's file.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    #[command(flatten)]
    admission: AdmissionArgs,
    /// The hash that the chain has.
    #[arg(long, value_name = "HEX", value_parser = word)]
    hash: Option<[u8; 32]>,
    #[command(flatten)]
    srs: SrsArgs,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    /// File for the proof.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &ProveArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let (mut output, file) = Output::single(&args.out, args.force)?;
    let files = TranslationKeyFiles::open(&args.keys)?;
    let committee = CommitteeFile::read(&args.committee, args.admission.admission())?;
    let witness = args.witness(files.verifier(), &committee)?;
    let mut keys = progress.run("reading the keys", || files.read())?;
    keys.keep_bases_in(SrsCache::from_env());
    let srs = srs_of_keys(&args.srs, &keys.verifier(), &progress)?;
    let preparation = prepare(&srs, &keys, Memory::Low, &progress)?;
    let (made, taken) = progress.timed("proving", || prove_profiled(&srs, &keys, &witness));
    let taken = preparation.total() + taken;
    let (proof, _) = made?;
    let written = TranslationFile::new(&keys, witness.statement(), proof);
    output.write(&file, |writer| writer.write_all(written.to_json().as_bytes()))?;
    output.commit()?;
    let (kind, statement) = (keys.shape().commitment, witness.statement());
    let bytes = written.proof.bytes().len();
    let mut rows = rows(kind, statement);
    rows.extend([
        ("verifying key", to_hex(&keys.vk_digest())),
        ("kind", written.proof.kind().name().to_owned()),
        ("proof", table::bytes(bytes as u64)),
        ("time", table::time(taken)),
    ]);
    let (empty_row, empty) = empty_places(&committee);
    rows.extend(empty_row);
    let insecure = InsecureKeys::of(&committee);
    let text = format!("{insecure}proof in {}\n{}", args.out.display(), table::table(&rows));
    let json = to_json(kind, statement);
    let more = json!({
        "proof": args.out.display().to_string(),
        "empty": empty,
        "insecure_keys": insecure.to_json(),
        "kind": written.proof.kind(),
        "proof_bytes": bytes,
        "vk_digest": to_hex(&keys.vk_digest()),
        "srs": written.srs,
        "prove_s": taken.as_secs_f64(),
        "peak_bytes": peak(),
    });
    Ok(Report { text, json: joined(json, more) })
}

impl ProveArgs {
    /// What holds of the committee, if it is of the keys' kind and whole, and has the expected hash.
    fn witness(
        &self,
        key: &TranslationVerifierKey,
        committee: &CommitteeFile,
    ) -> Result<TranslationWitness, Error> {
        let (shape, path) = (key.shape(), &self.committee);
        let kind = shape.commitment;
        if (committee.scheme, committee.keys) != (shape.scheme(), kind.keys()) {
            let reason = format!(
                "{}, but {kind} is of {} named by {}",
                committee.scheme,
                shape.scheme(),
                kind.keys()
            );
            return Err(Error::field(path, "scheme", reason));
        }
        if let Some(one) = committee.left_out.first() {
            let reason = format!("the chain's commitment holds {}, which no set can hold", one.key);
            return Err(Error::field(path, "left_out[0]", reason));
        }
        if committee.narrowed.is_some() {
            let reason = "the chain's commitment holds the weights before they were shifted";
            return Err(Error::field(path, "narrowed", reason));
        }
        let witness = shape.witness(&committee.committee).map_err(|error| match error {
            CircuitError::TooManyMembers { .. }
            | CircuitError::OtherSeats { .. }
            | CircuitError::Tree(_)
            | CircuitError::Commitment(_) => Error::field(path, "members", error),
            other => other.into(),
        })?;
        let found = witness.statement().commitment;
        match self.hash {
            Some(expected) if expected != found => {
                let (expected, found) = (to_hex(&expected), to_hex(&found));
                let fault = ProofFault::OtherStatement { what: "hash", expected, found };
                Err(Error::BadProofs(vec![(path.clone(), fault)]))
            }
            _ => Ok(witness),
        }
    }
}
