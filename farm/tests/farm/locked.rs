//! Servers that want certificates, and payloads that they cannot read.

use std::{path::PathBuf, sync::Arc, time::Duration};

use assert_cmd::Command;
use muster_farm::{
    runner::{Labels, Runner, Temporal},
    seal::{CodecKey, Seal},
    submit::tree,
    temporal::{connect, Server as Address},
    work::Outcome,
};
use rcgen::{
    date_time_ymd, BasicConstraints, Certificate, CertificateParams, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair,
};
use tokio::time::timeout;
use tokio_rustls::rustls::{
    pki_types::{CertificateDer, PrivateKeyDer},
    server::WebPkiClientVerifier,
    RootCertStore, ServerConfig,
};

use crate::{
    door::Door,
    fixture::{made, Farm},
    server::Server,
};

const NAME: &str = "farm.test";

/// Who signs certificates.
struct Authority {
    certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its key.
struct Signed {
    certificate: Certificate,
    key: KeyPair,
}

impl Authority {
    fn new() -> Self {
        let (key, mut params) = (KeyPair::generate().unwrap(), CertificateParams::default());
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        Self { certificate, issuer: Issuer::new(params, key) }
    }

    /// A certificate for `name`, until the end of this year of our Lord.
    fn sign(&self, name: &str, last_year: i32) -> Signed {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_after = date_time_ymd(last_year, 12, 31);
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        let key = KeyPair::generate().unwrap();
        Signed { certificate: params.signed_by(&key, &self.issuer).unwrap(), key }
    }

    /// What a server has that lets in those whom this authority signed for.
    fn server(&self, own: &Signed) -> Arc<ServerConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.der().clone()).unwrap();
        let clients = WebPkiClientVerifier::builder(roots.into()).build().unwrap();
        let chain: Vec<CertificateDer<'static>> = vec![own.certificate.der().clone()];
        let key = PrivateKeyDer::try_from(own.key.serialize_der()).unwrap();
        let config = ServerConfig::builder().with_client_cert_verifier(clients);
        let mut config = config.with_single_cert(chain, key).unwrap();
        config.alpn_protocols = vec![b"h2".to_vec()];
        config.into()
    }
}

/// A command that only asks for what the store has, at a server that wants a certificate.
struct Visit<'a> {
    farm: &'a Farm,
    address: String,
    authority: PathBuf,
}

impl Visit<'_> {
    fn write(&self, name: &str, text: String) -> PathBuf {
        let path = self.farm.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, server: &str, own: Option<&Signed>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster-farm"));
        let out = tempfile::tempdir_in(self.farm.dir.path()).unwrap().keep();
        command
            .args(["submit", "--store", &self.farm.place(), "--threshold", "2", "--batch"])
            .arg(self.farm.batch())
            .arg("--keys")
            .arg(made().dir.path().join("keys"))
            .arg("--out")
            .arg(out)
            .env("TEMPORAL_ADDRESS", &self.address)
            .env("TEMPORAL_TLS_SERVER_CA_CERT_PATH", &self.authority)
            .env("TEMPORAL_TLS_SERVER_NAME", server);
        if let Some(own) = own {
            let certificate = self.write("own.pem", own.certificate.pem());
            let key = self.write("own.key", own.key.serialize_pem());
            command.env("TEMPORAL_TLS_CLIENT_CERT_PATH", certificate);
            command.env("TEMPORAL_TLS_CLIENT_KEY_PATH", key);
        }
        command.timeout(Duration::from_secs(60));
        command
    }

    /// Whoever is not let in is told so in a line.
    fn refused(&self, server: &str, own: Option<&Signed>, who: &str) {
        let output = self.command(server, own).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{who}: {said}");
        assert!(said.starts_with("error: Temporal: "), "{who}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_those_with_a_certificate_are_let_in() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    farm.prove(1).await;
    let (authority, other) = (Authority::new(), Authority::new());
    let own = authority.sign(NAME, 2090);
    let door = Door::new(server.address(), Some(authority.server(&own))).await;
    let path = farm.dir.path().join("authority.pem");
    std::fs::write(&path, authority.certificate.pem()).unwrap();
    let visit = Visit { farm: &farm, address: door.address(), authority: path };
    let client = authority.sign("worker", 2090);
    tokio::task::block_in_place(|| {
        visit.command(NAME, Some(&client)).assert().success();
        // Certificates of the environment hold for an address that is given, too.
        visit.command(NAME, Some(&client)).args(["--address", &door.address()]).assert().success();
        visit.refused("other.test", Some(&client), "a server of another name");
        visit.refused(NAME, None, "no certificate");
        visit.refused(NAME, Some(&authority.sign("worker", 2020)), "one that is too old");
        visit.refused(NAME, Some(&other.sign("worker", 2090)), "one that somebody else signed");
    });
}

/// A farm's key is the same for all: whoever has another, or none, has nothing done and learns nothing.
#[tokio::test(flavor = "multi_thread")]
async fn jobs_are_read_with_the_key_alone() {
    let Some(server) = Server::new().await else { return };
    let dir = tempfile::tempdir().unwrap();
    let key = dir.path().join("codec.key");
    std::fs::write(&key, "5a".repeat(32)).unwrap();
    let seal = Seal::new(CodecKey::read(&key).unwrap());
    let farm = Farm::sealed(Some(seal.clone())).await;
    let client = |seal: Option<Seal>| {
        let address = Some(server.address());
        async move { connect(&Address { address, ..Address::default() }, seal).await.unwrap() }
    };
    let _worker = server.worker_with(&farm, "worker", &["--codec-key", key.to_str().unwrap()]);
    let runner = |client| Temporal::new(client, farm.store.clone(), Labels::Few);
    let (own, others) = (runner(client(Some(seal)).await), runner(client(None).await));
    let (sealed, plain) = (farm.task(1).await, farm.task(2).await);
    let done = timeout(Duration::from_secs(120), own.run(vec![sealed])).await;
    assert_eq!(done.expect("in time").unwrap(), [Outcome::Done]);
    // The inputs of trees are in the store: encrypted, too.
    let levels = tree(vec![farm.task(3).await, farm.task(4).await], 2, "tests");
    let done = timeout(Duration::from_secs(120), own.chain(levels)).await;
    assert_eq!(done.expect("in time").unwrap(), [vec![Outcome::Done; 2], vec![Outcome::Done]]);
    assert_eq!(readable_objects(&farm), 0);
    let asked = timeout(Duration::from_secs(10), others.run(vec![plain.clone()])).await;
    assert!(!matches!(asked, Ok(Ok(_))), "{asked:?}");
    assert!(!farm.is_proven(&plain.job).await);
}

/// How many artefacts show a member's signature or key to whoever reads the store.
fn readable_objects(farm: &Farm) -> usize {
    let objects = std::fs::read_dir(farm.dir.path().join("store/objects")).unwrap();
    let texts = objects.map(|object| std::fs::read(object.unwrap().path()).unwrap());
    let shows = |bytes: &Vec<u8>| {
        bytes.windows(8).any(|part| part == b"\"member\"" || part == b"\"members")
    };
    texts.filter(shows).count()
}

/// Whoever has no key, or another one, is told so at once, and does not wait.
#[tokio::test]
async fn whoever_has_another_key_is_told_so() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, digits: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, digits.repeat(32)).unwrap();
        path
    };
    let (own, other) = (file("own", "5a"), file("other", "5b"));
    let seal = Seal::new(CodecKey::read(&own).unwrap());
    let (locked, open) = (Farm::sealed(Some(seal)).await, Farm::new().await);
    let plan = |farm: &Farm, key: Option<&PathBuf>| {
        farm.folder(1);
        let mut command = Command::new(env!("CARGO_BIN_EXE_muster-farm"));
        command.args(["plan", "--store", &farm.place(), "--threshold", "2", "--batch"]);
        command.arg(farm.batch()).arg("--keys").arg(made().dir.path().join("keys"));
        if let Some(key) = key {
            command.arg("--codec-key").arg(key);
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let cases = [
        (&locked, None, "--codec-key: missing"),
        (&locked, Some(&other), "--codec-key: not the key of this farm"),
        (&open, Some(&own), "--codec-key: this farm has none"),
    ];
    for (farm, key, reason) in cases {
        let (status, said) = plan(farm, key);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
    assert_eq!(plan(&locked, Some(&own)).0, Some(0));
    assert_eq!(plan(&open, None).0, Some(0));
}
