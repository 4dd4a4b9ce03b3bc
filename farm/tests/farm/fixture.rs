//! A key, pinned in a store, and jobs for it.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use blake2::{digest::consts::U32, Blake2b, Digest as _};
use muster_farm::{
    child::Command,
    job::{About, Job, Keygen, MadeKeys, Prove, SweepRow, Task, Work},
    metrics::Metrics,
    seal::Seal,
    store::{Cache, PinnedKey, Store},
    submit::Shared,
    workshop::{self, Confirmed, Means, Place, Workshop},
    Digest,
};
use muster_prover::{
    encoding::field_from_hex,
    estimate::Size,
    files::{CommitteeFile, SignaturesFile, COMMITTEE_FILE, SIGNATURES_FILE},
    muster_circuits::PointHash,
    sample::{Plan, Sample, Source},
    KeyKind, Keys, Message, Request, Scheme, Shape, Srs, VerifierKey,
};
use muster_verifier::Key;
use tempfile::TempDir;

const SCHEME: Scheme = Scheme::Schnorr;
/// How many sign of how many: another case than 2/4 for measurements.
const CASE: &str = "MUSTER_FARM_CASE";
/// Room for caches of tests.
const CACHE: u64 = 1 << 30;
const CACHE_PREFIX: &str = "cache-";

/// Keys on disk, made once for all tests.
pub(crate) struct Made {
    pub(crate) dir: TempDir,
    pub(crate) keys: Keys,
    srs: Srs,
}

fn case() -> [usize; 2] {
    let given = std::env::var(CASE).unwrap_or_else(|_| "2/4".into());
    let numbers: Vec<usize> = given.split('/').map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

fn signing() -> usize {
    case()[0]
}

fn signers() -> usize {
    case()[1]
}

/// The keys of all tests: Schnorr.
pub(crate) fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let shape = Shape::fit(&Request::new(SCHEME, signers(), signing())).unwrap();
        let srs = Srs::insecure(shape.degree()).unwrap();
        let (dir, keys) = (tempfile::tempdir().unwrap(), Keys::make(&srs, &shape).unwrap());
        keys.save(&dir.path().join("keys"), false).unwrap();
        Made { dir, keys, srs }
    })
}

/// A farm of its own: a store with the key in it.
pub(crate) struct Farm {
    pub(crate) dir: TempDir,
    pub(crate) store: Store,
}

impl Farm {
    pub(crate) async fn new() -> Self {
        Self::sealed(None).await
    }

    /// A farm that encrypts with this key.
    pub(crate) async fn sealed(seal: Option<Seal>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let farm = Self { store: Store::make(&place(&dir)).unwrap().sealed(seal), dir };
        farm.store.found(false).await.unwrap();
        let made = made();
        farm.store.pin(&made.dir.path().join("keys"), &made.keys, &made.srs, false).await.unwrap();
        farm
    }

    /// Where the store is.
    pub(crate) fn place(&self) -> String {
        place(&self.dir)
    }

    /// A workshop with a cache of its own, in this process.
    pub(crate) fn workshop(&self) -> Arc<Workshop> {
        self.workshop_in(Place::Inside)
    }

    pub(crate) fn workshop_in(&self, place: Place) -> Arc<Workshop> {
        self.workshop_with(|means| means.place = place)
    }

    /// The same with other means than all tests'.
    pub(crate) fn workshop_with(&self, change: impl FnOnce(&mut Means)) -> Arc<Workshop> {
        let mut means = means(Place::Inside);
        change(&mut means);
        let dir = tempfile::Builder::new().prefix(CACHE_PREFIX).tempdir_in(self.dir.path());
        let cache = Cache::new(self.store.clone(), dir.unwrap().keep(), CACHE).unwrap();
        Workshop::new(cache, means).unwrap()
    }

    /// Removes the caches of all workshops, as a disk would that is gone.
    pub(crate) fn lose_caches(&self) {
        for entry in fs::read_dir(self.dir.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with(CACHE_PREFIX) {
                fs::remove_dir_all(path).unwrap();
            }
        }
    }

    /// A program that does what ours does, until it is ordered a proof whose order has this text: then it dies at once. Before all others
    /// it waits for a second.
    pub(crate) fn deadly_program(&self, text: &str) -> PathBuf {
        self.program(&format!(
            r#"while IFS= read -r line; do
    case "$line" in *{text}*) kill -KILL 0 ;; esac
    sleep 1
    printf '%s\n' "$line"
done | "$program" "$@""#
        ))
    }

    /// A program that does what ours does, but for proofs something else.
    pub(crate) fn program(&self, proves: &str) -> PathBuf {
        let (path, program) = (self.dir.path().join("program"), env!("CARGO_BIN_EXE_muster-farm"));
        let script = format!(
            r#"#!/bin/sh
program='{program}'
if [ "$1" != child ]; then exec "$program" "$@"; fi
{proves}
"#
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The directory with all requests.
    pub(crate) fn batch(&self) -> PathBuf {
        self.dir.path().join("requests")
    }

    /// Has a request proven, here.
    pub(crate) async fn prove(&self, message: u64) {
        let (workshop, job) = (self.workshop(), self.task(message).await.job);
        assert_eq!(workshop.make(&job).await, workshop::Made::Done);
        assert_eq!(workshop.confirm(&[job]).await.unwrap(), [Confirmed::Yes]);
    }

    /// A folder with the files of a request: everything depends on `message`.
    pub(crate) fn folder(&self, message: u64) -> PathBuf {
        let folder = self.batch().join(format!("request-{message:05}"));
        if !folder.exists() {
            write(&folder, message);
        }
        folder
    }

    /// A job whose statement is true.
    pub(crate) async fn task(&self, message: u64) -> Task {
        self.shared(signing() as u64, &self.folder(message)).await
    }

    /// Keys for so many signers, of whom two sign.
    pub(crate) async fn keygen(&self, signers: usize) -> Job {
        let degree = Some(made().keys.shape().degree());
        let request = Request { degree, ..Request::new(SCHEME, signers, signing()) };
        let keygen = Keygen {
            srs: self.store.put_srs(&made().srs).await.unwrap(),
            origin: made().srs.origin().clone(),
            shape: serde_json::to_value(Shape::fit(&request).unwrap()).unwrap(),
            stride: None,
        };
        Job::new(Work::Keygen(keygen), "tests")
    }

    /// Keys for all tests' shape with packs of this stride, and with an SRS that has powers for these.
    pub(crate) async fn packed(&self, stride: u32) -> Job {
        let shape = made().keys.shape();
        let plan = Keys::plan(shape, Some(stride)).unwrap();
        let srs = Srs::insecure(plan.srs_degree()).unwrap();
        let keygen = Keygen {
            srs: self.store.put_srs(&srs).await.unwrap(),
            origin: srs.origin().clone(),
            shape: serde_json::to_value(shape).unwrap(),
            stride: Some(stride),
        };
        Job::new(Work::Keygen(keygen), "tests")
    }

    /// What a worker would say that made keys, exchanged two commitments, and wrote all digests anew.
    pub(crate) async fn forged(&self, made: &MadeKeys) -> String {
        const POINT: usize = 64;
        let mut made = made.clone();
        let [shape, verifying, _] = made.pinned.files;
        let mut manifest: serde_json::Value =
            serde_json::from_slice(&self.store.get(&shape).await.unwrap()).unwrap();
        let mut key = self.store.get(&verifying).await.unwrap().to_vec();
        // The last ones are those of the permutation, which all differ.
        let end = key.len();
        let (before, last) = key.split_at_mut(end - POINT);
        before[end - 2 * POINT..].swap_with_slice(last);
        made.key = Digest(Key::read(&key).unwrap().digest());
        manifest["vk_digest"] = made.key.to_string().into();
        made.pinned.files[0] = self.store.put(manifest.to_string()).await.unwrap();
        made.pinned.files[1] = self.store.put(key).await.unwrap();
        serde_json::to_string(&made).unwrap()
    }

    /// The files of keys with two numbers of the proving key exchanged, and all digests written anew.
    pub(crate) async fn exchanged(&self, pinned: &PinnedKey) -> PinnedKey {
        const NUMBER: usize = 32;
        let mut pinned = pinned.clone();
        let [shape, _, proving] = pinned.files;
        let mut manifest: serde_json::Value =
            serde_json::from_slice(&self.store.get(&shape).await.unwrap()).unwrap();
        let mut key = self.store.get(&proving).await.unwrap().to_vec();
        // The last ones say where the cells of the last column are copied to.
        let end = key.len();
        let (before, last) = key.split_at_mut(end - NUMBER);
        before[end - 2 * NUMBER..].swap_with_slice(last);
        let mut hash = Blake2b::<U32>::new();
        hash.update(&key);
        let break_points = manifest["break_points"].as_array().unwrap();
        hash.update((break_points.len() as u64).to_le_bytes());
        for row in break_points {
            hash.update(row.as_u64().unwrap().to_le_bytes());
        }
        for constant in manifest["constants"].as_array().unwrap() {
            let constant = field_from_hex(constant.as_str().unwrap()).unwrap();
            hash.update(constant.to_bytes());
        }
        manifest["proving_key_digest"] = Digest(hash.finalize().into()).to_string().into();
        pinned.files[0] = self.store.put(manifest.to_string()).await.unwrap();
        pinned.files[2] = self.store.put(key).await.unwrap();
        pinned
    }

    /// A row of a sweep: so many proofs with the keys of all tests' shape.
    pub(crate) fn row(&self, repeat: usize) -> Task {
        let asked = serde_json::json!({
            "shape": made().keys.shape(), "case": format!("{}/{}", signing(), signers()), "repeat": repeat,
            "kind": "fast", "memory": "low",
        });
        let row = SweepRow { series: String::new(), asked: serde_json::from_value(asked).unwrap() };
        let job = Job::new(Work::SweepRow(row), "tests");
        Task { job, bytes: 100 << 20, seconds: 1.0, about: About::default() }
    }

    /// A job whose statement is false: one of the signatures is on something else.
    pub(crate) async fn false_task(&self, message: u64) -> Task {
        let (folder, other) = (self.folder(message), self.folder(message + 50_000));
        let mut task = self.shared(signing() as u64, &folder).await;
        let read = |folder: &Path| -> serde_json::Value {
            serde_json::from_slice(&fs::read(folder.join(SIGNATURES_FILE)).unwrap()).unwrap()
        };
        let (mut signed, others) = (read(&folder), read(&other));
        signed["signatures"][0]["signature"] = others["signatures"][0]["signature"].clone();
        signed["signatures"][0]["member"] = others["signatures"][0]["member"].clone();
        let members = [&signed["signatures"][0]["member"], &signed["signatures"][1]["member"]];
        assert_ne!(members[0], members[1], "another message would do");
        proof_mut(&mut task.job).signatures = muster_farm::job::Input::Inline(signed.to_string());
        task
    }

    async fn shared(&self, threshold: u64, folder: &Path) -> Task {
        self.shared_by(&verifier(), threshold, folder).await
    }

    /// What is submitted of a folder, for a verifying key.
    pub(crate) async fn shared_by(&self, key: &VerifierKey, threshold: u64, folder: &Path) -> Task {
        let shared = Shared {
            key,
            size: Size::for_key(key),
            committee: None,
            threshold,
            owner: "tests",
            strict: false,
        };
        shared.task(folder, &self.store).await.unwrap().task
    }

    /// Whether the store has a proof of the job that holds.
    pub(crate) async fn is_proven(&self, job: &Job) -> bool {
        let Some(bytes) = self.store.result(&job.name()).await.unwrap() else { return false };
        muster_farm::work::verify(&verifier(), &proof(job).claim, &bytes).is_ok()
    }
}

/// What this machine has for tests.
fn means(place: Place) -> Means {
    let program = env!("CARGO_BIN_EXE_muster-farm").into();
    let command = Command { program, threads: 2 };
    Means { command, place, memory: 8 << 30, slots: 2, metrics: Metrics::default() }
}

pub(crate) fn verifier() -> VerifierKey {
    VerifierKey::load(&made().dir.path().join("keys")).unwrap()
}

/// The proof that a job asks for.
pub(crate) fn proof(job: &Job) -> &Prove {
    let Work::Prove(prove) = &job.work else { panic!("it asks for a proof") };
    prove
}

/// The same, to change it.
pub(crate) fn proof_mut(job: &mut Job) -> &mut Prove {
    let Work::Prove(prove) = &mut job.work else { panic!("it asks for a proof") };
    prove
}

fn place(dir: &TempDir) -> String {
    dir.path().join("store").to_str().unwrap().to_owned()
}

fn write(folder: &Path, message: u64) {
    let shape = made().keys.shape();
    let text = format!("0x{message:064x}");
    let message: Message = muster_prover::encoding::message_from_hex(SCHEME, &text).unwrap();
    let plan = Plan {
        scheme: SCHEME,
        keys: KeyKind::Coordinates,
        form: None,
        hash: PointHash::default(),
        signers: signers(),
        signing: signing(),
        message: Some(message),
        tree: (shape.arity, shape.depth),
    };
    let sample = Sample::new(&plan, Source::from_text("farm")).unwrap();
    fs::create_dir_all(folder).unwrap();
    let committee = CommitteeFile {
        scheme: SCHEME,
        keys: KeyKind::Coordinates,
        committee: sample.committee,
        narrowed: None,
        left_out: vec![],
    };
    let mut bytes = vec![];
    committee.write(&mut bytes).unwrap();
    fs::write(folder.join(COMMITTEE_FILE), bytes).unwrap();
    let signatures =
        SignaturesFile { scheme: SCHEME, message: sample.message, signatures: sample.signatures };
    fs::write(folder.join(SIGNATURES_FILE), signatures.to_json().to_string()).unwrap();
}
