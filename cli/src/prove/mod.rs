//! `muster prove`.

mod batch;
mod one;
mod request;

pub(super) use request::ProveArgs;

use crate::Error;

/// One proof, or a directory of them.
pub(super) fn run(args: &ProveArgs, json: bool) -> Result<(), Error> {
    match &args.batch {
        Some(dir) => batch::run(args, dir, json),
        None => one::run(args)?.print(json),
    }
}
