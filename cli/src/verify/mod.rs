//! `muster verify`.

mod expected;

use std::path::{Path, PathBuf};

use muster_circuits::Statement;
use muster_params::INSECURE_WARNING;
use muster_prover::{encoding::to_hex, files::ProofFile, proof::BatchError, VerifierKey};
use serde_json::{json, Value};

use self::expected::{Expected, ExpectedArgs};
use crate::{
    fault::{Missing, ProofFault},
    progress::Progress,
    report::{claimed, joined, list, statement_json, statement_rows, Report},
    table, Error,
};

/// Verify proofs of what you expect; several are verified together, with one pairing per thread.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster verify --keys keys proof.json --threshold 8 --root 0x… --message 0x…
  muster verify --keys keys proof.json --threshold 8 --root 0x… --digest 0x…
  muster verify --keys votes-keys proof.json --threshold 67 --root 0x… --precommit message.json
  muster verify --keys mask-keys proof.json --threshold 3 --root 0x… --message 0x… --signers 0,2,5
  muster verify --keys keys proofs/*.json --threshold 8 --root 0x… --unchecked

Anyone can prove that a committee of their own signed. So a proof is accepted only if it is about the root, the
threshold and the message that you expect, and, if it says who signed, about these signers. If any of these is
missing, nothing is verified and the exit status is 2. With --unchecked, missing values are taken from the proof, and
printed; the verdict lists what was not compared. Compare it yourself before you rely on the proof.

`muster root COMMITTEE --keys DIR` prints the root. What is printed about the SRS is what the keys claim: compare
the verifying key with one that you trust.")]
pub(super) struct VerifyArgs {
    /// Directory with shape.json and verifying.key.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    #[command(flatten)]
    expected: ExpectedArgs,
    /// The proofs' files.
    #[arg(required = true, value_name = "PROOF")]
    proofs: Vec<PathBuf>,
}

/// What a proof that verifies is worth.
struct Verdict {
    /// What it was not compared with.
    missing: Vec<Missing>,
    /// Whether the SRS behind it is insecure, as the keys say.
    insecure: bool,
    /// Whether anything was compared.
    compared_any: bool,
}

impl Verdict {
    fn of(expected: &Expected, key: &VerifierKey) -> Self {
        let missing = expected.missing(key.shape());
        let compared_any = missing != Expected::default().missing(key.shape());
        Self { missing, insecure: key.srs().insecure, compared_any }
    }

    /// In words.
    fn text(&self) -> String {
        let names = Missing::names(&self.missing);
        let missing = match self.missing.len() {
            0 => None,
            _ if !self.compared_any => Some("nothing was compared".to_owned()),
            1 => Some(format!("the {names} was not compared")),
            _ => Some(format!("{names} were not compared")),
        };
        let insecure = self.insecure.then(|| "the SRS is INSECURE".to_owned());
        let but: Vec<_> = missing.into_iter().chain(insecure).collect();
        if but.is_empty() {
            "accepted".into()
        } else {
            format!("accepted, but {}", but.join(" and "))
        }
    }
}

pub(super) fn run(args: &VerifyArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let key = VerifierKey::load(&args.keys)?;
    if key.srs().insecure {
        progress.warn(INSECURE_WARNING);
    }
    let expected = args.expected.of(key.shape())?;
    let verdict = Verdict::of(&expected, &key);
    let paths = args.proofs.iter().map(PathBuf::as_path);
    let read = paths.map(|path| Ok((path, ProofFile::read(path)?)));
    let files = read.collect::<Result<Vec<_>, Error>>()?;
    let (statements, taken) = progress.timed("verifying", || judge(&expected, &key, &files));
    let statements = statements?;
    if !verdict.missing.is_empty() {
        let options = list(verdict.missing.iter().map(|part| part.option));
        progress
            .warn(&format!("compare what the proof says with what you expect, or give {options}"));
    }
    let digest = to_hex(&key.digest());
    let mut text = String::new();
    for ((path, _), statement) in files.iter().zip(&statements) {
        let mut rows = vec![("scheme", key.shape().scheme_name())];
        rows.extend(statement_rows(statement));
        text += &format!("{}: {}\n{}", verdict.text(), path.display(), table::table(&rows));
    }
    let rows = [
        ("verifying key", digest.clone()),
        ("SRS", key.srs().claim()),
        ("time", table::time(taken)),
    ];
    text += &table::table(&rows);
    let proofs = files.iter().zip(&statements);
    let json = json!({
        "accepted": true,
        "verdict": verdict.text(),
        "compared": verdict.missing.is_empty(),
        "not_compared": verdict.missing.iter().map(|part| part.option).collect::<Vec<_>>(),
        "insecure": verdict.insecure,
        "proofs": proofs.map(|((path, file), s)| to_json(path, file, s)).collect::<Vec<_>>(),
        "vk_digest": digest,
        "srs": claimed(&key.srs().into()),
        "verify_s": taken.as_secs_f64(),
    });
    Ok(Report { text, json })
}

/// Checks that a file has the proof of a statement.
pub(super) fn holds(
    key: &VerifierKey,
    file: &ProofFile,
    statement: &Statement,
) -> Result<(), ProofFault> {
    let statement = Expected::whole(statement).statement(key, file)?;
    Ok(key.verify(&statement, &file.proof)?)
}

/// What the proofs prove, or all the bad ones.
fn judge(
    expected: &Expected,
    key: &VerifierKey,
    files: &[(&Path, ProofFile)],
) -> Result<Vec<Statement>, Error> {
    let claims: Vec<_> = files.iter().map(|(_, file)| expected.statement(key, file)).collect();
    let named = |(path, _): &(&Path, ProofFile)| path.to_path_buf();
    let fault = |(file, claim): (_, &Result<_, ProofFault>)| {
        Some((named(file), claim.as_ref().err()?.clone()))
    };
    let faults: Vec<_> = files.iter().zip(&claims).filter_map(fault).collect();
    if !faults.is_empty() {
        return Err(Error::BadProofs(faults));
    }
    let statements: Vec<Statement> = claims.into_iter().flatten().collect();
    let proofs = files.iter().map(|(_, file)| &file.proof);
    let batch: Vec<_> = statements.iter().cloned().zip(proofs).collect();
    key.verify_batch(&batch).map_err(|BatchError(bad)| {
        let fault = |(place, error): (usize, _)| (named(&files[place]), ProofFault::Proof(error));
        Error::BadProofs(bad.into_iter().map(fault).collect())
    })?;
    Ok(statements)
}

fn to_json(path: &Path, file: &ProofFile, statement: &Statement) -> Value {
    let file = json!({
        "file": path.display().to_string(),
        "scheme": file.shape.scheme,
        "kind": file.proof.kind(),
    });
    joined(statement_json(statement), file)
}
