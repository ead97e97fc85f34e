// Package summary holds the report of a run and its renderings.
//
// The [Report] is versioned data, filled by package gate. A rendering is a pure
// function of it: terminal table, markdown, JSON, JUnit, SARIF, annotations.
// Nothing here reads a file, a clock or the environment, and nothing here
// decides: a report that says drift is rendered as drift, everywhere.
//
//	err := summary.WriteTerminal(os.Stdout, report, summary.Terminal{Color: true})
//	page := summary.Markdown(report, summary.StepSummaryLimit)
//
// Strings from the tree reach a person only escaped for where they go: a
// markdown cell, a terminal, a workflow command, XML. The escapers live here,
// and are fuzzed.
package summary
