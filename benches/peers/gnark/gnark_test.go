package main

import (
	"math/big"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	secpfr "github.com/consensys/gnark-crypto/ecc/secp256k1/fr"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/std/math/emulated"
	"github.com/consensys/gnark/test"
)

func solved(empty, assigned frontend.Circuit) error {
	return test.IsSolved(empty, assigned, ecc.BN254.ScalarField())
}

func TestTheCircuitsAcceptTheirSamplesOnly(t *testing.T) {
	for _, piece := range []piece{pieces[0], pieces[2], pieces[4]} {
		for _, wrong := range []falsehood{nothing, publicInput, signature} {
			assigned, err := piece.assigned(2, wrong)
			if err != nil {
				t.Fatal(err)
			}
			err = solved(piece.empty(2), assigned)
			if (err == nil) != (wrong == nothing) {
				t.Errorf("%s with falsehood %d: %v", piece.name, wrong, err)
			}
		}
	}
}

// The README says so: gnark's ECDSA does not ask for the lower s.
func TestTheHigherSIsAccepted(t *testing.T) {
	assigned, err := assignECDSA(1, nothing)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := signSecp(0)
	if err != nil {
		t.Fatal(err)
	}
	// Both halves come from the second signature: nonces are drawn at random.
	higher := new(big.Int).Sub(secpfr.Modulus(), signer.s)
	assigned.Signatures[0].R = emulated.ValueOf[scalarField](signer.r)
	assigned.Signatures[0].S = emulated.ValueOf[scalarField](higher)
	if err := solved(emptyECDSA(1), assigned); err != nil {
		t.Error(err)
	}
}

func TestAProofIsMeasuredAndFalseOnesAreRefused(t *testing.T) {
	for _, name := range []string{"eddsa-plonk", "eddsa-groth16"} {
		piece, err := pieceOf(name)
		if err != nil {
			t.Fatal(err)
		}
		row, err := measure(piece, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		if row.ProveS <= row.WitnessS || row.WitnessS <= 0 || row.ProofBytes >= row.ProofRawBytes ||
			row.PublicInputs != 3 {
			t.Errorf("%+v", row)
		}
	}
}

func TestBadInputIsNamed(t *testing.T) {
	for words, expected := range map[string]string{
		"-signatures 1,x":   "-signatures: 'x' is not a number from 1 to 64",
		"-runs 0":           "-runs: '0' is not a number from 1 to 1000",
		"-pieces rsa":       "-pieces: 'rsa' is not one of",
		"-bogus":            "flag provided but not defined: -bogus",
		"-signatures 1 two": "'two' is not an option",
	} {
		_, err := run(strings.Fields(words))
		if err == nil || !strings.HasPrefix(err.Error(), expected) {
			t.Errorf("%s: %v", words, err)
		}
	}
	if text, err := run([]string{"-help"}); err != nil || text != help {
		t.Errorf("-help: %v", err)
	}
}
