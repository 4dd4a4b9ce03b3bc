import assert from "node:assert/strict";
import { test } from "node:test";

import { messageForm, publicInputs, StatementError } from "@muster-zk/verifier";

import { FIXTURES, fixture, json, page } from "./fixtures.mjs";

const word = (value) => "0x" + value.toString(16).padStart(64, "0");
const shape = { scheme: "schnorr-babyjubjub", capacity: 16, slots: 8, mode: "whole-set", arity: 5, depth: 2, layout: {} };
const statement = { root: 1n, threshold: 2, message: 3n };

function refused(description, statement, message) {
  assert.throws(() => publicInputs(description, statement), (error) => {
    assert.ok(error instanceof StatementError, `${error}`);
    assert.match(error.message, message);
    return true;
  });
}

test("inputs are those that the prover makes", () => {
  const vectors = json("statements.json");
  assert.ok(vectors.length >= 10);
  for (const { description, statement, inputs } of vectors) {
    const expected = { ...statement, threshold: BigInt(statement.threshold) };
    assert.deepEqual(publicInputs(description, expected).map(word), inputs, JSON.stringify(description));
  }
  for (const name of FIXTURES) {
    const { proof, statement } = fixture(name);
    assert.deepEqual(publicInputs(proof.shape, statement).map(word), proof.public_inputs);
  }
});

test("schemes and forms have the numbers of inputs that the book says", () => {
  const rows = page("guide/what-a-proof-says.md").match(/^\| [0-9]+ \|.*$/gm);
  const given = { element: { message: 1n }, bytes32: { digest: word(1n) }, digest: { digest: word(1n) }, bytes: { message: "0x00" } };
  const seen = new Map();
  for (const row of rows) {
    const [, count, , schemes] = row.split("|");
    for (const [, scheme, form] of schemes.matchAll(/`([a-z0-9-]+)`(?: \(`([^`]+)`\))?/g)) {
      const message = form?.replace("N", "64");
      const description = { ...shape, scheme, ...(message && { message }) };
      const { kind } = messageForm(description);
      const inputs = kind === "point" ? undefined : publicInputs(description, { root: 1n, threshold: 1, ...given[kind] });
      assert.ok(inputs === undefined ? Number(count) >= 6 : inputs.length === Number(count), row);
      seen.set(scheme, kind);
    }
  }
  assert.equal(seen.size, 11);
});

test("a statement that a key cannot say is refused", () => {
  for (const root of [undefined, "0x01", "1", -1n, 1n << 255n, 5]) refused(shape, { ...statement, root }, /^root/);
  for (const threshold of [undefined, 0, -1, 0n, 1.5, "8", NaN, 2 ** 60, 1n << 60n]) {
    refused(shape, { ...statement, threshold }, /^threshold/);
  }
  for (const message of [undefined, "0x", "hello", new Uint8Array(31)]) refused(shape, { ...statement, message }, /^message/);
  refused(shape, { ...statement, digest: word(1n) }, /^digest/);
  refused(shape, { ...statement, signers: [1] }, /do not say who signed/);
  refused(shape, { ...statement, signer: [1] }, /no "signer"/);
  for (const nothing of [undefined, null, {}]) refused(shape, nothing, /^root/);

  const digests = { ...shape, scheme: "ecdsa-p256" };
  refused(digests, { ...statement, message: 3n }, /^message/);
  refused(digests, { ...statement, message: word(1n), digest: word(1n) }, /not both/);
  refused(digests, { root: 1n, threshold: 1, message: "0x00" }, /expected 32 bytes, found 1/);
  const hashed = { ...shape, scheme: "ed25519", message: "sha256:47" };
  refused(hashed, { ...statement, message: word(1n) }, /SHA-256/);
  const short = { ...shape, scheme: "ed25519", message: "bytes:41" };
  refused(short, { ...statement, message: "0x" + "00".repeat(42) }, /at most 41 bytes, found 42/);
  refused({ ...shape, scheme: "bls-bn254" }, statement, /verifyInputs/);
  refused({ ...shape, scheme: "bls-bls12-381", message: "point" }, statement, /verifyInputs/);
});

test("signers are indices below the capacity", () => {
  const masked = { ...shape, mask: true };
  assert.deepEqual(publicInputs(masked, { ...statement, signers: new Set([0, 15]) }).at(-1), 0x8001n);
  for (const signers of [undefined, 3, "1,2", [16], [-1], [0.5], ["1"], [1n]]) {
    refused(masked, { ...statement, signers }, /^signers/);
  }
  refused({ ...masked, capacity: 20_000 }, { ...statement, signers: [] }, /verifyInputs/);
});

test("a description that says anything unknown is refused", () => {
  for (const description of [undefined, null, "text", [], 1]) refused(description, statement, /verifyInputs/);
  refused({ ...shape, translated: true }, statement, /"translated"/);
  refused({ ...shape, scheme: "rsa" }, statement, /"rsa"/);
  refused({ ...shape, mask: "yes" }, statement, /mask/);
  for (const message of ["sha256", "bytes:65", "bytes:0", "bytes:", "sha256:x", "other"]) {
    refused({ ...shape, message }, statement, /message form/);
  }
});
