/** Bytes, or 0x and two hexadecimal digits for each of them. */
export type Bytes = Uint8Array | string;

/** What a key that was made for committees says of itself: the crate muster-circuits calls it a shape. */
export interface Shape {
  readonly scheme: string;
  readonly keys?: string;
  readonly rule?: string;
  /** The message form, "public" if there is none. */
  readonly message?: string;
  readonly hash?: string;
  /** The most members of a committee. */
  readonly capacity: number;
  /** The most signers; in the mode "complement", the most who did not sign. */
  readonly slots: number;
  readonly mode: string;
  readonly arity: number;
  readonly depth: number;
  /** Whether proofs say who signed. */
  readonly mask?: boolean;
  readonly layout: object;
}

/** What the caller expects a proof to say. Take none of it from where the proof is from. */
export interface Statement {
  /** The committee's root: a number below r, or its 32 bytes, big-endian. */
  root: bigint | Bytes;
  /** The least sum of the signers' weights, from 1 to 2^60 - 1. */
  threshold: number | bigint;
  /** What was signed, as `messageForm` says. */
  message?: bigint | Bytes;
  /** The 32 public bytes, in place of the message. If only the SHA-256 of what was signed is public, it is needed. */
  digest?: Bytes;
  /** Who signed, by index, and nobody else. Needed if, and only if, the key has a mask. */
  signers?: Iterable<number>;
}

/** The content of a `proof.json`. Only `kind` and `proof` decide; the rest is for the text of errors. */
export interface ProofJson {
  kind: string;
  proof: string;
  vk_digest?: string;
  public_inputs?: readonly string[];
  [other: string]: unknown;
}

export interface Options {
  /** Take keys whose SRS is not a ceremony's, for tests: whoever made it can prove anything. */
  allowInsecure?: boolean;
}

/** How messages are public. */
export interface MessageForm {
  /**
   * - `element`: a number below r;
   * - `bytes32`: 32 bytes;
   * - `digest`: the SHA-256 of what was signed;
   * - `bytes`: up to `most` bytes;
   * - `point`: a point, which only `verifyInputs` takes.
   */
  kind: "element" | "bytes32" | "digest" | "bytes" | "point";
  most?: number;
}

/** A verifying key. */
export class Key {
  private constructor();
  /** Reads the bytes of a `verifying.key`. @throws {KeyError} */
  static read(bytes: Uint8Array): Promise<Key>;
  /** Names the key: 0x and 64 digits, the Keccak-256 of its bytes. Compare it with the one that you trust. */
  readonly digest: string;
  /** Whether the key says that its SRS is a ceremony's. */
  readonly isCeremony: boolean;
  /** What the key's maker says that the inputs mean: a shape, other JSON, or a text. */
  readonly description: Readonly<Shape> | object | string;
  /**
   * Returns if the proof shows this statement.
   * @throws {VerifyError} if it does not
   * @throws {StatementError} if the key cannot say the statement
   */
  verify(statement: Statement, proof: Uint8Array | ProofJson, options?: Options): void;
  /**
   * The same for inputs that the caller made: numbers below r, or 0x and 64 digits.
   * @throws {VerifyError}
   * @throws {StatementError}
   */
  verifyInputs(inputs: readonly (bigint | string)[], proof: Uint8Array | ProofJson, options?: Options): void;
  /** Frees the key's memory now, and not when it is collected. */
  free(): void;
}

/** A proof of a batch, with what the caller expects of it. */
export type BatchItem = { key: Key; proof: Uint8Array | ProofJson } & (
  | { statement: Statement; inputs?: undefined }
  | { inputs: readonly (bigint | string)[]; statement?: undefined }
);

/**
 * Returns if every proof shows what is expected of it: with one pairing for all keys of one SRS.
 * @throws {BatchError} which names every proof that is refused
 * @throws {StatementError}
 */
export function verifyBatch(items: Iterable<BatchItem>, options?: Options): void;

/** The inputs that say a statement, for a key with this description. @throws {StatementError} */
export function publicInputs(description: Key["description"], statement: Statement): bigint[];

/** How the messages of a key with this description are public. @throws {StatementError} */
export function messageForm(description: Key["description"]): MessageForm;

/**
 * Loads the WebAssembly: from beside the module, or from what is given, where that is not possible. `Key.read` does so itself.
 */
export function load(
  source?: WebAssembly.Module | BufferSource | Response | Promise<WebAssembly.Module | BufferSource | Response>,
): Promise<void>;

/** Bytes are not a key. */
export class KeyError extends Error {}

/** What the caller expects cannot be said in the inputs of the key. This is no verdict on a proof. */
export class StatementError extends Error {}

/** A proof is refused. */
export class VerifyError extends Error {
  /**
   * - `refused`: it does not show what is expected;
   * - `proof-format`: it is no proof of the kind `fast`;
   * - `insecure-srs`: the key's SRS is not a ceremony's.
   */
  readonly code: "refused" | "proof-format" | "insecure-srs";
}

/** Proofs of a batch are refused. */
export class BatchError extends Error {
  /** Their places in the batch, ascending. */
  readonly refused: readonly { readonly place: number; readonly error: VerifyError }[];
}
