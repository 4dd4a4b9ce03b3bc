// Makes dist/. Needs Rust with the target wasm32-unknown-unknown.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const dist = join(here, "dist");
const target = "wasm32-unknown-unknown";
const own = ["-p", "muster-verifier-wasm"];

function cargo(...arguments_) {
  return execFileSync("cargo", arguments_, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

cargo("build", ...own, "--lib", "--target", target, "--profile", "wasm");
const folder = JSON.parse(cargo("metadata", "--no-deps", "--format-version", "1")).target_directory;
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
cargo("run", ...own, "--example", "bindgen", "--", join(folder, target, "wasm/muster_verifier_wasm.wasm"), dist);
cpSync(join(here, "src"), dist, { recursive: true });
cpSync(join(here, "page/index.html"), join(dist, "index.html"));
for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, licence), join(dist, licence));

const wasm = readFileSync(join(dist, "wasm_bg.wasm"));
console.log(`wasm: ${wasm.length} bytes, ${gzipSync(wasm, { level: 9 }).length} gzipped`);
