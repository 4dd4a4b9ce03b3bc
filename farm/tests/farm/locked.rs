//! Servers that want certificates, and payloads that they cannot read.

use std::{path::PathBuf, sync::Arc, time::Duration};

use assert_cmd::Command;
use muster_farm::{
    runner::{Labels, Runner, Temporal},
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
    let farm = Farm::new().await;
    let key = farm.dir.path().join("codec.key");
    std::fs::write(&key, "5a".repeat(32)).unwrap();
    let client = |codec_key: Option<PathBuf>| {
        let address = Some(server.address());
        async move { connect(&Address { address, codec_key, ..Address::default() }).await.unwrap() }
    };
    let _worker = server.worker_with(&farm, "worker", &["--codec-key", key.to_str().unwrap()]);
    let runner = |client| Temporal::new(client, farm.store.clone(), Labels::Few);
    let (own, others) = (runner(client(Some(key.clone())).await), runner(client(None).await));
    let (sealed, plain) = (farm.task(1).await, farm.task(2).await);
    let done = timeout(Duration::from_secs(120), own.run(vec![sealed])).await;
    assert_eq!(done.expect("in time").unwrap(), [Outcome::Done]);
    let asked = timeout(Duration::from_secs(10), others.run(vec![plain.clone()])).await;
    assert!(!matches!(asked, Ok(Ok(_))), "{asked:?}");
    assert!(!farm.is_proven(&plain.job).await);
}
