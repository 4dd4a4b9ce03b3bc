//! `bindgen WASM FOLDER`: what `verifier/js` loads, from the library as the compiler made it.

use std::{env, error::Error};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let (wasm, folder) = arguments.next().zip(arguments.next()).ok_or("bindgen WASM FOLDER")?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).out_name("wasm").web(true)?.typescript(false);
    bindgen.omit_default_module_path(true).remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder)?;
    Ok(())
}
