package onnx_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
)

// runtimeFolder is the environment variable with the folder of onnxruntime-web.
const runtimeFolder = "RKHS_ONNXRUNTIME"

// array is a tensor in the format of the script in testdata.
type array struct {
	Type string `json:"type"`
	Dims []int  `json:"dims"`
	Data []any  `json:"data"`
}

// number returns element i. The script returns whole numbers as texts.
func (a array) number(i int) float64 {
	switch v := a.Data[i].(type) {
	case float64:
		return v
	case string:
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return f
		}
	}
	return math.NaN()
}

// task is a model with its inputs, and result holds the outputs.
type task struct {
	name   string
	model  []byte
	inputs map[string]array
}

type result struct {
	Outputs map[string]array `json:"outputs"`
	Error   string           `json:"error"`
}

// runtime evaluates tasks by onnxruntime-web, or skips the test with the reason.
func runtime(t *testing.T, tasks []task) []result {
	t.Helper()
	testutil.Long(t, "a runtime takes seconds to start")
	folder := os.Getenv(runtimeFolder)
	if folder == "" {
		t.Skipf("%s names no folder with onnxruntime-web", runtimeFolder)
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "onnxruntime-web")); err != nil {
		t.Skipf("onnxruntime-web is not there: %v", err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skipf("node is not there: %v", err)
	}
	type item struct {
		Model  string           `json:"model"`
		Inputs map[string]array `json:"inputs"`
	}
	dir, list := t.TempDir(), make([]item, len(tasks))
	for i, of := range tasks {
		list[i] = item{filepath.Join(dir, fmt.Sprintf("%d.onnx", i)), of.inputs}
		if err := os.WriteFile(list[i].Model, of.model, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	in, out := filepath.Join(dir, "tasks.json"), filepath.Join(dir, "outputs.json")
	if err := os.WriteFile(in, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	c := exec.Command(node, filepath.Join("testdata", "run.mjs"), folder, in, out)
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	var results []result
	if data, err = os.ReadFile(out); err == nil {
		err = json.Unmarshal(data, &results)
	}
	if err != nil {
		t.Fatal(err)
	}
	return results
}
