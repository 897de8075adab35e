// Versions of programs: found in a line of a list of software, and compared.
import type { Comparison } from '../../search-types.ts'

/**
 * The last word like `3.6.2`, `v1.0-2` or `(23.01)`, else the last one that begins with a digit: `Java 17`. `64-bit` is none.
 * Undefined without one.
 */
export const versionOf = (program: string): string | undefined => splitVersion(program).version

/** The line without its version, and the version: see `versionOf`. */
export function splitVersion(program: string): { name: string; version?: string } {
  const words = program.split(' ')
  const plain = words.map(word => word.replace(/^[(v]{1,2}(?=\d)/i, '').replace(/\)$/, ''))
  const withDot = plain.findLastIndex(word => /^\d+\./.test(word))
  const at = withDot < 0 ? plain.findLastIndex(word => /^\d/.test(word) && !/bit$/i.test(word)) : withDot
  const version = plain[at]
  const name = words.filter((_, index) => index !== at).join(' ')
  return version === undefined || name === '' ? { name: program } : { name, version }
}

/** Runs of digits are compared as numbers, others as texts: 3.10 is newer than 3.9; 3 is the same as 3.0. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)]
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
export function hasVersion(program: string, { operator, value }: Comparison<string>): boolean {
  const version = versionOf(program)
  if (version === undefined) return false
  if (operator !== '=') return meets(compareVersions(version, value), operator)
  return compareVersions(partsOf(version).slice(0, partsOf(value).length).join('.'), value) === 0
}

const partsOf = (version: string): string[] => version.toLowerCase().match(/\d+|[a-z]+/g) ?? []

function comparePart(one: string, other: string): number {
  const [left, right] = [Number(one), Number(other)]
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right
  // 1.0rc1 comes before 1.0.
  if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? -1 : 1
  return one < other ? -1 : one > other ? 1 : 0
}
