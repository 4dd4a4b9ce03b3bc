// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title What a committee signed, of the bytes that say it.
/// @notice The one shape of the libraries in `src/digests`. Each is deployed once, by anybody, and is then such a
/// contract; a contract that knows which committee it follows uses the library's internal functions instead.
///
/// A statement is read in one way only: with a byte more, a byte less or another version it has no digest, and two
/// statements never have the same preimage. Choose the adapter as you choose the key: never let the caller who
/// brings a statement bring the adapter, too.
interface IDigest {
    /// @notice The statement has another length than all statements of this kind.
    error WrongLength(uint256 expected, uint256 actual);
    /// @notice The statement is shorter than the shortest of this kind.
    error TooShort(uint256 least, uint256 actual);
    /// @notice The statement is longer than the longest of this kind.
    error TooLong(uint256 most, uint256 actual);
    /// @notice A number that says what kind of statement this is has another value than any that is known.
    error UnknownKind(uint256 kind);
    /// @notice What the statement says counted until this second and no longer.
    error StatementExpired(uint256 expiration);

    /// @notice What the committee signs for this statement, as `MusterStatement.ofDigest` takes it.
    /// @param statement The bytes, in the form that the library describes.
    function digestOf(bytes calldata statement) external view returns (bytes32);
}
