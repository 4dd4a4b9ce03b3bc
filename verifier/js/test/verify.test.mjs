import assert from "node:assert/strict";
import { test } from "node:test";

import { BatchError, Key, KeyError, publicInputs, StatementError, verifyBatch, VerifyError } from "@muster-zk/verifier";

import { FIXTURES, fixture } from "./fixtures.mjs";

const schnorr = fixture("schnorr");
const ecdsa = fixture("ecdsa");
const mask = fixture("mask");
const test_ = { allowInsecure: true };

function proofBytes({ proof }) {
  return new Uint8Array(Buffer.from(proof.slice(2), "hex"));
}

function refused(code, message) {
  return (error) => {
    assert.ok(error instanceof VerifyError, `${error}`);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

function statementError(message) {
  return (error) => {
    assert.ok(error instanceof StatementError, `${error}`);
    assert.match(error.message, message);
    return true;
  };
}

test("a key says what it is", async () => {
  const key = await Key.read(schnorr.key);
  assert.equal(key.digest, schnorr.proof.vk_digest);
  assert.equal(key.isCeremony, true);
  assert.deepEqual(key.description, schnorr.proof.shape);
  assert.ok(Object.isFrozen(key.description) && Object.isFrozen(key.description.layout));
  assert.equal((await Key.read(ecdsa.key)).isCeremony, false);
});

test("proofs that hold are accepted, as files and as bytes", async () => {
  for (const name of FIXTURES) {
    const { key: bytes, proof, statement } = fixture(name);
    const key = await Key.read(bytes);
    assert.equal(key.verify(statement, proof, test_), undefined);
    key.verify(statement, proofBytes(proof), test_);
    const inputs = publicInputs(key.description, statement);
    key.verifyInputs(inputs, proof, test_);
    key.verifyInputs([...proof.public_inputs], proof, test_);
    key.free();
  }
});

test("values are taken in every form", async () => {
  const key = await Key.read(schnorr.key);
  const { root, threshold, message } = schnorr.statement;
  const raw = (hex) => new Uint8Array(Buffer.from(hex.slice(2), "hex"));
  key.verify({ root: BigInt(root), threshold: BigInt(threshold), message: BigInt(message) }, schnorr.proof);
  key.verify({ root: raw(root), threshold, message: raw(message) }, schnorr.proof);
  const other = await Key.read(ecdsa.key);
  const { message: digest, ...rest } = ecdsa.statement;
  other.verify({ ...rest, digest }, ecdsa.proof, test_);
});

test("another statement is refused, and the error says what differs", async () => {
  const key = await Key.read(schnorr.key);
  const { statement, proof } = schnorr;
  const other = (change) => ({ ...statement, ...change });
  for (const [name, value] of [["root", 1n], ["threshold", statement.threshold - 1], ["message", 2n]]) {
    assert.throws(() => key.verify(other({ [name]: value }), proof), refused("refused", new RegExp(`another ${name}$`)));
    assert.throws(() => key.verify(other({ [name]: value }), proofBytes(proof)), refused("refused", /^the proof does not hold$/));
  }
  const named = await Key.read(mask.key);
  const signers = mask.statement.signers.slice(1);
  assert.throws(
    () => named.verify({ ...mask.statement, signers }, mask.proof, test_),
    refused("refused", /another signers$/),
  );
});

test("what a file claims of itself changes nothing", async () => {
  const key = await Key.read(schnorr.key);
  const { statement, proof } = schnorr;
  const threshold = statement.threshold + 1;
  const [root, , message] = proof.public_inputs;
  const claimed = { ...proof, public_inputs: [root, "0x" + threshold.toString(16).padStart(64, "0"), message] };
  assert.throws(() => key.verify({ ...statement, threshold }, claimed), refused("refused", /^the proof does not hold$/));
  key.verify(statement, claimed);
  key.verify(statement, { kind: "fast", proof: proof.proof });
  assert.throws(() => key.verifyInputs(proof.public_inputs, proof), statementError(/own file/));
});

test("another key is refused, by name", async () => {
  const key = await Key.read(ecdsa.key);
  assert.throws(
    () => key.verify(ecdsa.statement, schnorr.proof, test_),
    refused("refused", new RegExp(`another key, ${schnorr.proof.vk_digest}`)),
  );
});

test("no changed byte of a proof is accepted", async () => {
  const key = await Key.read(schnorr.key);
  const good = proofBytes(schnorr.proof);
  for (let at = 0; at < good.length; at += 41) {
    const proof = good.slice();
    proof[at] ^= 1 << at % 8;
    assert.throws(() => key.verify(schnorr.statement, proof), refused("refused", /./), `byte ${at}`);
  }
  for (const proof of [good.slice(1), good.slice(0, -1), new Uint8Array([...good, 0]), new Uint8Array()]) {
    assert.throws(() => key.verify(schnorr.statement, proof), refused("refused", /bytes, and proofs of this key have/));
  }
});

test("what is no proof is refused", async () => {
  const key = await Key.read(schnorr.key);
  for (const proof of [undefined, null, 1, "0x00", [], {}, { proof: schnorr.proof.proof }, { ...schnorr.proof, kind: "other" }]) {
    assert.throws(() => key.verify(schnorr.statement, proof), refused("proof-format", /fast/));
  }
  for (const proof of [undefined, 1, "", "00", "0x0", "0xzz", `${schnorr.proof.proof} `]) {
    assert.throws(() => key.verify(schnorr.statement, { ...schnorr.proof, proof }), refused("proof-format", /two digits/));
  }
});

test("no changed or shortened key is taken for the same", async () => {
  const { digest } = await Key.read(schnorr.key);
  let read = 0;
  for (let at = 0; at < schnorr.key.length; at += 97) {
    const bytes = schnorr.key.slice();
    bytes[at] ^= 1 << at % 8;
    try {
      const key = await Key.read(bytes);
      assert.notEqual(key.digest, digest);
      assert.throws(() => key.verifyInputs([...schnorr.proof.public_inputs], schnorr.proof, test_), VerifyError);
      read += 1;
    } catch (error) {
      assert.ok(error instanceof KeyError, `byte ${at}: ${error}`);
      assert.notEqual(error.message, "");
    }
  }
  assert.ok(read > 0, "some changes leave a key");
  await assert.rejects(Key.read(schnorr.key.slice(0, -1)), { name: "KeyError", message: "the key ends too early" });
  await assert.rejects(Key.read(new Uint8Array()), KeyError);
  await assert.rejects(Key.read("0x00"), KeyError);
  await assert.rejects(Key.read(schnorr.key.buffer), KeyError);
});

test("an SRS that is not a ceremony's is refused unless it is allowed", async () => {
  const key = await Key.read(ecdsa.key);
  const inputs = publicInputs(key.description, ecdsa.statement);
  for (const options of [undefined, {}, { allowInsecure: false }, { allowInsecure: 1 }]) {
    const text = refused("insecure-srs", /whoever made it can prove anything/);
    assert.throws(() => key.verify(ecdsa.statement, ecdsa.proof, options), text);
    assert.throws(() => key.verifyInputs(inputs, ecdsa.proof, options), text);
    assert.throws(() => verifyBatch([{ key, statement: ecdsa.statement, proof: ecdsa.proof }], options), BatchError);
  }
});

test("inputs are numbers below r, as many as the key has", async () => {
  const key = await Key.read(schnorr.key);
  const inputs = publicInputs(key.description, schnorr.statement);
  assert.throws(() => key.verifyInputs(inputs.slice(1), schnorr.proof), refused("refused", /2 inputs, and the key has 3/));
  assert.throws(() => key.verifyInputs([...inputs, 0n], schnorr.proof), refused("refused", /4 inputs/));
  const order = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n;
  for (const bad of [order, inputs[0] + order, -1n, 1n << 256n, 1, "1", "0x1", undefined, null]) {
    assert.throws(() => key.verifyInputs([bad, ...inputs.slice(1)], schnorr.proof), statementError(/^inputs\[0\]/));
  }
  assert.throws(() => key.verifyInputs(undefined, schnorr.proof), statementError(/array/));
});

test("a batch names every proof that is refused", async () => {
  const keys = { schnorr: await Key.read(schnorr.key), ecdsa: await Key.read(ecdsa.key), mask: await Key.read(mask.key) };
  const good = [
    { key: keys.schnorr, statement: schnorr.statement, proof: schnorr.proof },
    { key: keys.ecdsa, statement: ecdsa.statement, proof: proofBytes(ecdsa.proof) },
    { key: keys.mask, inputs: publicInputs(keys.mask.description, mask.statement), proof: mask.proof },
    { key: keys.schnorr, statement: schnorr.statement, proof: proofBytes(schnorr.proof) },
  ];
  verifyBatch(good, test_);
  verifyBatch([], test_);
  const bad = [...good];
  bad[0] = { ...good[0], statement: { ...schnorr.statement, threshold: 7 } };
  bad[2] = { ...good[2], proof: { ...mask.proof, kind: "other" } };
  assert.throws(() => verifyBatch(bad, test_), (error) => {
    assert.ok(error instanceof BatchError);
    assert.deepEqual(error.refused.map(({ place, error }) => [place, error.code]), [[0, "refused"], [2, "proof-format"]]);
    assert.match(error.refused[0].error.message, /another threshold/);
    return true;
  });
  assert.throws(() => verifyBatch(good), (error) => {
    assert.deepEqual(error.refused.map(({ place, error }) => [place, error.code]), [[1, "insecure-srs"], [2, "insecure-srs"]]);
    return true;
  });
  assert.throws(() => verifyBatch([{ ...good[0], inputs: [] }]), TypeError);
  assert.throws(() => verifyBatch([{ ...good[0], key: {} }]), TypeError);
  assert.throws(() => verifyBatch([{ key: keys.schnorr, proof: schnorr.proof }]), TypeError);
});

test("keys are made by reading, and freed once", async () => {
  assert.throws(() => new Key(), TypeError);
  const key = await Key.read(schnorr.key);
  key.free();
  key.free();
  assert.throws(() => key.verify(schnorr.statement, schnorr.proof), TypeError);
  assert.equal(key.digest, schnorr.proof.vk_digest);
});

test("memory does not grow with the keys and proofs that were checked", async () => {
  const { default: init } = await import("../dist/wasm.js");
  const { memory } = await init();
  const round = async () => {
    const key = await Key.read(schnorr.key);
    key.verify(schnorr.statement, schnorr.proof);
    verifyBatch([{ key, statement: schnorr.statement, proof: schnorr.proof }]);
    key.free();
  };
  for (let i = 0; i < 5; i++) await round();
  const before = memory.buffer.byteLength;
  for (let i = 0; i < 40; i++) await round();
  assert.equal(memory.buffer.byteLength, before);
});

test("how long a proof takes", async () => {
  const first = performance.now();
  const key = await Key.read(schnorr.key);
  const read = performance.now() - first;
  const times = [];
  for (let i = 0; i < 40; i++) {
    const start = performance.now();
    key.verify(schnorr.statement, schnorr.proof);
    times.push(performance.now() - start);
  }
  const [once] = times;
  times.sort((a, b) => a - b);
  const ms = (time) => `${time.toFixed(1)} ms`;
  console.log(`Node ${process.versions.node}: key ${ms(read)}, first proof ${ms(once)}, median ${ms(times[20])}, least ${ms(times[0])}`);
});
