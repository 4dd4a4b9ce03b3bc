//! `muster translate verify`.

use std::path::PathBuf;

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::translation::TranslationStatement;
use muster_params::INSECURE_WARNING;
use muster_prover::{
    encoding::{field_to_hex, to_hex},
    files::TranslationFile,
    TranslationVerifierKey,
};
use muster_schemes::decimal;
use serde_json::json;

use super::said::{rows, to_json};
use crate::{
    fault::same_key,
    on_chain::OnChain,
    progress::Progress,
    report::{claimed, joined, Report},
    table,
    values::{field_element, word},
    Error, ProofFault,
};

/// Verify a translation of the hash that you know.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster translate verify --keys keys translation.json --hash 0x…
  muster translate verify --keys keys translation.json --hash 0x… --root 0x… --members 19 --total-weight 19

Take --hash from the chain itself: from a header that its committee in office has signed, or from its contract. Anyone can
translate the hash of a committee of their own. What is printed beside it is proven: the root, how many members there are
and what they weigh together. With --root, --members and --total-weight, it has to be these. Where a hash does not say how
many members there are, as the root of a group of Semaphore, --members is required: take it from the chain, too.

What is printed about the SRS is what the keys claim: compare the verifying key with one that you trust.")]
pub(super) struct VerifyArgs {
    /// Directory with shape.json and verifying.key.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The proof's file.
    #[arg(value_name = "PROOF")]
    proof: PathBuf,
    /// The chain's own hash of its committee.
    #[arg(long, value_name = "HEX", value_parser = word)]
    hash: [u8; 32],
    /// The key-set root that the proof must be about.
    #[arg(long, value_name = "HEX", value_parser = field_element)]
    root: Option<Fr>,
    /// How many members there must be.
    #[arg(long, value_name = "N", value_parser = decimal::read::<u64>)]
    members: Option<u64>,
    /// What they must weigh together.
    #[arg(long, value_name = "W", value_parser = decimal::read::<u64>)]
    total_weight: Option<u64>,
}

pub(super) fn run(args: &VerifyArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let key = TranslationVerifierKey::load(&args.keys)?;
    let kind = key.shape().commitment;
    if !kind.fixes_number() && args.members.is_none() {
        let reason = "does not say how many members there are: take the number from the chain, too, and give --members";
        return Err(Error::usage(format!("the hash of {kind} {reason}")));
    }
    let insecure = key.srs().insecure;
    if insecure {
        progress.warn(INSECURE_WARNING);
    }
    let file = TranslationFile::read(&args.proof)?;
    let (verdict, taken) = progress.timed("verifying", || args.judge(&key, &file));
    let statement = verdict.map_err(|fault| Error::BadProofs(vec![(args.proof.clone(), fault)]))?;
    let verdict = if insecure { "accepted, but the SRS is INSECURE" } else { "accepted" };
    let digest = to_hex(&key.digest());
    let mut rows = rows(kind, &statement);
    rows.extend([
        ("verifying key", digest.clone()),
        ("SRS", key.srs().claim()),
        ("time", table::time(taken)),
    ]);
    let text = format!("{verdict}: {}\n{}", args.proof.display(), table::table(&rows));
    let json = to_json(kind, &statement);
    let more = json!({
        "accepted": true,
        "verdict": verdict,
        "insecure": insecure,
        "proof": args.proof.display().to_string(),
        "kind": file.proof.kind(),
        "vk_digest": digest,
        "srs": claimed(&key.srs().into()),
        "verify_s": taken.as_secs_f64(),
    });
    Ok(Report { text, json: joined(json, more) })
}

impl VerifyArgs {
    /// What the file's proof proves of the hash.
    fn judge(
        &self,
        key: &TranslationVerifierKey,
        file: &TranslationFile,
    ) -> Result<TranslationStatement, ProofFault> {
        same_key(key, file)?;
        let claim = key.shape().claim(file.claimed_inputs())?;
        let root = self.root.unwrap_or(claim.key_set_root);
        let [members, total] = [
            self.members.unwrap_or(claim.members),
            self.total_weight.unwrap_or(claim.total_weight),
        ];
        for (what, expected, found) in [
            ("hash", to_hex(&self.hash), to_hex(&claim.commitment)),
            ("key-set root", field_to_hex(&root), field_to_hex(&claim.key_set_root)),
            ("number of members", members.to_string(), claim.members.to_string()),
            ("total weight", total.to_string(), claim.total_weight.to_string()),
        ] {
            if expected != found {
                return Err(ProofFault::OtherStatement { what, expected, found });
            }
        }
        key.verify(&claim, &file.proof)?;
        Ok(claim)
    }
}
