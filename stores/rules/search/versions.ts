// Versions of programs: found in a line of a list of software, and compared.
import type { Comparison } from '../../search-types.ts'

/**
 * The last word like `3.6.2`, `v1.0-2` or `(23.01)`, else the last one that begins with a digit: `Java 17`. `64-bit` is none.
 * Undefined without one.
 */
export const versionOf = (program: string): string | undefined => findVersion(program.split(' '))?.version

/** The line without its version, and the version: see `versionOf`. */
export function splitVersion(program: string): { name: string; version?: string } {
  const words = program.split(' ')
  const split = findVersion(words)
  if (split === undefined) return { name: program }
  return { name: words.filter((_, index) => index !== split.at).join(' '), version: split.version }
}

/** From the end on, as searches ask for the versions of thousands of lines. */
function findVersion(words: readonly string[]): { at: number; version: string } | undefined {
  let last: { at: number; version: string } | undefined
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const [, version, point] = /^[(v]{0,2}(\d+(\.)?.*)/is.exec(words[at] ?? '') ?? []
    if (version === undefined || (last !== undefined && point === undefined)) continue
    const word = version.endsWith(')') ? version.slice(0, -1) : version
    if (point === undefined && /bit$/i.test(word)) continue
    last = { at, version: word }
    if (point !== undefined) break
  }
  return words.some((word, index) => word !== '' && index !== last?.at) ? last : undefined
}

/** Runs of digits are compared as numbers, others as texts: 3.10 is newer than 3.9; 3 is the same as 3.0. */
function compareParts(left: readonly string[], right: readonly string[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = comparePart(left[at] ?? '0', right[at] ?? '0')
    if (difference !== 0) return difference
  }
  return 0
}

export const meets = (difference: number, operator: Comparison<unknown>['operator']): boolean =>
  operator.startsWith('<')
    ? difference < 0 || (operator === '<=' && difference === 0)
    : operator.startsWith('>')
      ? difference > 0 || (operator === '>=' && difference === 0)
      : difference === 0

/** Whether the version of a line is as asked for; `=3.6` is met by 3.6.2, too. */
export function versionTest({ operator, value }: Comparison<string>): (program: string) => boolean {
  const wanted = partsOf(value)
  return program => {
    const version = versionOf(program)
    if (version === undefined) return false
    const parts = partsOf(version)
    return meets(compareParts(operator === '=' ? parts.slice(0, wanted.length) : parts, wanted), operator)
  }
}

const partsOf = (version: string): string[] => version.toLowerCase().match(/\d+|[a-z]+/g) ?? []

function comparePart(one: string, other: string): number {
  const [left, right] = [Number(one), Number(other)]
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right
  // 1.0rc1 comes before 1.0.
  if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? -1 : 1
  return one < other ? -1 : one > other ? 1 : 0
}
