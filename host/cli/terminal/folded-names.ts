// Folds names that end in consecutive numbers: `lab-r01-c[01-12]`.
import { compareNames } from './text-table.ts'

interface Pattern {
  prefix: string
  suffix: string
  numbers: string[]
}

/** Numbers with more digits are compared as text. */
const maxDigits = 15

/** `lab-c01, lab-c02, lab-c05, x` becomes `lab-c[01-02,05], x`. Patterns keep the order in which they first occur. */
export function foldNames(names: readonly string[]): string {
  const patterns = new Map<string, Pattern | string>()
  for (const name of new Set(names)) {
    const parts = name.split(/(\d+)/)
    const suffix = parts.pop() ?? ''
    const number = parts.pop()
    const prefix = parts.join('')
    if (number === undefined || number.length > maxDigits) {
      patterns.set(`= ${name}`, name)
      continue
    }
    const key = JSON.stringify([prefix, suffix])
    const pattern = patterns.get(key)
    if (pattern instanceof Object) pattern.numbers.push(number)
    else patterns.set(key, { prefix, suffix, numbers: [number] })
  }
  return [...patterns.values()]
    .map(pattern => (typeof pattern === 'string' ? pattern : formatPattern(pattern)))
    .join(', ')
}

/** More names are no computers' names. */
const mostNames = 100_000

/** Splits words such as `Room 1,Room 2`, unless one is a name as it is; commas in `[01,05]` belong to a name. */
export const namesIn = (texts: readonly string[], isName: (text: string) => boolean): string[] =>
  texts.flatMap(text =>
    isName(text) ? text : (text.match(/(?:\[[^\]]*\]?|[^,[])+/g) ?? [text]).map(word => word.trim()),
  )

/** `lab-c[01-02,05]` becomes `lab-c01`, `lab-c02` and `lab-c05`; any other text stays as it is. */
export function unfoldNames(text: string): string[] {
  const [, prefix = '', ranges = '', suffix = ''] = /^([^[]*)\[([\d,-]+)\]([^[]*)$/.exec(text) ?? []
  const numbers = ranges.split(',').map(unfoldRange)
  if (numbers.some(({ length }) => length === 0)) return [text]
  return numbers.flat().map(number => `${prefix}${number}${suffix}`)
}

function unfoldRange(range: string): string[] {
  const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? []
  const count = Number(last) - Number(first) + 1
  if (first === '' || !(count > 0 && count <= mostNames)) return []
  return Array.from({ length: count }, (_, at) => String(Number(first) + at).padStart(first.length, '0'))
}

/** `lab-c[07,09] not connected`, a text for each reason, in the order in which they first occur. */
export function foldByReason(rows: readonly { name: string; reason: string }[]): string[] {
  const reasons = new Map<string, string[]>()
  for (const { name, reason } of rows) reasons.set(reason, [...(reasons.get(reason) ?? []), name])
  return Array.from(reasons, ([reason, names]) => `${foldNames(names.toSorted(compareNames))} ${reason}`)
}

function formatPattern({ prefix, suffix, numbers }: Pattern): string {
  if (numbers.length === 1) return `${prefix}${numbers[0]}${suffix}`
  const sorted = numbers.toSorted((a, b) => Number(a) - Number(b) || a.length - b.length)
  return `${prefix}[${foldRanges(sorted).join(',')}]${suffix}`
}

/** `3`, `5`, `6`, `12/1` become `3`, `5-6`, `12/1`. */
export function foldRanges(numbers: readonly string[]): string[] {
  const ranges: { first: string; last: string }[] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && number === nextNumber(range.last)) range.last = number
    else ranges.push({ first: number, last: number })
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`))
}

/** With the same leading zeros: after `09` comes `10`. */
const nextNumber = (number: string) => String(Number(number) + 1).padStart(number.length, '0')
