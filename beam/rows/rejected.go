package rows

import (
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() { register.Function1x2(jsonOf) }

// WriteRejected writes rejected rows to a file of any of Beam's file systems, an object of
// JSON a line. Without any, there is no file.
func WriteRejected(s beam.Scope, path string, rejected beam.PCollection) {
	s = s.Scope("rows.WriteRejected")
	textio.Write(s, path, beam.ParDo(s, jsonOf, rejected))
}

func jsonOf(r Rejected) (string, error) {
	text, err := json.Marshal(r)
	return string(text), err
}
