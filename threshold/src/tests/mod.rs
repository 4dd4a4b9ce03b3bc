//! What the ceremonies share.

mod polynomial;
mod search;
