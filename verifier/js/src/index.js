import { BatchError, KeyError, StatementError, VerifyError } from "./errors.js";
import { element, fromHex, toHex, word } from "./numbers.js";
import { messageForm, publicInputs } from "./statement.js";
import init, { Batch as WasmBatch, Key as WasmKey } from "./wasm.js";

export { BatchError, KeyError, messageForm, publicInputs, StatementError, VerifyError };

const INSECURE =
  "the SRS of this key is not a ceremony's: whoever made it can prove anything. For tests, pass { allowInsecure: true }";
const OWN_INPUTS = "the inputs are those of the proof's own file: give those that you expect";
/** Only this module makes keys. */
const OURS = Symbol();

let loading;

/**
 * Loads the WebAssembly: from beside this file, or from `source`, which is what `fetch` gives, a module, or its bytes.
 * `Key.read` does so itself; once is enough.
 */
export function load(source) {
  loading ??= start(source).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start(source) {
  await init({ module_or_path: await (source ?? beside()) });
}

function beside() {
  const url = new URL("./wasm_bg.wasm", import.meta.url);
  // Node does not fetch files.
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  return url.protocol === "file:" && files ? files.readFile(url) : fetch(url);
}

export class Key {
  #key;
  #digest;
  #description;
  #isCeremony;

  constructor(ours, key) {
    if (ours !== OURS) throw new TypeError("keys are made by Key.read");
    this.#key = key;
    this.#digest = toHex(key.digest());
    this.#isCeremony = key.is_ceremony();
    this.#description = parsed(new TextDecoder().decode(key.description()));
  }

  static async read(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new KeyError("expected the bytes of a key");
    await load();
    return new Key(OURS, called(() => WasmKey.read(bytes), (reason) => new KeyError(reason)));
  }

  get digest() {
    return this.#digest;
  }

  get isCeremony() {
    return this.#isCeremony;
  }

  get description() {
    return this.#description;
  }

  verify(statement, proof, options) {
    this.#check(publicInputs(this.#description, statement), proof, options, this.#names());
  }

  verifyInputs(inputs, proof, options) {
    this.#check(inputsOf(inputs, proof), proof, options, inputName);
  }

  free() {
    this.#key?.free();
    this.#key = undefined;
  }

  #check(inputs, proof, options, names) {
    this.#mayBeUsed(options);
    const bytes = proofBytes(proof);
    called(
      () => this.#key.verify(joined(inputs), bytes),
      (reason) => refusal(reason, proof, this.#digest, inputs, names),
    );
  }

  #mayBeUsed(options) {
    if (this.#key === undefined) throw new TypeError("the key was freed");
    if (!this.#isCeremony && options?.allowInsecure !== true) throw new VerifyError("insecure-srs", INSECURE);
  }

  /** What the inputs of statements are called. */
  #names() {
    const { mask, capacity } = this.#description;
    const words = mask ? Math.ceil(capacity / 248) : 0;
    return (place, count) => {
      if (place < 2) return ["root", "threshold"][place];
      return place < count - words ? "message" : "signers";
    };
  }

  /** For `verifyBatch`: a proof of a batch, as far as it can be checked before the others. */
  static [OURS](item, options) {
    const { key, statement, inputs: given, proof } = item ?? {};
    if (!(key instanceof Key)) throw new TypeError("key: expected a Key");
    if ((statement === undefined) === (given === undefined)) {
      throw new TypeError("each proof has a statement, or inputs, and not both");
    }
    const isNamed = statement !== undefined;
    const inputs = isNamed ? publicInputs(key.#description, statement) : inputsOf(given, proof);
    const names = isNamed ? key.#names() : inputName;
    key.#mayBeUsed(options);
    const bytes = proofBytes(proof);
    return {
      push: (batch) => batch.push(key.#key, joined(inputs), bytes),
      error: (reason) => refusal(reason, proof, key.#digest, inputs, names),
    };
  }
}

export function verifyBatch(items, options) {
  const refused = [];
  const checked = [];
  for (const [place, item] of [...items].entries()) {
    try {
      checked.push({ place, ...Key[OURS](item, options) });
    } catch (error) {
      if (!(error instanceof VerifyError)) throw error;
      refused.push({ place, error });
    }
  }
  for (const [i, reason] of reasons(checked).entries()) {
    if (reason !== "") refused.push({ place: checked[i].place, error: checked[i].error(reason) });
  }
  if (refused.length > 0) throw new BatchError(refused.sort((a, b) => a.place - b.place));
}

/** Why each is refused; empty if it is not. */
function reasons(checked) {
  if (checked.length === 0) return [];
  const batch = new WasmBatch();
  try {
    for (const { push } of checked) push(batch);
    return batch.verify();
  } finally {
    batch.free();
  }
}

/** Calls the WebAssembly, which throws its reasons as strings. */
function called(call, error) {
  try {
    return call();
  } catch (reason) {
    throw typeof reason === "string" ? error(reason) : reason;
  }
}

/** The object in JSON, which nobody can change, or else the text. */
function parsed(text) {
  try {
    const value = JSON.parse(text, (_, value) => Object.freeze(value));
    return value !== null && typeof value === "object" ? value : text;
  } catch {
    return text;
  }
}

function inputsOf(inputs, proof) {
  if (!Array.isArray(inputs)) throw new StatementError("inputs: expected an array");
  if (inputs === proof?.public_inputs) throw new StatementError(OWN_INPUTS);
  return inputs.map((input, place) => element(input, inputName(place)));
}

function inputName(place) {
  return `inputs[${place}]`;
}

function joined(inputs) {
  const bytes = new Uint8Array(32 * inputs.length);
  inputs.forEach((input, place) => bytes.set(fromHex(word(input)), 32 * place));
  return bytes;
}

/** The proof in a `proof.json`, or in bytes. Nothing else of the file has a say. */
function proofBytes(proof) {
  if (proof instanceof Uint8Array) return proof;
  if (proof?.kind !== "fast") {
    const kind = typeof proof?.kind === "string" ? `of the kind ${JSON.stringify(proof.kind)}` : "no proof";
    throw new VerifyError("proof-format", `this is ${kind}: expected bytes, or a proof.json of the kind "fast"`);
  }
  const bytes = fromHex(proof.proof);
  if (bytes === undefined) throw new VerifyError("proof-format", "proof: expected 0x and two digits for each byte");
  return bytes;
}

/** The error of a proof that was refused. What its file claims tells its reader more than the reason does. */
function refusal(reason, proof, digest, inputs, names) {
  const claims = [];
  if (typeof proof.vk_digest === "string" && proof.vk_digest.toLowerCase() !== digest) {
    claims.push(`another key, ${proof.vk_digest}`);
  } else if (Array.isArray(proof.public_inputs) && proof.public_inputs.length === inputs.length) {
    const others = inputs.map((input, place) => word(input) !== proof.public_inputs[place] && names(place, inputs.length));
    claims.push(...new Set(others.filter(Boolean).map((name) => `another ${name}`)));
  }
  const also = claims.length === 0 ? "" : `; its file says that it is about ${claims.join(" and ")}`;
  return new VerifyError("refused", reason + also);
}
