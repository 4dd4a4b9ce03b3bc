//! How long ago something was written.

use std::time::{Duration, SystemTime};

use object_store::ObjectMeta;

/// Whether it was written at least `age` ago.
pub(super) fn is_older(object: &ObjectMeta, age: Duration) -> bool {
    let written = SystemTime::from(object.last_modified);
    SystemTime::now().duration_since(written).is_ok_and(|since| since >= age)
}
