// One line for a script, where a list names it.
const longest = 60

/** Of the interpreter, comments, and settings of the shell: they say nothing about what the script does. */
const silent = /^(#|set [-+]|@echo off|::|rem )/i

/** What it does first; `…`: there is more. */
export function scriptLine(script: string): string {
  const lines = script.split('\n').flatMap(line => line.trim() || [])
  const [first = '', ...others] = lines.filter(line => !silent.test(line))
  const line = first || (lines[0] ?? '')
  return others.length > 0 || line.length > longest ? `${line.slice(0, longest)} …` : line
}
