package novelty

// Fits reports whether the steps of l need less than the given number of bytes. A file may
// ask for any amount of memory.
func Fits(l *Learner, bytes int64) bool {
	s := l.stream
	s.Config.MemoryLimit = bytes
	return s.CheckMemory() == nil
}
