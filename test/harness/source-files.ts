// Reads the TypeScript files of the repository, for tests of the code itself.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Paths relative to `root`. */
export const sourceFiles = ['host', 'commands', 'stores', 'test']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(name => /\.tsx?$/.test(name))

export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8')

export const linesOf = (file: string): string[] => readSource(file).replace(/\n$/, '').split('\n')

export interface SourceFunction {
  /** The first line, counted from 1. */
  line: number
  length: number
}

const controlBlock = /^\s*(\} )?(if|else|for|while|switch|do|try|catch|finally|class|interface|label)\b/
const functionStart = /=> \{$|\) \{$|\): [^=]*\{$|\bfunction\b.*\{$/

/** Finds functions by the indentation of the formatted code: from the line of the header to that of the closing brace. */
export function functionsOf(lines: string[]): SourceFunction[] {
  return lines.flatMap((line, index) => {
    if (!functionStart.test(line)) return []
    const start = headerStart(lines, index)
    if (controlBlock.test(lines[start] ?? '')) return []
    const indent = indentOf(line)
    const length = lines.slice(index + 1).findIndex(each => indentOf(each) === indent && /^\s*\}/.test(each))
    return length < 0 ? [] : [{ line: start + 1, length: index - start + length + 2 }]
  })
}

/** A header of several lines ends with a line that begins with `)`; its first line has the same indentation. */
function headerStart(lines: string[], index: number): number {
  if (!/^\s*\)/.test(lines[index] ?? '')) return index
  const indent = indentOf(lines[index] ?? '')
  return lines.findLastIndex((line, at) => at < index && line !== '' && indentOf(line) === indent)
}

const indentOf = (line: string) => line.length - line.trimStart().length
