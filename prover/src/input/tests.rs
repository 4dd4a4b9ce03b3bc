//! What a library's callers read is what they name.

use std::path::Path;

use super::{is_standard, is_stream, read};
use crate::Error;

/// Only commands read standard input, and wait for what comes through a pipe.
#[test]
fn a_library_reads_regular_files() {
    let dash = Path::new("-");
    assert!(!is_standard(dash) && !is_stream(dash));
    assert!(matches!(read(dash, 1), Err(Error::Io { .. })), "there is no such file");
    if cfg!(unix) {
        let null = Path::new("/dev/null");
        assert!(!is_stream(null));
        assert!(matches!(read(null, 1), Err(Error::File { .. })), "not a regular file");
    }
}
