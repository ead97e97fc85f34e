package repo

// Lacks reports whether this clone has not every file of a state: some of its objects are
// missing, as happens in partial clones. What is on the disk is not missing.
func (r *Repository) Lacks(t *Snapshot) bool {
	if !r.partial {
		return false
	}
	for _, e := range t.files {
		if !e.known || !isPlain(e.mode) || t.disk != nil && !e.sparse {
			continue
		}
		if _, err := r.objects.size(e.id); err != nil {
			return true
		}
	}
	return false
}

// Unlisted returns the file that opening a name opens, if it lies on the disk and belongs to
// no state, because git ignores it; empty otherwise. A file of a submodule belongs to that.
func (t *Snapshot) Unlisted(name string) string {
	if t.disk == nil || t.Lists(name) {
		return ""
	}
	at, err := t.Target(name)
	if err != nil || t.Lists(at) {
		return ""
	}
	if _, inside := t.submoduleAbove(at); inside {
		return ""
	}
	return at
}
