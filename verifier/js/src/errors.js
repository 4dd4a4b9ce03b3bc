/** Bytes are not a key. */
export class KeyError extends Error {
  name = "KeyError";
}

/** What the caller expects cannot be said in the inputs of the key: the caller's mistake, and no verdict on a proof. */
export class StatementError extends Error {
  name = "StatementError";
}

/** A proof is refused. */
export class VerifyError extends Error {
  name = "VerifyError";

  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Proofs of a batch are refused. */
export class BatchError extends Error {
  name = "BatchError";

  constructor(refused) {
    const places = refused.map(({ place, error }) => `${place}: ${error.message}`).join("; ");
    super(`${refused.length} of the proofs are refused. ${places}`);
    this.refused = refused;
  }
}
