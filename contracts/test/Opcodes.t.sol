// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Test} from "./base/Test.sol";

/// @dev What an account may do with the verifier while a bundler validates (ERC-7562): GAS stands right before
/// a call and nowhere else, there is no storage, and nothing that tells one block from another.
contract OpcodesTest is Test {
    bytes1 private constant INVALID = 0xfe;
    bytes1 private constant GAS = 0x5a;

    function testOpcodes() public {
        bytes memory code = address(new MusterVerifier()).code;
        // CALL, CALLCODE, DELEGATECALL, STATICCALL.
        bytes4 calls = 0xf1f2f4fa;
        // SLOAD, SSTORE, TLOAD, TSTORE, DELEGATECALL, SELFDESTRUCT, CREATE.
        bytes7 never = 0x54555c5df4fff0;
        uint256 gas = 0;
        for (uint256 at = 0; code[at] != INVALID; at += 1 + pushed(code[at])) {
            for (uint256 i = 0; i < 7; ++i) {
                assertTrue(code[at] != never[i], "never");
            }
            // ORIGIN, GASPRICE, and BLOCKHASH to BLOBBASEFEE.
            assertTrue(code[at] != 0x32 && code[at] != 0x3a, "of the transaction");
            assertTrue(code[at] < 0x40 || code[at] > 0x4a || code[at] == 0x46, "of the block");
            if (code[at] != GAS) continue;
            ++gas;
            bytes1 next = code[at + 1];
            bool isCall = false;
            for (uint256 i = 0; i < 4; ++i) {
                isCall = isCall || next == calls[i];
            }
            assertTrue(isCall, "right before a call");
        }
        assertTrue(gas >= 4, "the precompiles are called");
    }

    function pushed(bytes1 opcode) private pure returns (uint256) {
        return opcode >= 0x60 && opcode <= 0x7f ? uint8(opcode) - 0x5f : 0;
    }
}
