// Runs each built-in module once in a process, whose hosts then share its default export: running them takes a third of
// the time of a host's start.
// In the bundles of test files this file stands for host/modules/evaluate.ts.
export { evaluate } from './command-bundles.ts'
