// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "./MultisigLightClient.sol";
import {MusterDigest} from "./MusterDigest.sol";
import {IInterchainSecurityModule} from "./interfaces/IInterchainSecurityModule.sol";

/// @title A Hyperlane security module over a light client.
/// @notice A Hyperlane message is the light client's message with Hyperlane's nonce and the payload
/// `keccak256("muster/hyperlane/v1") || message`. It passes if the light client has accepted it, or
/// accepts it now with the proof in the metadata. The client may be frozen: what it accepted before
/// passes all the same.
/// @dev Replay of a delivery is the mailbox's business, and it keeps track. Anyone may call
/// `verify`: all it can do is what anyone can do at the light client.
contract MusterIsm is IInterchainSecurityModule {
    /// @notice First word of the payload of a Hyperlane message.
    bytes32 public constant HYPERLANE_TAG = keccak256("muster/hyperlane/v1");

    /// @dev Hyperlane's number for modules that need no metadata: a stock relayer then sends none,
    /// and the message must have been accepted before. Who calls the mailbox with a proof in the
    /// metadata delivers in one transaction.
    uint8 private constant MODULE_TYPE_NULL = 6;
    /// @dev version (1) || nonce (4) || origin (4) || sender (32) || destination (4) || recipient (32)
    uint256 private constant HEADER_LENGTH = 77;

    /// @notice The light client of the origin chain.
    MultisigLightClient public immutable CLIENT;
    /// @notice Hyperlane's number for the origin chain, which need not be its chain id.
    uint32 public immutable ORIGIN_DOMAIN;

    /// @notice The light client's address has no code.
    error NoCode(address client);
    /// @notice The message is shorter than Hyperlane's header.
    error MessageTooShort(uint256 length);
    /// @notice The message comes from another chain.
    error WrongOrigin(uint32 expected, uint32 actual);

    /// @param client The light client of the origin chain.
    /// @param originDomain Hyperlane's number for the origin chain.
    constructor(MultisigLightClient client, uint32 originDomain) {
        if (address(client).code.length == 0) revert NoCode(address(client));
        CLIENT = client;
        ORIGIN_DOMAIN = originDomain;
    }

    /// @inheritdoc IInterchainSecurityModule
    function moduleType() external pure returns (uint8) {
        return MODULE_TYPE_NULL;
    }

    /// @inheritdoc IInterchainSecurityModule
    /// @dev `metadata` is empty, or `abi.encode(uint64 epoch, uint64 validUntil, bytes proof)`, as the
    /// light client's `submit` takes them. Reverts or returns true, except for an unknown message
    /// without metadata, which is false.
    function verify(bytes calldata metadata, bytes calldata message) external returns (bool) {
        MusterDigest.Message memory wrapped = toClientMessage(message);
        if (CLIENT.isProcessed(CLIENT.messageId(wrapped))) return true;
        if (metadata.length == 0) return false;
        (uint64 epoch, uint64 validUntil, bytes memory proof) =
            abi.decode(metadata, (uint64, uint64, bytes));
        CLIENT.submit(wrapped, epoch, validUntil, proof);
        return true;
    }

    /// @notice The light client's message for a Hyperlane message.
    /// @param message The message in Hyperlane's packed format.
    function toClientMessage(bytes calldata message)
        public
        view
        returns (MusterDigest.Message memory)
    {
        if (message.length < HEADER_LENGTH) revert MessageTooShort(message.length);
        uint32 origin = uint32(bytes4(message[5:9]));
        if (origin != ORIGIN_DOMAIN) revert WrongOrigin(ORIGIN_DOMAIN, origin);
        return MusterDigest.Message({
            nonce: uint32(bytes4(message[1:5])), payload: bytes.concat(HYPERLANE_TAG, message)
        });
    }
}
