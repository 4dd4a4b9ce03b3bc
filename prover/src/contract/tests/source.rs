//! What is checked in is what the generator and the compiler make.

use super::*;
use crate::contract::{
    solc::{settings, Solc, VERSION},
    source, Export,
};

#[test]
fn the_source_is_that_of_the_key() {
    for generated in all() {
        let name = format!("{CONTRACT}.sol");
        let found = source(&generated.key).unwrap();
        assert!(found == generated.text(&name), "{}: `make generated`", generated.dir.display());
        assert_eq!(source(&generated.key).unwrap(), found);
    }
}

#[test]
fn the_code_is_that_of_the_source() {
    let Some(solc) = Solc::find() else {
        eprintln!("skipped: no solc {VERSION} here; run `npm ci` in contracts");
        return;
    };
    for generated in all() {
        let export = Export::new(&generated.key, Some(&solc)).unwrap();
        let export = export.with_proof(&generated.inputs, &generated.proof).unwrap();
        let bytecode = export.bytecode().unwrap();
        assert!(bytecode.creation == generated.code("bin"));
        assert!(bytecode.runtime == generated.code("runtime.bin"));
        let mut manifest = export.manifest();
        // Builds of one version for other machines tell other names.
        manifest["compiler"]["version"] = generated.manifest()["compiler"]["version"].clone();
        assert_eq!(manifest, generated.manifest());
    }
}

#[test]
fn the_manifest_names_everything() {
    for generated in all() {
        let manifest = generated.manifest();
        assert_eq!(manifest["public_inputs"][0], "key_set_root");
        assert_eq!(manifest["public_inputs"][1], "threshold");
        assert_eq!(manifest["public_inputs"][2], "message");
        assert_eq!(manifest["proof_bytes"], generated.proof.len());
        assert_eq!(manifest["compiler"]["settings"], settings());
        assert_eq!(manifest["srs"]["insecure"], false);
        assert_eq!(
            generated.dir.file_name().unwrap().to_str().unwrap(),
            manifest["name"].as_str().unwrap()
        );
    }
}

#[test]
fn every_shape_has_a_source() {
    use muster_circuits::{Mode, Request, Scheme, Shape};
    for (mode, arity) in [(Mode::WholeSet, 16), (Mode::Path, 2), (Mode::Path, 5)] {
        let request = Request { mode: Some(mode), arity, ..Request::new(Scheme::Schnorr, 20, 3) };
        let shape = Shape::fit(&request).unwrap();
        let srs = muster_params::Srs::insecure(shape.degree()).unwrap();
        let keys = crate::Keys::make(&srs, &shape).unwrap();
        let text = source(&keys.verifier()).unwrap();
        assert!(text.contains("INSECURE"));
        if let Some(solc) = Solc::find() {
            solc.compile(&text).unwrap();
        }
    }
}
