// Keys, digests and signatures, the same keys in every run.

import { createECDH, createHash, createPrivateKey, sign } from 'node:crypto';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const sha256 = (text) => createHash('sha256').update(text).digest();

/** The same signature with the other s, which is as valid under plain ECDSA. */
export function negated(signature) {
  const s = ORDER - BigInt(`0x${signature.toString('hex', 32)}`);
  const other = Buffer.from(signature);
  other.write(s.toString(16).padStart(64, '0'), 32, 'hex');
  return other;
}

function lowS(signature) {
  const s = BigInt(`0x${signature.toString('hex', 32)}`);
  return 2n * s > ORDER ? negated(signature) : signature;
}

/** One signer: a digest, the key's coordinates and r followed by s, where s is the lower one. */
export function signer(index) {
  const secret = sha256(`signer ${index}`);
  const pair = createECDH('secp256k1');
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const word = (bytes) => bytes.toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'secp256k1', d: word(secret), x: word(x), y: word(y) },
  });
  const message = `message ${index}`;
  const signature = sign('sha256', Buffer.from(message), { key, dsaEncoding: 'ieee-p1363' });
  return { digest: sha256(message), x, y, signature: lowS(signature) };
}

/** The inputs of the Noir program. */
export function inputs(signers) {
  const column = (name) => signers.map((one) => [...one[name]]);
  return {
    digests: column('digest'),
    keys_x: column('x'),
    keys_y: column('y'),
    signatures: column('signature'),
  };
}
