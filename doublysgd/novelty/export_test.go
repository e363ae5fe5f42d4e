package novelty

// Fits reports whether the steps of l, whose file may ask for any sizes and for the memory
// that they take, take less than so many bytes.
func Fits(l *Learner, bytes int64) bool {
	s := l.stream
	s.Config.MemoryLimit = bytes
	return s.CheckMemory() == nil
}
