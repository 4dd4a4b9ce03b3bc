// SPDX-License-Identifier: MIT OR Apache-2.0

/**
 * What was wrong. Those of {@link statement} and {@link verify} that Solidity has, too, have its names.
 *
 * - of any function: `NumberOutOfRange`, a number that is no bigint or does not fit; `NotBytes`, no `0x` hex, or not of the
 *   length; `NotAnAddress`
 * - of statements: see `MusterStatement.sol`; and `WrongPointLength`, a point of more or fewer words
 * - of digests: `UnknownForm`; `EmptyBatch`; `PathTooLong`, as no contract takes it
 * - of `verify`, by which there is no verdict: see {@link verify}
 * - of readers: `BadFile`
 */
export type MusterErrorCode =
  | 'NumberOutOfRange' | 'NotBytes' | 'NotAnAddress'
  | 'RootOutOfRange' | 'ThresholdOutOfRange' | 'ElementOutOfRange' | 'MessageTooLong' | 'CoordinateOutOfRange' | 'WrongPointLength'
  | 'StatementTooShort' | 'TotalOutOfRange' | 'MembersOutOfRange' | 'WrongMaskLength' | 'MaskBitForNobody' | 'NoSuchMember'
  | 'UnknownForm' | 'EmptyBatch' | 'PathTooLong'
  | 'NoVerifier' | 'UnknownKey' | 'WrongInputs' | 'InputTooLarge' | 'WrongProofLength' | 'PrecompileFailed' | 'NoVerdict'
  | 'BadFile';

/** The one error that this package throws itself. Its `code` says what was wrong, and its message where, and what was found. */
export class MusterError extends Error {
  override readonly name = 'MusterError';
  readonly code: MusterErrorCode;

  constructor(code: MusterErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
