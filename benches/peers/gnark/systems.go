package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/plonk"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/frontend/cs/scs"
	"github.com/consensys/gnark/std/algebra/algopts"
	"github.com/consensys/gnark/test/unsafekzg"
)

// proof is what both systems give back: it is written to be counted.
type proof interface {
	WriteRawTo(io.Writer) (int64, error)
}

// keys are a proving and a verifying key, behind the two things that are done with them.
type keys struct {
	prove  func(witness.Witness) (proof, error)
	verify func(proof, witness.Witness) error
}

// system is a proof system: how it arithmetises a circuit and makes keys for it.
type system struct {
	compile func(frontend.Circuit) (constraint.ConstraintSystem, error)
	// srs makes what setup needs, apart from the keys; none for Groth16.
	srs   func(constraint.ConstraintSystem) error
	setup func(constraint.ConstraintSystem) (keys, error)
}

var plonkSystem = system{
	compile: func(circuit frontend.Circuit) (constraint.ConstraintSystem, error) {
		return frontend.Compile(ecc.BN254.ScalarField(), scs.NewBuilder, circuit)
	},
	srs: func(compiled constraint.ConstraintSystem) error {
		// Kept in memory by the package: setup asks again and gets it at once.
		_, _, err := unsafekzg.NewSRS(compiled)
		return err
	},
	setup: func(compiled constraint.ConstraintSystem) (keys, error) {
		canonical, lagrange, err := unsafekzg.NewSRS(compiled)
		if err != nil {
			return keys{}, err
		}
		proving, verifying, err := plonk.Setup(compiled, canonical, lagrange)
		if err != nil {
			return keys{}, err
		}
		return keys{
			prove: func(full witness.Witness) (proof, error) {
				return plonk.Prove(compiled, proving, full)
			},
			verify: func(made proof, public witness.Witness) error {
				return plonk.Verify(made.(plonk.Proof), verifying, public)
			},
		}, nil
	},
}

var groth16System = system{
	compile: func(circuit frontend.Circuit) (constraint.ConstraintSystem, error) {
		return frontend.Compile(ecc.BN254.ScalarField(), r1cs.NewBuilder, circuit)
	},
	srs: func(constraint.ConstraintSystem) error { return nil },
	setup: func(compiled constraint.ConstraintSystem) (keys, error) {
		proving, verifying, err := groth16.Setup(compiled)
		if err != nil {
			return keys{}, err
		}
		return keys{
			prove: func(full witness.Witness) (proof, error) {
				return groth16.Prove(compiled, proving, full)
			},
			verify: func(made proof, public witness.Witness) error {
				return groth16.Verify(made.(groth16.Proof), verifying, public)
			},
		}, nil
	},
}

// piece is a kind of signature under a proof system.
type piece struct {
	name      string
	statement string
	system    system
	empty     func(count int) frontend.Circuit
	// assigned is a circuit with its values, of which `wrong` is false.
	assigned func(count int, wrong falsehood) (frontend.Circuit, error)
}

// falsehood says which of a circuit's values is false.
type falsehood int

const (
	nothing falsehood = iota
	publicInput
	signature
)

func ecdsaPiece(name, statement string, system system, opts ...algopts.AlgebraOption) piece {
	return piece{
		name:      name,
		statement: statement,
		system:    system,
		empty:     func(count int) frontend.Circuit { return emptyECDSA(count, opts...) },
		assigned: func(count int, wrong falsehood) (frontend.Circuit, error) {
			return assignECDSA(count, wrong)
		},
	}
}

func eddsaPiece(name string, system system) piece {
	return piece{
		name:      name,
		statement: "EdDSA BN254 twisted Edwards",
		system:    system,
		empty:     func(count int) frontend.Circuit { return emptyEdDSA(count) },
		assigned: func(count int, wrong falsehood) (frontend.Circuit, error) {
			return assignEdDSA(count, wrong)
		},
	}
}

const (
	complete   = "ECDSA secp256k1"
	incomplete = "ECDSA secp256k1, incomplete arithmetic"
)

var pieces = []piece{
	ecdsaPiece("ecdsa-plonk", complete, plonkSystem),
	ecdsaPiece("ecdsa-groth16", complete, groth16System),
	ecdsaPiece("ecdsa-incomplete-plonk", incomplete, plonkSystem,
		algopts.WithIncompleteArithmetic()),
	ecdsaPiece("ecdsa-incomplete-groth16", incomplete, groth16System,
		algopts.WithIncompleteArithmetic()),
	eddsaPiece("eddsa-plonk", plonkSystem),
	eddsaPiece("eddsa-groth16", groth16System),
}

func pieceNames() []string {
	names := make([]string, len(pieces))
	for i, piece := range pieces {
		names[i] = piece.name
	}
	return names
}

func pieceOf(name string) (piece, error) {
	for _, piece := range pieces {
		if piece.name == name {
			return piece, nil
		}
	}
	return piece{}, fmt.Errorf("-pieces: '%s' is not one of %s", name,
		strings.Join(pieceNames(), ", "))
}

// witnessOf is a circuit's values as gnark's prover and verifier take them.
func witnessOf(assigned frontend.Circuit, options ...frontend.WitnessOption) (
	witness.Witness, error,
) {
	return frontend.NewWitness(assigned, ecc.BN254.ScalarField(), options...)
}

// length is a proof's size with compressed points and without them.
func length(made proof) (int, int, error) {
	var raw, compressed bytes.Buffer
	if _, err := made.WriteRawTo(&raw); err != nil {
		return 0, 0, err
	}
	if _, err := made.(io.WriterTo).WriteTo(&compressed); err != nil {
		return 0, 0, err
	}
	return compressed.Len(), raw.Len(), nil
}
