//! Getting a file from a server of the test's own, which may be of any kind.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
};

use muster_params::{Format, KnownFile, Origin, SourceFile, KNOWN};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::fetch::{is_of, Download};
use crate::progress::Progress;

/// How a server answers a request: for what is there from some byte on, all bytes if none is asked for.
type Answer = fn(asked: Option<usize>, content: &[u8]) -> Vec<u8>;

/// A server that gives each connection the next answer, and the last one from then on.
struct Server {
    url: String,
    /// Where the requests wanted to go on.
    asked: Arc<Mutex<Vec<Option<usize>>>>,
}

impl Server {
    fn new(content: &[u8], answers: &'static [Answer]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/file.ptau", listener.local_addr().expect("an address"));
        let (asked, content) = (Arc::new(Mutex::new(vec![])), content.to_vec());
        let log = asked.clone();
        // It ends with the process of the tests.
        thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let Ok(mut stream) = stream else { continue };
                let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
                let mut from = None;
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    let header = line.to_ascii_lowercase();
                    let range = header.strip_prefix("range: bytes=").map(str::trim);
                    let range = range.and_then(|range| range.strip_suffix('-'));
                    from = from.or(range.and_then(|range| range.parse().ok()));
                    line.clear();
                }
                log.lock().expect("no panic").push(from);
                let answer = answers[number.min(answers.len() - 1)];
                let _ = stream.write_all(&answer(from, &content));
            }
        });
        Self { url, asked }
    }

    fn asked(&self) -> Vec<Option<usize>> {
        self.asked.lock().expect("no panic").clone()
    }
}

fn response(status: &str, headers: &str, length: usize, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// All of it, or the part that is asked for.
fn whole(asked: Option<usize>, content: &[u8]) -> Vec<u8> {
    match asked {
        Some(from) if from < content.len() => {
            let part = &content[from..];
            let range =
                format!("Content-Range: bytes {from}-{}/{}\r\n", content.len() - 1, content.len());
            response("206 Partial Content", &range, part.len(), part)
        }
        Some(_) => response("416 Range Not Satisfiable", "", 0, b""),
        None => response("200 OK", "", content.len(), content),
    }
}

/// A server that knows no ranges.
fn always_whole(_: Option<usize>, content: &[u8]) -> Vec<u8> {
    response("200 OK", "", content.len(), content)
}

/// A connection that breaks after a third of what was asked for.
fn broken(asked: Option<usize>, content: &[u8]) -> Vec<u8> {
    let whole = whole(asked, content);
    let left = content.len() - asked.unwrap_or_default();
    whole[..whole.len() - left + left / 3].to_vec()
}

/// Another part than the one that was asked for.
fn another_part(asked: Option<usize>, content: &[u8]) -> Vec<u8> {
    let range = format!("Content-Range: bytes 0-{0}/{0}\r\n", content.len());
    match asked {
        Some(_) => response("206 Partial Content", &range, content.len(), content),
        None => whole(None, content),
    }
}

fn too_long(_: Option<usize>, content: &[u8]) -> Vec<u8> {
    let longer = [content, b"!"].concat();
    response("200 OK", "", longer.len(), &longer)
}

fn changed(_: Option<usize>, content: &[u8]) -> Vec<u8> {
    let mut other = content.to_vec();
    other[7] ^= 1;
    response("200 OK", "", other.len(), &other)
}

fn missing(_: Option<usize>, _: &[u8]) -> Vec<u8> {
    response("404 Not Found", "", 4, b"none")
}

fn nothing(_: Option<usize>, _: &[u8]) -> Vec<u8> {
    vec![]
}

fn content() -> Vec<u8> {
    (0..100_000u32).flat_map(u32::to_le_bytes).collect()
}

fn known(content: &[u8]) -> KnownFile {
    let (sha256, bytes) = (Sha256::digest(content).into(), content.len() as u64);
    KnownFile { url: "https://example.org/below/file.ptau", sha256, bytes }
}

/// Gets the file from a server, into a folder in which there may be a part.
fn get(server: &Server, dir: &TempDir) -> Result<PathBuf, String> {
    let file = known(&content());
    let download = Download { file: &file, url: &server.url };
    download.run(dir.path(), &Progress::quiet()).map_err(|error| error.to_string())
}

/// Where the file, or a part of it, stands.
fn place(dir: &TempDir) -> PathBuf {
    let hash = hex::encode(known(&content()).sha256);
    dir.path().join(format!(".muster-fetch-{}", &hash[..16])).join("file.ptau")
}

fn with_part(length: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let place = place(&dir);
    fs::create_dir_all(place.parent().expect("a folder")).expect("room");
    fs::write(place, &content()[..length]).expect("room");
    dir
}

#[test]
fn what_is_not_the_file_is_not_taken() {
    for (answers, reason, stays) in [
        (&[changed as Answer] as &'static [Answer], "its SHA-256 is 0x", false),
        (&[missing], "404 Not Found", false),
        (&[too_long], "more than 400000 bytes", false),
        (&[nothing], "0 of 400000 bytes are there", false),
        (&[broken], "the same command goes on from there", true),
    ] {
        let server = Server::new(&content(), answers);
        let dir = tempfile::tempdir().expect("a folder");
        let error = get(&server, &dir).expect_err(reason);
        assert!(error.contains(reason) && error.contains(&server.url), "{error}");
        assert_eq!(place(&dir).exists(), stays, "{error}");
    }
    // A part that somebody has changed: the whole is another file.
    let dir = with_part(1000);
    let place = place(&dir);
    fs::write(&place, [9; 1000]).expect("room");
    let server = Server::new(&content(), &[whole]);
    let error = get(&server, &dir).expect_err("changed");
    assert!(error.contains("as published: it was removed"), "{error}");
    assert!(!place.exists());
    get(&server, &dir).expect("from the start");
}

#[test]
fn a_file_is_got_whole() {
    let server = Server::new(&content(), &[whole]);
    let dir = tempfile::tempdir().expect("a folder");
    let path = get(&server, &dir).expect("the file");
    assert_eq!((&path, fs::read(&path).expect("a file")), (&place(&dir), content()));
    // What is there is not got again.
    get(&server, &dir).expect("the file");
    assert_eq!(server.asked(), [None]);
}

#[test]
fn a_broken_connection_goes_on() {
    let server = Server::new(&content(), &[broken, broken, whole]);
    let dir = tempfile::tempdir().expect("a folder");
    let path = get(&server, &dir).expect("the file");
    assert_eq!(fs::read(path).expect("a file"), content());
    let [None, Some(first), Some(second)] = server.asked()[..] else {
        panic!("{:?}", server.asked())
    };
    assert!(0 < first && first < second, "{first} {second}");
}

#[test]
fn another_run_goes_on_with_what_is_there() {
    for (part, answers, asked) in [
        (1000, &[whole as Answer] as &'static [Answer], vec![Some(1000)]),
        (1000, &[always_whole], vec![Some(1000)]),
        // What is given is not what was asked for, and the next time all is.
        (1000, &[another_part], vec![Some(1000), None]),
    ] {
        let server = Server::new(&content(), answers);
        let dir = with_part(part);
        let path = get(&server, &dir).expect("the file");
        assert_eq!(fs::read(path).expect("a file"), content());
        assert_eq!(server.asked(), asked);
    }
    // More than there should be.
    let dir = with_part(1000);
    fs::write(place(&dir), vec![0; 400_001]).expect("room");
    let server = Server::new(&content(), &[whole]);
    get(&server, &dir).expect("the file");
    assert_eq!(server.asked(), [Some(400_001), None]);
}

#[test]
fn one_process_gets_a_file() {
    let dir = with_part(10);
    let held = fs::File::open(place(&dir)).expect("a file");
    held.lock().expect("free");
    let server = Server::new(&content(), &[whole]);
    let error = get(&server, &dir).expect_err("held");
    assert!(error.contains("another process"), "{error}");
    assert!(server.asked().is_empty());
}

/// What was read is held to what is known once more: another file, another format and no file at all are not it.
#[test]
fn what_is_read_is_what_is_known() {
    for known in &KNOWN {
        let of = |file: &KnownFile| SourceFile { name: "a".into(), sha256: file.sha256 };
        let origin = |format, file: &KnownFile, g2: Option<&KnownFile>| Origin::Ceremony {
            format,
            file: of(file),
            g2_file: g2.map(of),
        };
        let (file, g2) = (&known.file, known.g2.as_ref());
        assert!(is_of(&origin(known.format, file, g2), known), "{}", known.name);
        let other = KnownFile { sha256: [7; 32], ..*file };
        assert!(!is_of(&origin(known.format, &other, g2), known));
        assert!(!is_of(&origin(Format::Muster, file, g2), known));
        assert!(!is_of(&origin(known.format, file, Some(&other)), known));
        assert!(!is_of(&Origin::Insecure, known));
    }
}
