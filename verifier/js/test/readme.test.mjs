import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

test("the example of the README runs", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  assert.ok(blocks.length > 0);
  for (const code of blocks) {
    execFileSync(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  }
});

test("the package holds what it needs, and nothing else", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], { cwd: folder, encoding: "utf8" });
  const files = JSON.parse(packed)[0].files.map(({ path }) => path).sort();
  assert.deepEqual(files, [
    "README.md",
    "dist/LICENSE-APACHE",
    "dist/LICENSE-MIT",
    "dist/errors.js",
    "dist/index.d.ts",
    "dist/index.html",
    "dist/index.js",
    "dist/numbers.js",
    "dist/statement.js",
    "dist/wasm.js",
    "dist/wasm_bg.wasm",
    "package.json",
  ]);
});

test("the version is that of the workspace", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const workspace = readFileSync(new URL("../../../Cargo.toml", import.meta.url), "utf8");
  assert.equal(version, /^\[workspace\.package\]\nversion = "(.*)"$/m.exec(workspace)[1]);
});
