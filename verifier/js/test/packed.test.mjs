// What npm would publish, installed into an empty folder, with nothing of this repository beside it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
let work, empty;

before(() => {
  work = mkdtempSync(join(tmpdir(), "muster-packed-"));
  empty = join(work, "empty");
  mkdirSync(empty);
  const npm = (...arguments_) => execFileSync("npm", arguments_, { cwd: empty, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  npm("pack", "--silent", "--ignore-scripts", "--pack-destination", work, here);
  writeFileSync(join(empty, "package.json"), '{ "private": true, "type": "module" }\n');
  const [tarball] = readdirSync(work).filter((name) => name.endsWith(".tgz"));
  // It depends on nothing, so nothing else is got.
  npm("install", "--offline", "--silent", "--no-audit", "--no-fund", join(work, tarball));
});

after(() => rmSync(work, { recursive: true, force: true }));

test("a packed package verifies a proof, and refuses a false one", () => {
  cpSync(join(here, "test/fixtures"), join(empty, "fixtures"), { recursive: true });
  const code = `
    import { readFileSync } from "node:fs";
    import { Key, VerifyError } from "@muster-zk/verifier";
    const read = (name) => JSON.parse(readFileSync("fixtures/schnorr/" + name, "utf8"));
    const key = await Key.read(readFileSync("fixtures/schnorr/verifying.key"));
    const statement = read("statement.json");
    key.verify(statement, read("proof.json"));
    try {
      key.verify({ ...statement, threshold: statement.threshold + 1 }, read("proof.json"));
    } catch (error) {
      if (error instanceof VerifyError) console.log(import.meta.resolve("@muster-zk/verifier/wasm"));
    }`;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", code], { cwd: empty, encoding: "utf8" });
  assert.match(said, /\/empty\/node_modules\/@muster-zk\/verifier\/dist\/wasm_bg\.wasm\n$/);
  assert.deepEqual(readdirSync(join(empty, "node_modules")).filter((name) => !name.startsWith(".")), ["@muster-zk"]);
});

test("its types are those of the package", () => {
  for (const name of ["types.ts", "tsconfig.json"]) cpSync(join(here, "test", name), join(empty, name));
  execFileSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "-p", empty], { stdio: "inherit" });
});
