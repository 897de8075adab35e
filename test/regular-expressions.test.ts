// Checks that no regular expression of the source takes more than linear time: texts of callers and agents are long.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { findSlowText } from './harness/slow-texts.ts'
import { findSourceExpressions } from './harness/source-expressions.ts'

export const runs = { seconds: 17 }

/** Their texts are known only when the code runs. */
const unknown = [
  // A check that an option is a regular expression: nothing is searched with it.
  'host/config/options.ts: new RegExp(text)',
  // The built-in patterns, each of which is a literal of the same file, as alternatives.
  'host/images/log-patterns.ts: new RegExp(builtInPatterns)',
  // The site's own.
  "host/images/log-patterns.ts: new RegExp(pattern, 'i')",
]

const test = suite('regular expressions')

const found = findSourceExpressions(['host', 'stores', 'commands'])

test('an expression that takes quadratic time is found', () => {
  const slow = [/\s*,\s*/, /^import [^']+ from '/m, /^(.*?)(\d+)(\D*)$/s, /^\d*\d*;/]
  const missed = slow.filter(expression => findSlowText(expression) === undefined)
  equal(missed, [])
})

test('an expression that takes exponential time is found', () => {
  ok(findSlowText(/^(?:a+)+$/, 2000))
})

test('every expression whose text is known only when the code runs is known here', () => {
  const names = found.filter(({ expression }) => !expression).map(({ file, code }) => `${file}: ${shortened(code)}`)
  equal(names, unknown)
})

test('no regular expression of the source takes more than linear time', () => {
  const slow = found.flatMap(({ file, code, expression }) => {
    const text = expression && findSlowText(expression)
    return text === undefined ? [] : [`${file}: ${code}: ${text}`]
  })
  equal(slow, [])
})

/** Without what is done with the name in several lines. */
const shortened = (code: string) => code.replace(/\(\n\s*(\w+)\n.*/s, '($1)')

test.run()
