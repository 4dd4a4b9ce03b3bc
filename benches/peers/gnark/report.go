package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// row is one case; the names are those of the other peers.
type row struct {
	Peer         string    `json:"peer"`
	Version      string    `json:"version"`
	System       string    `json:"system"`
	Statement    string    `json:"statement"`
	Count        int       `json:"count"`
	Constraints  int       `json:"constraints"`
	PublicInputs int       `json:"public_inputs"`
	Threads      int       `json:"threads"`
	CompileS     float64   `json:"compile_s"`
	KeygenS      float64   `json:"keygen_s"`
	WitnessS     float64   `json:"witness_s"`
	ProveS       float64   `json:"prove_s"`
	ProveCPUS    float64   `json:"prove_cpu_s"`
	ProveAllS    []float64 `json:"prove_all_s"`
	VerifyMS     float64   `json:"verify_ms"`
	// Points compressed.
	ProofBytes int `json:"proof_bytes"`
	// Points with both coordinates.
	ProofRawBytes int    `json:"proof_raw_bytes"`
	PeakBytes     uint64 `json:"peak_bytes"`
}

type machine struct {
	Processor   string  `json:"processor"`
	Cores       int     `json:"cores"`
	MemoryBytes uint64  `json:"memory_bytes"`
	LoadAtStart float64 `json:"load_at_start"`
}

type report struct {
	Machine machine `json:"machine"`
	Rows    []row   `json:"rows"`
}

// thisMachine asks Linux; what it does not say stays empty.
func thisMachine() machine {
	found := machine{Cores: runtime.NumCPU()}
	read := func(path string) string {
		text, _ := os.ReadFile(path)
		return string(text)
	}
	for line := range strings.Lines(read("/proc/cpuinfo")) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			found.Processor = strings.TrimSpace(value)
			break
		}
	}
	_, _ = fmt.Sscanf(read("/proc/meminfo"), "MemTotal: %d kB", &found.MemoryBytes)
	found.MemoryBytes *= 1024
	_, _ = fmt.Sscan(read("/proc/loadavg"), &found.LoadAtStart)
	return found
}

// gnarkVersion is the one that was linked.
func gnarkVersion() string {
	build, _ := debug.ReadBuildInfo()
	for _, module := range build.Deps {
		if module.Path == "github.com/consensys/gnark" {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return ""
}

func (r report) table() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, %d cores, load %.2f at the start; GOMAXPROCS %d\n\n",
		r.Machine.Processor, r.Machine.Cores, r.Machine.LoadAtStart, runtime.GOMAXPROCS(0))
	header := []string{
		"peer", "version", "system", "statement", "constraints", "keygen s", "witness s",
		"prove s", "cpu s", "verify ms", "proof bytes", "peak MiB",
	}
	line := func(cells []string) {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | "))
	}
	line(header)
	rule := make([]string, len(header))
	for i := range rule {
		rule[i] = "---"
	}
	line(rule)
	for _, row := range r.Rows {
		line([]string{
			row.Peer, row.Version, row.System, row.Statement, fmt.Sprint(row.Constraints),
			fmt.Sprintf("%.2f", row.KeygenS),
			fmt.Sprintf("%.2f", row.WitnessS),
			fmt.Sprintf("%.2f", row.ProveS),
			fmt.Sprintf("%.2f", row.ProveCPUS),
			fmt.Sprintf("%.1f", row.VerifyMS),
			fmt.Sprint(row.ProofBytes),
			fmt.Sprintf("%.0f", float64(row.PeakBytes)/(1<<20)),
		})
	}
	return text.String()
}
