package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/logger"
	"github.com/rs/zerolog"
)

// solverTimes collects how long the solver took from the messages that gnark logs: its provers
// solve and prove in one call.
type solverTimes struct{ milliseconds []float64 }

// Write takes one message.
func (t *solverTimes) Write(line []byte) (int, error) {
	var message struct {
		Message string  `json:"message"`
		Took    float64 `json:"took"`
	}
	if err := json.Unmarshal(line, &message); err != nil {
		return 0, err
	}
	if message.Message == "constraint system solver done" {
		t.milliseconds = append(t.milliseconds, message.Took)
	}
	return len(line), nil
}

// processorTime is what this process has spent on all cores.
func processorTime() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}

// peakBytes is the most memory that this process has had.
func peakBytes() (uint64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		var kibibytes uint64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kibibytes); err == nil {
			return kibibytes * 1024, nil
		}
	}
	return 0, errors.New("/proc/self/status: no VmHWM")
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// measure runs one case in this process.
func measure(piece piece, count, runs int) (row, error) {
	var solver solverTimes
	logger.Set(zerolog.New(&solver).Level(zerolog.DebugLevel))

	start := time.Now()
	compiled, err := piece.system.compile(piece.empty(count))
	if err != nil {
		return row{}, err
	}
	compiling := time.Since(start)
	if err := piece.system.srs(compiled); err != nil {
		return row{}, err
	}
	start = time.Now()
	keys, err := piece.system.setup(compiled)
	if err != nil {
		return row{}, err
	}
	keygen := time.Since(start)

	assigned, err := piece.assigned(count, nothing)
	if err != nil {
		return row{}, err
	}
	var proveTimes, processorTimes, verifyTimes []float64
	// Not the compiled circuit's count of public variables: an R1CS has the constant 1 among them.
	public, err := witnessOf(assigned, frontend.PublicOnly())
	if err != nil {
		return row{}, err
	}
	var last proof
	for range runs {
		spent, err := processorTime()
		if err != nil {
			return row{}, err
		}
		start := time.Now()
		full, err := witnessOf(assigned)
		if err != nil {
			return row{}, err
		}
		last, err = keys.prove(full)
		if err != nil {
			return row{}, err
		}
		proveTimes = append(proveTimes, time.Since(start).Seconds())
		after, err := processorTime()
		if err != nil {
			return row{}, err
		}
		processorTimes = append(processorTimes, (after - spent).Seconds())

		start = time.Now()
		if err := keys.verify(last, public); err != nil {
			return row{}, fmt.Errorf("a proof does not verify: %w", err)
		}
		verifyTimes = append(verifyTimes, float64(time.Since(start).Microseconds())/1000)
	}
	witnessTimes := solver.milliseconds
	peak, err := peakBytes()
	if err != nil {
		return row{}, err
	}
	if err := refusals(piece, count, keys, last); err != nil {
		return row{}, err
	}
	compressed, raw, err := length(last)
	if err != nil {
		return row{}, err
	}
	return row{
		Peer:          "gnark",
		Version:       gnarkVersion(),
		System:        piece.name[strings.LastIndex(piece.name, "-")+1:],
		Statement:     fmt.Sprintf("%s x %d", piece.statement, count),
		Count:         count,
		Constraints:   compiled.GetNbConstraints(),
		PublicInputs:  len(public.Vector().(fr.Vector)),
		Threads:       runtime.GOMAXPROCS(0),
		CompileS:      compiling.Seconds(),
		KeygenS:       keygen.Seconds(),
		WitnessS:      median(witnessTimes) / 1000,
		ProveS:        median(proveTimes),
		ProveCPUS:     median(processorTimes),
		ProveAllS:     proveTimes,
		VerifyMS:      median(verifyTimes),
		ProofBytes:    compressed,
		ProofRawBytes: raw,
		PeakBytes:     peak,
	}, nil
}

// refusals makes sure that nothing false gets through: if a circuit accepts anything, its cost says
// nothing.
func refusals(piece piece, count int, keys keys, made proof) error {
	wrong, err := piece.assigned(count, publicInput)
	if err != nil {
		return err
	}
	public, err := witnessOf(wrong, frontend.PublicOnly())
	if err != nil {
		return err
	}
	if keys.verify(made, public) == nil {
		return errors.New("a proof verifies with a wrong public input")
	}
	wrong, err = piece.assigned(count, signature)
	if err != nil {
		return err
	}
	full, err := witnessOf(wrong)
	if err != nil {
		return err
	}
	if _, err := keys.prove(full); err == nil {
		return errors.New("an altered signature was proven")
	}
	return nil
}
