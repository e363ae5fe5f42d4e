// Command gen writes the assembly of package compute and its Go declarations, one pair of
// files for each instruction set. Run it with go generate in that package.
package main

import (
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"regexp"

	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

var targets = []target{
	{name: "AVX512", bits: 512},
	{name: "AVX2", bits: 256},
}

func main() {
	dir := flag.String("dir", "..", "folder to write to")
	flag.Parse()
	for _, t := range targets {
		if err := write(*dir, t); err != nil {
			log.Fatal(err)
		}
	}
}

// write generates the routines in both precisions for one instruction set.
func write(dir string, t target) error {
	g := newGenerator(t)
	for _, size := range []int{8, 4} {
		g.size = size
		g.routines()
	}
	f, err := g.Result()
	if err != nil {
		return err
	}
	for _, fn := range f.Functions() {
		interleave(fn)
	}
	if err := pass.Compile.Execute(f); err != nil {
		return err
	}
	cfg := printer.Config{Name: "internal/compute/gen", Pkg: "compute"}
	base := filepath.Join(dir, t.file()+"_amd64")
	asm, err := printer.NewGoAsm(cfg).Print(f)
	if err != nil {
		return err
	}
	if err := t.check(asm); err != nil {
		return err
	}
	stubs, err := printer.NewStubs(cfg).Print(f)
	if err != nil {
		return err
	}
	if err := os.WriteFile(base+".s", asm, 0o644); err != nil {
		return err
	}
	source, err := format.Source(append(stubs, g.engines()...))
	if err != nil {
		return err
	}
	return os.WriteFile(base+".go", source, 0o644)
}

// evex matches registers that require AVX-512. The register allocator assumes 32 of each
// kind, but AVX2 has 16.
var evex = regexp.MustCompile(`\b([XY](1[6-9]|[23][0-9])|Z[0-9]+|K[0-7])\b`)

func (t target) check(asm []byte) error {
	if t.bits == 256 {
		if r := evex.Find(asm); r != nil {
			return fmt.Errorf("%s: register %s needs AVX-512", t.name, r)
		}
	}
	return nil
}
