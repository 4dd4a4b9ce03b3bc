// Command gnark measures what N signatures cost in gnark over BN254: see README.md.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

const help = `What N signatures cost in gnark over BN254, with PLONK (KZG) and Groth16.

usage: go run . [options]

  -signatures 1,4,13   signatures in a proof, one case each
  -pieces A,B          of ecdsa-plonk, ecdsa-groth16, ecdsa-incomplete-plonk,
                       ecdsa-incomplete-groth16, eddsa-plonk, eddsa-groth16; all by default
  -runs 3              proofs per case; the figures are medians
  -json                one JSON object instead of the table
  -help                this text

GOMAXPROCS sets the number of threads.

examples:
  GOMAXPROCS=2 go run .
  go run . -signatures 1 -runs 1 -pieces ecdsa-plonk
  GOMAXPROCS=2 taskset -c 0,1 go run . -json > gnark.json

Exit status: 0, or 2 with one line that says what is wrong.
`

const (
	mostSignatures = 64
	mostRuns       = 1000
)

type options struct {
	counts []int
	pieces []piece
	runs   int
	json   bool
	help   bool
}

func parse(words []string) (options, error) {
	var chosen options
	flags := flag.NewFlagSet("gnark", flag.ContinueOnError)
	flags.SetOutput(new(bytes.Buffer)) // the caller prints the error, once
	signatures := flags.String("signatures", "1,4,13", "")
	names := flags.String("pieces", strings.Join(pieceNames(), ","), "")
	runs := flags.String("runs", "3", "")
	flags.BoolVar(&chosen.json, "json", false, "")
	if err := flags.Parse(words); err != nil {
		chosen.help = errors.Is(err, flag.ErrHelp)
		if chosen.help {
			return chosen, nil
		}
		return chosen, err
	}
	if flags.NArg() > 0 {
		return chosen, fmt.Errorf("'%s' is not an option", flags.Arg(0))
	}
	for _, text := range strings.Split(*signatures, ",") {
		count, err := number("signatures", text, mostSignatures)
		if err != nil {
			return chosen, err
		}
		chosen.counts = append(chosen.counts, count)
	}
	for _, name := range strings.Split(*names, ",") {
		found, err := pieceOf(name)
		if err != nil {
			return chosen, err
		}
		chosen.pieces = append(chosen.pieces, found)
	}
	var err error
	chosen.runs, err = number("runs", *runs, mostRuns)
	return chosen, err
}

func number(name, text string, most int) (int, error) {
	value, err := strconv.Atoi(text)
	if err != nil || value < 1 || value > most {
		return 0, fmt.Errorf("-%s: '%s' is not a number from 1 to %d", name, text, most)
	}
	return value, nil
}

// measureApart runs one case in a process of its own, so that its peak memory is its own.
func measureApart(piece piece, count, runs int) (row, error) {
	self, err := os.Executable()
	if err != nil {
		return row{}, err
	}
	child := exec.Command(self, "-json", "-pieces", piece.name,
		"-signatures", strconv.Itoa(count), "-runs", strconv.Itoa(runs))
	var printed, complaint bytes.Buffer
	child.Stdout, child.Stderr = &printed, &complaint
	if err := child.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(complaint.String()), "\n")
		line := strings.TrimPrefix(lines[0], "error: ")
		return row{}, fmt.Errorf("%s=%d: %w: %s", piece.name, count, err, line)
	}
	var answer report
	if err := json.Unmarshal(printed.Bytes(), &answer); err != nil {
		return row{}, err
	}
	return answer.Rows[0], nil
}

func run(words []string) (string, error) {
	chosen, err := parse(words)
	if err != nil {
		return "", err
	}
	if chosen.help {
		return help, nil
	}
	answer := report{Machine: thisMachine()}
	measured := measureApart
	if len(chosen.counts)*len(chosen.pieces) == 1 {
		measured = measure
	}
	for _, piece := range chosen.pieces {
		for _, count := range chosen.counts {
			row, err := measured(piece, count, chosen.runs)
			if err != nil {
				return "", err
			}
			answer.Rows = append(answer.Rows, row)
		}
	}
	if chosen.json {
		printed, err := json.MarshalIndent(answer, "", "  ")
		return string(printed) + "\n", err
	}
	return answer.table(), nil
}

func main() {
	printed, err := run(os.Args[1:])
	if err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintln(os.Stderr, "error:", line)
		os.Exit(2)
	}
	fmt.Print(printed)
}
