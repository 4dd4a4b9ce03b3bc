// The page in headless Chromium.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { fixture } from "./fixtures.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const INSTALL = "apt-get install chromium, or name one in CHROMIUM";
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const ROOTS = { "": "../dist/", fixtures: "fixtures/" };

/** What stands in dist/, and the fixtures. */
function serve() {
  const server = createServer((request, response) => {
    const [, first, ...rest] = new URL(request.url, "http://localhost").pathname.split("/");
    const [root, path] = first in ROOTS && rest.length ? [ROOTS[first], rest.join("/")] : [ROOTS[""], [first, ...rest].join("/")];
    const file = join(fileURLToPath(new URL(root, import.meta.url)), path || "index.html");
    if (path.includes("..") || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, "localhost", () => resolve(server)));
}

if (existsSync(CHROMIUM)) {
  describe("the page", { timeout: 300_000 }, inBrowser);
} else if (process.env.CI === "true") {
  test("the page", () => assert.fail(`no ${CHROMIUM} here; ${INSTALL}`));
} else {
  console.log(`skipped: no ${CHROMIUM} here; ${INSTALL}`);
  test("the page", { skip: INSTALL }, () => {});
}

function inBrowser() {
  const { key, proof, statement } = fixture("schnorr");
  const requests = [];
  const errors = [];
  let server, browser, page, address;

  before(async () => {
    server = await serve();
    address = `http://localhost:${server.address().port}/`;
    browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
    const context = await browser.newContext();
    context.on("request", (request) => requests.push(request.url()));
    page = await context.newPage();
    page.on("pageerror", (error) => errors.push(`${error}`));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await open();
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  async function open() {
    await page.goto(address);
    await page.locator("html[data-ready]").waitFor({ state: "attached" });
  }

  /** Drops files onto the page, as a person does. */
  async function drop(...files) {
    const plain = files.map(({ name, bytes }) => ({ name, bytes: Array.from(bytes) }));
    const transfer = await page.evaluateHandle((files) => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of files) transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    }, plain);
    await page.dispatchEvent("#proof-hint", "dragenter", { dataTransfer: transfer });
    await page.dispatchEvent("#proof-hint", "drop", { dataTransfer: transfer });
    await page.locator("form:not([aria-busy])").waitFor();
  }

  const keyFile = (bytes) => ({ name: "verifying.key", bytes });
  const proofFile = (json) => ({ name: "proof.json", bytes: Buffer.from(JSON.stringify(json)) });

  async function dropped(keyBytes, proofJson) {
    await drop(keyFile(keyBytes), proofFile(proofJson));
    assert.equal(await page.locator("#key-state").textContent(), "verifying.key: a key");
    assert.equal(await page.locator("#proof-state").textContent(), "proof.json: a proof");
  }

  async function type({ root, threshold, message, signers }) {
    await page.getByLabel("Root of the committee").fill(root);
    await page.getByLabel("Threshold", { exact: true }).fill(`${threshold}`);
    await page.locator("#message").fill(message);
    if (signers) await page.getByLabel("Signers").fill(signers.join(", "));
  }

  async function verdict() {
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await page.locator("#result.done").waitFor();
    return `${await page.locator("#verdict").textContent()}: ${await page.locator("#reason").textContent()}`;
  }

  test("a proof that holds is accepted, in one sentence", async () => {
    await dropped(key, proof);
    assert.equal(await page.locator("#digest").textContent(), proof.vk_digest);
    assert.match(await page.locator("#srs").textContent(), /^a ceremony's/);
    assert.match(await page.locator("#shape").textContent(), /schnorr-babyjubjub, up to 16 members/);
    for (const field of ["#root", "#threshold", "#message"]) assert.equal(await page.inputValue(field), "");
    await type(statement);
    const text = await verdict();
    assert.match(text, /^Accepted: Distinct members of the committee/);
    assert.ok(text.includes(statement.message) && text.includes(`at least ${statement.threshold}.`), text);
  });

  test("another threshold is refused", async () => {
    await type({ ...statement, threshold: statement.threshold + 1 });
    assert.equal(await page.locator("#result.done").count(), 0, "the old verdict is gone");
    assert.match(await verdict(), /^Refused: .*another threshold/);
  });

  test("another key is refused, and one whose SRS is not a ceremony's", async () => {
    await page.getByLabel("Digest of the key").fill("0x" + "12".repeat(32));
    await type(statement);
    assert.match(await verdict(), /^Refused: The key is not the one that you trust/);
    await page.getByLabel("Digest of the key").fill("");
    const mask = fixture("mask");
    await dropped(mask.key, proof);
    assert.match(await page.locator("#srs").textContent(), /prove anything/);
    await type({ ...statement, signers: [0, 1] });
    assert.match(await verdict(), /^Refused: the SRS of this key is not a ceremony's/);
    await page.getByLabel("This is a test").check();
    assert.match(await verdict(), /^Refused: .*another key/);
  });

  test("a changed byte is refused", async () => {
    const digit = proof.proof.length - 100;
    const changed = proof.proof.slice(0, digit) + (proof.proof[digit] === "0" ? "1" : "0") + proof.proof.slice(digit + 1);
    await dropped(key, { ...proof, proof: changed });
    await type(statement);
    assert.match(await verdict(), /^Refused: /);
  });

  test("keys for tests, digests and signers", async () => {
    for (const name of ["ecdsa", "mask"]) {
      const { key, proof, statement } = fixture(name);
      await dropped(key, proof);
      await type(statement);
      assert.match(await verdict(), /^Refused: the SRS/);
      await page.getByLabel("This is a test").check();
      assert.match(await verdict(), /^Accepted, for a test: .*But whoever made the SRS can prove anything/);
    }
  });

  test("files that are neither are named", async () => {
    await drop(keyFile(key.slice(0, 1000)));
    assert.equal(await page.locator("#key-state").textContent(), "verifying.key: the key ends too early");
    assert.match(await verdict(), /^No key/);
    await drop({ name: "other.json", bytes: Buffer.from("{}") });
    assert.equal(await page.locator("#proof-state").textContent(), "other.json: this is no proof.json");
    await type({ ...statement, root: "<b>" });
    await dropped(key, proof);
    assert.match(await verdict(), /^Not checked: root/);
  });

  test("the keyboard is enough", async () => {
    await open();
    const files = { "key-file": keyFile(key), "proof-file": proofFile(proof) };
    const seen = [];
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press("Tab");
      const id = await page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
      seen.push(id);
      if (id in files) {
        const { name, bytes } = files[id];
        await page.locator(`#${id}`).setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
        await page.locator(`#${id.replace("file", "state")}.good`).waitFor();
      }
      if (id in statement) await page.keyboard.type(`${statement[id]}`);
      if (id === "Verify") break;
    }
    assert.deepEqual(seen, ["key-file", "proof-file", "trusted", "root", "threshold", "message", "Verify"]);
    await page.keyboard.press("Enter");
    await page.locator("#result.done").waitFor();
    assert.equal(await page.locator("#verdict").textContent(), "Accepted");
  });

  test("how long a proof takes", async () => {
    const figures = await page.evaluate(async () => {
      const { Key } = await import("/index.js");
      const get = async (name) => (await fetch(`/fixtures/schnorr/${name}`)).arrayBuffer();
      const text = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
      const bytes = new Uint8Array(await get("verifying.key"));
      const [proof, statement] = [text(await get("proof.json")), text(await get("statement.json"))];
      let start = performance.now();
      const key = await Key.read(bytes);
      const read = performance.now() - start;
      const times = [];
      for (let i = 0; i < 40; i++) {
        start = performance.now();
        key.verify(statement, proof);
        times.push(performance.now() - start);
      }
      const [first] = times;
      times.sort((a, b) => a - b);
      return { read, first, median: times[20], least: times[0] };
    });
    const text = Object.entries(figures).map(([name, time]) => `${name} ${time.toFixed(1)} ms`);
    console.log(`Chromium ${browser.version()}: ${text.join(", ")}`);
  });

  test("no request left this machine, and nothing failed", () => {
    assert.ok(requests.length > 3);
    const others = requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("blob:"));
    assert.deepEqual(others, []);
    assert.deepEqual(errors, []);
  });
}
