// How queries are read: precedence, quotation marks, and what is said of wrong ones.
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, throws } from 'uvu/assert'
import { fields } from '../../host/search/fields.ts'
import { parseQuery, type Query, QueryError } from '../../host/search/parse-query.ts'

/** The query with all parentheses. */
function written(query: Query): string {
  if ('and' in query) return `(${query.and.map(written).join(' and ')})`
  if ('or' in query) return `(${query.or.map(written).join(' or ')})`
  if ('not' in query) return `not ${written(query.not)}`
  const { field, operator, value, version } = query
  return `${field === undefined ? '' : field + operator}[${value}]${version ? version.operator + version.value : ''}`
}

const test = suite('queries')

const readings: [string, string][] = [
  ['', '()'],
  ['anna', '[anna]'],
  [' a  b ', '([a] and [b])'],
  ['a or b and c d', '([a] or ([b] and [c] and [d]))'],
  ['not a or b', '(not [a] or [b])'],
  ['NOT(a OR b)c', '(not ([a] or [b]) and [c])'],
  ['order "and" not not x', '([order] and [and] and not not [x])'],
  ['room:"Lab 1" tag:os:win11', '(room:[Lab 1] and tag:[os:win11])'],
  ['RAM<8GB software:"visual studio">=17.4', '(ram<[8GB] and software:[visual studio]>=17.4)'],
  ['ñu:x señal:y', '(ñu:[x] and señal:[y])'],
  [
    'room: "Lab 1" ram >= 16 GB software : blender > 3 anna',
    '(room:[Lab 1] and ram>=[16 GB] and software:[blender]>3 and [anna])',
  ],
  ['-room:x !tag:y -(a or b) -c01', '(not room:[x] and not tag:[y] and not ([a] or [b]) and [-c01])'],
  ['name!=x ram != 8GB', '(not name:[x] and not ram:[8GB])'],
  ['ab:cd:ef:00:00:01 or fe:01', '([ab:cd:ef:00:00:01] or [fe:01])'],
  ["o'brien user:o'brien", "([o'brien] and user:[o'brien])"],
]

for (const [text, expected] of readings) {
  test(`a query is read from left to right, \`and\` before \`or\`: ${text}`, () =>
    is(written(parseQuery(text)), expected))
}

const errors: [string, number, RegExp][] = [
  ['or', 0, /^expected a condition, got or$/],
  ['a or', 4, /^expected a condition or a value, got the end$/],
  ['(a', 0, /^expected a "\)" for this "\("$/],
  ['a)', 1, /^expected no "\)" without a "\("$/],
  ['room: ', 6, /^expected a condition or a value, got the end$/],
  ["room:'Lab 1'", 5, /^expected " as the quotation mark, got another one$/],
  ['a “Lab 1”', 2, /^expected " as the quotation mark, got another one$/],
  ['a || b', 2, /^expected a condition, got \|\|; is or meant\?$/],
  ['a -', 2, /^expected a condition, got -$/],
  ['software:a!=3', 10, /^expected a condition or a value, got "!"$/],
  ['room:"x', 5, /^expected a second quotation mark$/],
  ['()', 1, /^expected a condition or a value, got "\)"$/],
  ['a '.repeat(101), 200, /^expected at most 100 conditions$/],
  [`${'('.repeat(51)}a`, 51, /^expected at most 50 levels$/],
]

for (const [text, at, message] of errors) {
  test(`a wrong query is refused with the place: ${text.slice(0, 20)}`, () => {
    throws(
      () => parseQuery(text),
      (error: unknown) => error instanceof QueryError && error.at === at && message.test(error.message),
    )
  })
}

test('the documentation has the table of the fields', () => {
  const rows = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8').matchAll(
    /^\| `(\w+)` \| (.*) \| /gm,
  )
  equal(
    [...rows].map(([, name, about]) => [name, about]),
    Object.entries(fields).map(([name, { about }]) => [name, about]),
  )
})

test.run()
