// Package pin asks other programs about pins: the reference package of in-toto whether it
// reads what we write, and promptfoo which files a configuration makes it read. It has
// nothing but tests, with the tag interop_pin: make interop-pin installs both programs.
package pin
