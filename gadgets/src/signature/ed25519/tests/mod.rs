//! Ed25519: what must verify and what must not, under each rule.

mod messages;
