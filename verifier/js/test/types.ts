// What must compile, and what must not.

import { Key, messageForm, publicInputs, verifyBatch, VerifyError } from "@muster-zk/verifier";
import type { ProofJson, Statement } from "@muster-zk/verifier";

export async function check(bytes: Uint8Array, file: ProofJson): Promise<string> {
  const key: Key = await Key.read(bytes);
  const statement: Statement = { root: 1n, threshold: 8, message: "0x00", signers: new Set([1, 2]) };
  key.verify(statement, file, { allowInsecure: false });
  key.verify({ root: bytes, threshold: 8n, digest: bytes }, bytes);
  key.verifyInputs([1n, "0x00"], file);
  verifyBatch([{ key, statement, proof: file }, { key, inputs: [1n], proof: bytes }]);
  const inputs: bigint[] = publicInputs(key.description, statement);
  const most: number | undefined = messageForm(key.description).most;
  try {
    key.free();
  } catch (error) {
    if (error instanceof VerifyError && error.code === "insecure-srs") return error.message;
  }
  // @ts-expect-error A key has to be read.
  new Key();
  // @ts-expect-error A statement is needed.
  key.verify(file);
  // @ts-expect-error A threshold is a number.
  key.verify({ root: 1n, threshold: "8" }, file);
  // @ts-expect-error A statement or inputs, and not both.
  verifyBatch([{ key, statement, inputs, proof: file }]);
  // @ts-expect-error Nobody sets this.
  key.isCeremony = true;
  return `${key.digest} ${inputs.length} ${most}`;
}
