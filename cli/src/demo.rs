//! `muster demo`.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use muster_circuits::{Columns, Scheme, Shape, SignerMask, Statement};
use muster_prover::{
    encoding::{field_to_hex, message_to_hex, to_hex},
    input,
    keys::PROVING_KEY_FILE,
    prove_profiled,
    sample::{check_numbers, Plan, Sample, Source},
    Keys, Memory, Profile, Proof, ProofKind, SrsCache, VerifierKey,
};
use muster_schemes::decimal;
use serde_json::json;

use crate::{
    groups::{self, Quorum},
    on_chain::{ChainKey, ChainProof, Verified},
    options::{ChoiceArgs, KeysArgs},
    profile::ProfileArg,
    progress::Progress,
    report::Report,
    shape::{describe, Places, ShapeArgs},
    srs_args::SrsArgs,
    table,
    values::{kinds, schemes},
    Error,
};

/// Run every step on fresh keys: committee, signatures, commitment, keys, proof, verdict, the
/// contract in an EVM, and what it all costs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster demo
  muster demo --scheme musig-babyjubjub --signers 64 --signing 40
  muster demo --scheme ecdsa-secp256k1 --keys address
  muster demo --scheme schnorr-babyjubjub --frost 7/10
  muster demo --srs hermez-raw-12
  muster demo --kind compact
  muster demo --signers 256 --signing 128 --profile")]
pub(super) struct DemoArgs {
    /// Name of the scheme; see `muster schemes`.
    #[arg(long, value_parser = schemes(), default_value_t = Scheme::Schnorr)]
    scheme: Scheme,
    #[command(flatten)]
    keys: KeysArgs,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// Number of members of the committee.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = decimal::read::<usize>)]
    signers: usize,
    /// How many of them sign, which is also the threshold.
    #[arg(long, value_name = "K", default_value_t = 8, value_parser = decimal::read::<usize>)]
    signing: usize,
    /// Make every member a FROST group, in which T of N members sign: schnorr-babyjubjub only.
    #[arg(long, value_name = "T/N")]
    frost: Option<Quorum>,
    /// Format of the proof. The contract takes compact.
    #[arg(long, value_parser = kinds(), default_value = "fast")]
    kind: ProofKind,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    shape: ShapeArgs,
    /// File with a ceremony's SRS (default: from the cache, or a new insecure one).
    #[arg(long, value_name = "FILE")]
    srs: Option<PathBuf>,
    /// The second file of a .point pair: tau in G2.
    #[arg(long, value_name = "FILE", requires = "srs")]
    srs_g2: Option<PathBuf>,
}

/// What happened with the contract.
enum Contract {
    /// It accepted the proof.
    Accepted { proof_bytes: usize, verified: Verified, taken: Duration },
    /// It reads no proofs of this format.
    NotRun,
}

/// What was proven, and with what.
struct Story {
    shape: Shape,
    statement: Statement,
    key: VerifierKey,
    contract: Contract,
    /// How long each step took, by its name for people and for programs.
    steps: [(&'static str, &'static str, Duration); 10],
    proof_bytes: u64,
    proving_key_bytes: u64,
    profile: Profile,
}

pub(super) fn run(args: &DemoArgs) -> Result<Report, Error> {
    let story = play(args, &Progress::new())?;
    Ok(tell(args, &story))
}

fn play(args: &DemoArgs, progress: &Progress) -> Result<Story, Error> {
    let (scheme, keys) = (args.scheme, args.keys.of(args.scheme)?);
    let suite = args.choices.suite(scheme, keys)?;
    // Before a layout is searched for.
    check_numbers(args.signers, args.signing)?;
    let places = Places {
        members: args.signers,
        slots: args.signing,
        absent: Some(args.signers - args.signing),
    };
    let start = Instant::now();
    let shape = args.shape.fit(suite, places, progress)?;
    let planned = start.elapsed();
    let plan = Plan {
        scheme,
        keys,
        form: Some(suite.form()),
        hash: suite.hash(),
        signers: args.signers,
        signing: args.signing,
        message: None,
        tree: (shape.arity, shape.depth),
    };
    let what = format!("{}, {} of them sign", members(args), args.signing);
    let (made, sample_time) = progress.timed(&what, || match args.frost {
        Some(quorum) => groups::sample(&plan, quorum, Source::random()),
        None => Ok(Sample::new(&plan, Source::random())?),
    });
    let made = made?;
    let (tree, root_time) =
        progress.timed("committing to the key set", || shape.tree(&made.committee));
    let (key_set_root, threshold) = (tree?.root(), args.signing as u64);
    let (message, Sample { committee, signatures, .. }) = (made.message.clone(), &made);
    let signers = shape.terms()?.signers(shape.slots, committee, signatures, threshold)?;
    let statement = Statement { key_set_root, threshold, message, signers };
    let srs_args =
        SrsArgs { srs: args.srs.clone(), srs_g2: args.srs_g2.clone(), insecure_srs: true };
    let degree = Keys::srs_degree(&shape, args.kind)?;
    let (srs, srs_time) = progress.timed("looking for an SRS", || srs_args.load(degree, progress));
    let srs = srs?;
    let what = format!("making keys: {}", describe(&shape));
    let (keys, keygen) = progress.timed(&what, || Keys::make_for(&srs, &shape, args.kind));

    let dir = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
    let (saved, save) = progress.timed("writing the keys", || keys?.save(dir.path(), true));
    saved?;
    let (keys, load) = progress.timed("reading the keys", || Keys::load(dir.path()));
    let mut keys = keys?;
    keys.keep_bases_in(SrsCache::from_env());
    let (prepared, prepare) =
        progress.timed("preparing what proofs share", || keys.prepare(&srs, Memory::Low));
    prepared?;
    let (proof, prove) = progress.timed("proving", || {
        let witness = shape.terms()?.verify(&statement, committee, signatures)?;
        Ok::<_, Error>(prove_profiled(&srs, &keys, &witness)?)
    });
    let (proof, profile) = proof?;
    let key = VerifierKey::load(dir.path())?;
    let (verdict, verify) = progress.timed("verifying", || key.verify(&statement, &proof));
    verdict.map_err(muster_prover::Error::Unproven)?;
    let steps = [
        ("planning the circuit", "plan_s", planned),
        ("keys and signatures", "sample_s", sample_time),
        ("commitment to the set", "root_s", root_time),
        ("SRS", "srs_s", srs_time),
        ("keygen", "keygen_s", keygen),
        ("writing the keys", "save_s", save),
        ("reading the keys", "load_s", load),
        ("what proofs share", "prepare_s", prepare),
        ("prove", "prove_s", prove),
        ("verify", "verify_s", verify),
    ];
    let proof_bytes = proof.bytes().len() as u64;
    let proving_key_bytes = input::open(&dir.path().join(PROVING_KEY_FILE))?.1;
    let contract = run_contract(key.clone(), &statement, &proof, progress)?;
    Ok(Story { shape, statement, key, contract, steps, proof_bytes, proving_key_bytes, profile })
}

/// The members in words.
fn members(args: &DemoArgs) -> String {
    match args.frost {
        Some(quorum) => format!("{} groups of {quorum}", args.signers),
        None => format!("{} members", args.signers),
    }
}

/// Has the one contract for all keys verify the proof.
fn run_contract(
    key: VerifierKey,
    statement: &Statement,
    proof: &Proof,
    progress: &Progress,
) -> Result<Contract, Error> {
    let Some(key) = ChainKey::of(key) else { return Ok(Contract::NotRun) };
    let bytes = key.key().calldata(statement, proof).map_err(muster_prover::Error::Unproven)?;
    let proof = ChainProof { inputs: statement.public_inputs(), bytes };
    let (verified, taken) = progress.timed("running the contract", || key.verify(&proof));
    Ok(Contract::Accepted { proof_bytes: proof.bytes.len(), verified: verified?, taken })
}

impl Contract {
    fn describe(&self) -> String {
        match self {
            Self::Accepted { proof_bytes, verified: Verified { gas, code_bytes }, .. } => format!(
                "accepted by an EVM for {gas} gas; {code_bytes} B of code, a proof of {proof_bytes} B"
            ),
            Self::NotRun => "not run: it verifies proofs of --kind compact".into(),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Self::Accepted { proof_bytes, verified, taken } => json!({
                "accepted": true,
                "gas": verified.gas,
                "runtime_bytes": verified.code_bytes,
                "proof_bytes": proof_bytes,
                "run_s": taken.as_secs_f64(),
            }),
            Self::NotRun => json!({ "accepted": null }),
        }
    }
}

/// What the proof shows of the signers.
fn shown(statement: &Statement) -> String {
    match &statement.signers {
        None => "The proof shows neither who they are nor any signature, only that there are enough of them.".into(),
        Some(mask) => format!("The proof shows who they are, members {mask}, but no signature."),
    }
}

fn tell(args: &DemoArgs, story: &Story) -> Report {
    let Story { shape, statement, key, contract, steps, profile, .. } = story;
    let columns = Columns::of(&shape.layout);
    let (root, message) =
        (field_to_hex(&statement.key_set_root), message_to_hex(&statement.message));
    let mut rows = vec![
        ("shape", describe(shape)),
        ("advice columns", columns.advice.to_string()),
        ("lookup arguments", columns.lookups.to_string()),
        ("fixed columns", columns.fixed.to_string()),
        ("permutation columns", columns.permutation.to_string()),
    ];
    rows.extend(steps.iter().map(|(name, _, time)| (*name, table::time(*time))));
    rows.extend([
        ("proof", table::bytes(story.proof_bytes)),
        ("proving key", table::bytes(story.proving_key_bytes)),
        ("contract", contract.describe()),
    ]);
    let insecure = if key.srs().insecure {
        "The SRS is insecure: the proof is worthless to others. Get a ceremony's SRS with \
         `muster srs fetch`.\n"
    } else {
        ""
    };
    let text = format!(
        "Proven and verified: at least {} of the {} of the set {root} signed {message}.\n\
         {}\n{insecure}\n{}{}",
        args.signing,
        members(args),
        shown(statement),
        table::table(&rows),
        args.profile.text(profile)
    );
    let mut json = json!({
        "accepted": true,
        "scheme": shape.scheme,
        "signers": args.signers,
        "signing": args.signing,
        "frost": args.frost.map(|quorum| quorum.to_string()),
        "key_set_root": root,
        "threshold": statement.threshold,
        "message": message,
        "named": statement.signers.as_ref().map(SignerMask::to_vec),
        "kind": args.kind,
        "shape": shape,
        "advice": columns.advice,
        "lookup": columns.lookups,
        "fixed": columns.fixed,
        "permutation": columns.permutation,
        "profile": args.profile.json(profile),
        "proof_bytes": story.proof_bytes,
        "proving_key_bytes": story.proving_key_bytes,
        "contract": contract.json(),
        "vk_digest": to_hex(&key.digest()),
        "srs": { "insecure": key.srs().insecure, "digest": to_hex(&key.srs().digest) },
    });
    for (_, name, time) in steps {
        json[name] = json!(time.as_secs_f64());
    }
    Report { text, json }
}
