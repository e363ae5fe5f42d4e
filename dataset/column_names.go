package dataset

import "fmt"

// columnNames holds the last number after each name in use.
type columnNames map[string]int

// distinct returns the name of column j. A missing name is replaced by column_3, for example, and a
// repeated name a by a_2.
func (c columnNames) distinct(j int, name string) string {
	if name == "" {
		name = fmt.Sprintf("column_%d", j+1)
	}
	base := name
	for _, used := c[name]; used; _, used = c[name] {
		c[base]++
		name = fmt.Sprintf("%s_%d", base, c[base])
	}
	c[name] = 1
	return name
}
