//! SRS of ceremonies that are known: what is said of them, and that only they are taken.

use std::{
    io::{Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    thread,
};

use serde_json::Value;

use crate::support::{fixture, names, run_in, run_in_with, Run};

/// Runs `muster` with a cache of its own.
fn srs(dir: &Path, line: &str) -> Run {
    let cache = dir.join("cache");
    run_in_with(dir, &format!("srs {line}"), &[("MUSTER_PARAMS", cache.to_str().expect("text"))])
}

/// The names in a list.
fn listed(list: &Value) -> Vec<&str> {
    let known = list["known"].as_array().expect("a list").iter();
    known.map(|known| known["name"].as_str().expect("a name")).collect()
}

#[test]
fn what_is_known_is_listed() {
    let dir = fixture().scratch("ceremonies");
    let all = srs(&dir, "list --json").expect(0, &[]).json();
    let names = listed(&all);
    assert!(names.contains(&"ppot-12") && names.contains(&"eigenda-19"), "{all}");
    for known in all["known"].as_array().expect("a list") {
        let sha256 = known["file"]["sha256"].as_str().expect("a hash");
        assert_eq!(sha256.len(), 66, "{known}");
    }
    assert_eq!(all["cached"], serde_json::json!([]));
    let text = srs(&dir, "list").expect(0, &["nothing"]).stdout;
    let said = ["ppot-16", "131071, in snarkjs-ptau", "2^16 rows", "ed3622a7c79b0b49aadd134e"];
    for part in said {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The last of 2^19 powers is needed beside the rows.
    let large = srs(&dir, "list --json --degree 19").expect(0, &[]).json();
    assert_eq!(listed(&large), ["ppot-20"]);
    srs(&dir, "list --degree 28").expect(0, &["none has that many powers"]);
    srs(&dir, "make --degree 4 --insecure-srs").expect(0, &[]);
    srs(&dir, "list").expect(0, &["2^4 (INSECURE)"]);
}

/// A file that says that it is insecure is refused for that, before its points are looked at: these are too few.
#[test]
fn an_insecure_file_is_refused_by_its_header() {
    let dir = fixture().scratch("insecure-file");
    srs(&dir, "make --degree 4 --insecure-srs").expect(0, &[]);
    let file = "cache/kzg-bn254-4-insecure.srs";
    let keygen = "keygen --scheme schnorr-babyjubjub --signers 2 --slots 2 --out keys";
    let keygen = |more: &str| run_in(&dir, &format!("{keygen} --srs {file}{more}"));
    keygen("").expect(2, &["insecure"]);
    keygen(" --insecure-srs").expect(2, &["too few"]);
}

/// A server that gives everybody the same bytes.
fn server(content: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/x", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let length = content.len();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(&[head.as_bytes(), content].concat());
        }
    });
    url
}

/// A file of the right length is another one; a shorter one is a part.
#[test]
fn only_the_file_itself_is_taken() {
    static OTHER: [u8; 4_811_922] = [7; 4_811_922];
    let dir = fixture().scratch("fetched");
    let fetch = |url: &str| srs(&dir, &format!("fetch ppot-12 --from {url}"));
    let url = server(&OTHER);
    fetch(&url).expect(2, &[&url, "SHA-256", "0x35e163120e724a60853d0dd76ec54037"]);
    assert!(names(&dir.join("cache")).is_empty());
    fetch(&server(b"short")).expect(2, &["5 of 4811922 bytes", "the same command goes on"]);
    for bad in ["nowhere", "ftp://127.0.0.1/x", "http://127.0.0.1:1/x"] {
        fetch(bad).expect(2, &[bad]);
    }
    let json = srs(&dir, &format!("fetch ppot-12 --json --from {url}")).expect(2, &[]).json();
    assert!(json["error"].as_str().is_some_and(|error| error.contains("SHA-256")), "{json}");
}

/// No server is asked.
#[test]
fn what_cannot_be_is_not_got() {
    let dir = fixture().scratch("not-fetched");
    let fetch = |options: &str| srs(&dir, &format!("fetch {options} --from http://127.0.0.1:1/x"));
    fetch("ppot-15").expect(2, &["ppot-14", "ppot-16", "eigenda-19"]);
    fetch("pot-12").expect(2, &["'ppot-12'"]);
    fetch("ppot-12 --degree 14").expect(2, &["8191 G1 powers, too few for k = 14", "--degree 12"]);
    let there: PathBuf = dir.join("cache/kzg-bn254-12.srs");
    std::fs::create_dir_all(dir.join("cache")).expect("room");
    std::fs::write(&there, "mine").expect("room");
    fetch("ppot-12").expect(2, &["kzg-bn254-12.srs: already exists", "--force"]);
    assert_eq!(std::fs::read(there).expect("a file"), b"mine");
}
