//! Tests. [`files`] writes every format from a fresh SRS, so each importer is tested against a
//! serializer that shares no code with it; `real` reads the published files when they are there.

mod cache;
mod ceremonies;
mod files;
mod further;
mod import;
mod made;
mod packs;
mod real;
mod reject;
