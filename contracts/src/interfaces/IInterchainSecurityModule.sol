// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title The two functions that a Hyperlane mailbox and relayer call on a security module.
interface IInterchainSecurityModule {
    /// @notice The kind of module, from which a relayer infers what metadata to bring.
    function moduleType() external view returns (uint8);

    /// @notice Says whether a message may be delivered.
    /// @param metadata What the relayer brought for the module.
    /// @param message The message in Hyperlane's packed format.
    /// @return Whether the message is genuine.
    function verify(bytes calldata metadata, bytes calldata message) external returns (bool);
}
