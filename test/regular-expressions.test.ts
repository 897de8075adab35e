// Checks that no regular expression of the source takes more than linear time: texts of callers and agents are long.

import { createContext, runInContext } from 'node:vm'
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { findSourceExpressions } from './harness/source-expressions.ts'

type Node = AST.Pattern | AST.Alternative | AST.Element

/** Tried for each character class, besides the characters that an expression names. */
const characters = [' ', '0', 'a', '\n', '\t', '-', '.', ':', '/', '"', "'", ',', 'A', '!', '\0']

/** Examples of one part of an expression. */
const maxExamples = 3

/** Repetitions from which on a quantifier counts: fewer cost little. */
const manyTimes = 100

/** Characters. The shortest text is so short that exponential time ends, too. */
const shortest = 16
const longest = 100_000
const lengthRatio = 4

/** Characters of a text which takes some microseconds in linear time, and in quadratic time more than `quick`. */
const firstLength = 4096

/** Microseconds, of which the first attempt at an expression, which compiles it, takes many. */
const quick = 500

/** Linear time grows by 4, quadratic time by 16. */
const maxGrowth = 8

/** Microseconds from which on two times can be compared. */
const measurable = 500

const context = createContext({})

/** Undefined when none was found. `patience`: milliseconds for all texts, as exponential time may not end at all. */
function findSlowText(expression: RegExp, patience = 60_000): string | undefined {
  // All matches are looked for, as `split` and `replaceAll` do.
  const global = new RegExp(expression.source, `${expression.flags.replace('g', '')}g`)
  let tried = ''
  const find = () => {
    for (const [start, unit, end] of textsFor(expression)) {
      tried = JSON.stringify([start, unit, end])
      const make = (length: number) => start + unit.repeat(length / unit.length) + end
      if (isQuick(global, make(firstLength))) continue
      // Again, as a collection of garbage or other programs may have taken the time.
      if ([1, 2, 3].every(() => isSlow(global, make))) return tried
    }
    return undefined
  }
  try {
    return runInContext('find()', Object.assign(context, { find }), { timeout: patience })
  } catch (error) {
    return `${tried}: ${error}`
  }
}

function isQuick(expression: RegExp, text: string): boolean {
  const before = process.hrtime.bigint()
  text.replaceAll(expression, '')
  return process.hrtime.bigint() - before < quick * 1000
}

/** The text is lengthened until its time can be compared with that of a text of four times the length. */
function isSlow(expression: RegExp, make: (length: number) => string): boolean {
  for (let length = shortest; length <= longest; length *= 2) {
    const short = leastTime(expression, make(length))
    if (short >= measurable) return leastTime(expression, make(length * lengthRatio)) / short > maxGrowth
  }
  return false
}

/** Of each text. */
const tries = 3

/** The least of several times in microseconds: the first may be that of code which is not compiled yet. */
function leastTime(expression: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries && least >= measurable; count += 1) {
    const before = process.cpuUsage()
    text.replaceAll(expression, '')
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}

function textsFor(expression: RegExp): [start: string, unit: string, end: string][] {
  const { starts, units, ends } = new Texts(expression)
  return [...starts].flatMap(start =>
    [...units].flatMap(unit => ends.map((end): [string, string, string] => [start, unit, end])),
  )
}

class Texts {
  /** With one that cannot be part of a match. */
  readonly starts = new Set(['', '\0'])
  readonly units = new Set<string>()
  readonly ends: readonly string[]
  readonly #flags: string

  constructor({ source, flags }: RegExp) {
    this.#flags = flags.replace(/[gy]/g, '')
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, flags.includes('u'))
    this.#add(pattern, [''])
    // Ends that the last quantifier cannot match, and one with which a match begins again.
    this.ends = ['', '\n', '\0', `!${this.#examples(pattern)[0]}`]
  }

  /** Adds what the quantifiers in the node can repeat. `before`: texts that match up to the node. */
  #add(node: Node, before: readonly string[]): void {
    if ('alternatives' in node) {
      for (const alternative of node.alternatives) this.#add(alternative, before)
    } else if (node.type === 'Alternative') {
      let texts = before
      for (const element of node.elements) {
        this.#add(element, texts)
        texts = joined(texts, this.#examples(element))
      }
    } else if (node.type === 'Quantifier') {
      if (node.max >= manyTimes) for (const text of before) this.#addRepeated(node.element, text)
      this.#add(node.element, before)
    }
  }

  #addRepeated(element: AST.QuantifiableElement, before: string): void {
    this.starts.add(before)
    for (const text of this.#examples(element)) {
      if (text === '') continue
      // A match may also begin again and again, in a line or in the next one.
      for (const unit of [text, before + text, `${before}${text}\n`, `${before}${text}\r`]) this.units.add(unit)
    }
  }

  /** Texts that match the node. */
  #examples(node: Node): string[] {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return some(node.alternatives.flatMap(each => this.#examples(each).slice(0, 2)))
      case 'Alternative':
        return node.elements.reduce((texts, element) => joined(texts, this.#examples(element)), [''])
      case 'Quantifier':
        return this.#examples(node.element).map(text => text.repeat(node.min))
      case 'Assertion':
      case 'Backreference':
        return ['']
      default:
        return this.#charactersOf(node)
    }
  }

  /** Some of the characters that the node matches alone. */
  #charactersOf(node: Node): string[] {
    const whole = new RegExp(`^(?:${node.raw})$`, this.#flags)
    const named = node.type === 'Character' ? [String.fromCodePoint(node.value)] : []
    return some([...named, ...characters.filter(each => whole.test(each)), ''])
  }
}

const some = (texts: string[]) => [...new Set(texts)].slice(0, maxExamples)

/** Every text is part of one result at least, not all of them of all. */
function joined(starts: readonly string[], ends: readonly string[]): string[] {
  const count = Math.max(starts.length, ends.length)
  return some(
    Array.from({ length: count }, (_, index) => starts[index % starts.length] + (ends[index % ends.length] ?? '')),
  )
}

/** Their texts are known only when the code runs. */
const unknown = [
  // A check that an option is a regular expression: nothing is searched with it.
  'host/config/options.ts: new RegExp(text)',
  // The built-in patterns, each of which is a literal of the same file, as alternatives.
  'host/images/log-patterns.ts: new RegExp(builtInPatterns)',
  // The site's own.
  "host/images/log-patterns.ts: new RegExp(pattern, 'i')",
  // Of the API document, whose patterns are literals of the commands.
  "host/cli/assistants/api-tools.ts: new RegExp(limit.pattern ?? '', 'u')",
]

const test = suite('regular expressions')

const found = findSourceExpressions(['host', 'stores', 'commands'])

test('an expression that takes quadratic time is found', () => {
  const slow = [/\s*,\s*/, /^import [^']+ from '/m, /^(.*?)(\d+)(\D*)$/s, /^\d*\d*;/, /^host[^\n]*;/m, /^_+|_+$/]
  const missed = slow.filter(expression => findSlowText(expression) === undefined)
  equal(missed, [])
})

test('an expression that takes exponential time is found', () => {
  ok(findSlowText(/^(?:a+)+$/, 500))
})

test('every expression whose text is known only when the code runs is known here', () => {
  const names = found.filter(({ expression }) => !expression).map(({ file, code }) => `${file}: ${shortened(code)}`)
  equal(names, unknown)
})

test('no regular expression of the source takes more than linear time', () => {
  const checked = new Set<string>()
  const slow = found.flatMap(({ file, code, expression }) => {
    if (checked.has(`${expression}`)) return []
    checked.add(`${expression}`)
    const text = expression && findSlowText(expression)
    return text === undefined ? [] : [`${file}: ${code}: ${text}`]
  })
  equal(slow, [])
})

/** Without what is done with the name in several lines. */
const shortened = (code: string) => code.replace(/\(\n\s*(\w+)\n.*/s, '($1)')

test.run()
