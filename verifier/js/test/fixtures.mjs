import { readFileSync } from "node:fs";

const folder = new URL("./fixtures/", import.meta.url);

export function bytes(name) {
  return new Uint8Array(readFileSync(new URL(name, folder)));
}

export function json(name) {
  return JSON.parse(readFileSync(new URL(name, folder), "utf8"));
}

/** A key, a proof and what it shows. */
export function fixture(name) {
  return {
    key: bytes(`${name}/verifying.key`),
    proof: json(`${name}/proof.json`),
    statement: json(`${name}/statement.json`),
  };
}

export const FIXTURES = ["schnorr", "ecdsa", "mask"];

/** The text of a page of the book. */
export function page(name) {
  return readFileSync(new URL(`../../../docs/src/${name}`, import.meta.url), "utf8");
}
