//! A committee of each scheme and signatures by its members, for the targets that change them.

use std::{fs, path::PathBuf, sync::OnceLock};

use muster_circuits::{KeyKind, PointHash, Scheme};
use muster_prover::{
    files::{CommitteeFile, SignaturesFile},
    sample::{Plan, Sample, Source},
};
use serde_json::Value;
use tempfile::{tempdir, TempDir};

/// What the files of a sample hold.
pub(crate) struct Files {
    pub(crate) committee: CommitteeFile,
    #[allow(dead_code, reason = "not every target changes signatures")]
    pub(crate) signatures: Value,
}

impl Files {
    fn new(scheme: Scheme, keys: KeyKind) -> Self {
        let (form, hash, message) = (None, PointHash::default(), None);
        let (signers, signing, tree) = (4, 2, (scheme.default_arity(), 2));
        let plan = Plan { scheme, keys, form, hash, signers, signing, message, tree };
        let sample = Sample::new(&plan, Source::from_text("fuzz")).expect("2 of 4 sign");
        let Sample { committee, message, signatures, .. } = sample;
        let signatures = SignaturesFile { scheme, message, signatures }.to_json();
        let committee = CommitteeFile { scheme, keys, committee, narrowed: None, left_out: vec![] };
        Self { committee, signatures }
    }
}

/// One of each scheme and each way to name members.
pub(crate) fn samples() -> &'static [Files] {
    static SAMPLES: OnceLock<Vec<Files>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let named = |scheme: &Scheme| {
            let kinds = [KeyKind::Coordinates, KeyKind::Address].into_iter();
            let scheme = *scheme;
            kinds.filter(move |keys| scheme.names_members_by(*keys)).map(move |keys| (scheme, keys))
        };
        Scheme::ALL.iter().flat_map(named).map(|(scheme, keys)| Files::new(scheme, keys)).collect()
    })
}

/// Writes a file, always the same one.
pub(crate) fn write(content: &[u8]) -> PathBuf {
    static DIR: OnceLock<TempDir> = OnceLock::new();
    let dir = DIR.get_or_init(|| tempdir().expect("a folder for temporary files"));
    let path = dir.path().join("file.json");
    fs::write(&path, content).expect("the folder can be written to");
    path
}
