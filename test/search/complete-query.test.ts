// What is offered at a place of a query that is being typed; `|` is the cursor.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { placeAt, suggest } from '../../host/contract/complete-query.ts'
import { parseQuery } from '../../host/search/parse-query.ts'

const text = [':', '=']
const fields = [
  { name: 'room', about: 'its room', example: 'room:"Lab 1"', operators: text, hasVersion: false },
  { name: 'ram', about: 'its memory', example: 'ram<8GB', operators: [...text, '<'], hasVersion: false },
  { name: 'software', about: 'a program', example: 'software:blender>=3.6', operators: text, hasVersion: true },
]
const values: Record<string, string[]> = { room: ['Lab 1', 'lab-2', 'a "b"'], software: ['Blender'] }

function offered(typed: string): string[] {
  const cursor = typed.indexOf('|')
  const query = typed.replace('|', '')
  const place = placeAt(query, cursor)
  if (!place) return []
  const suggestions = suggest(query, place, { fields, values: values[place.field ?? ''] ?? [] })
  return suggestions.map(({ text, cursor }) => `${text.slice(0, cursor)}|${text.slice(cursor)}`)
}

const test = suite('completion at a place')

const cases: [string, string[]][] = [
  ['|', ['room:|', 'ram<|', 'software:|']],
  ['r|', ['room:|', 'ram<|']],
  ['R|', ['room:|', 'ram<|']],
  ['ram|', ['ram:|', 'ram=|', 'ram<|']],
  ['o|', ['or |']],
  ['pc-1 or ro|', ['pc-1 or room:|']],
  ['(ro|)', ['(room:|)']],
  ['room: "La|', ['room: "Lab 1" |', 'room: lab-2 |', 'room: "a *b*" |']],
  ['room!=|', ['room!="Lab 1" |', 'room!=lab-2 |', 'room!="a *b*" |']],
  ['a -ro|', ['a -room:|']],
  ['!room:la|', ['!room:"Lab 1" |', '!room:lab-2 |', '!room:"a *b*" |']],
  ['ro|om:x', ['room:|x']],
  ['ram<|', []],
  ['room:|', ['room:"Lab 1" |', 'room:lab-2 |', 'room:"a *b*" |']],
  ['room:"La| state:off', ['room:"Lab 1" |', 'room:lab-2 |', 'room:"a *b*" |']],
  ['room:l| state:off', ['room:"Lab 1"| state:off', 'room:lab-2| state:off', 'room:"a *b*"| state:off']],
  ['not room:"Lab 1" software:b|', ['not room:"Lab 1" software:Blender|']],
  ['software:blender>=|', []],
  ['software:blender>=3|', []],
  ['software:"a b">=3 |', ['room:', 'ram<', 'software:'].map(word => `software:"a b">=3 ${word}|`)],
  ['room:"a room:|', ['room:"Lab 1" |', 'room:lab-2 |', 'room:"a *b*" |']],
]
for (const [typed, expected] of cases) {
  test(`at the cursor of ${typed} there can be ${expected.length}`, () => equal(offered(typed), expected))
}

test('what is offered for a value can be read as a query', () => {
  for (const typed of offered('room:|')) parseQuery(typed.replace('|', ''))
})

test('every place of any text has an end', () => {
  const pieces = ['room:', '"', ' ', '(', ')', '<', '>=', 'a', ':', '*', 'or', '"x y"', '\u00f1']
  let state = 7
  for (let count = 0; count < 500; count += 1) {
    const query = Array.from({ length: 6 }, () => {
      state = (state * 48_271) % 2_147_483_647
      return pieces[state % pieces.length]
    }).join('')
    for (let cursor = 0; cursor <= query.length; cursor += 1) {
      const place = placeAt(query, cursor)
      if (place) equal(place.from <= cursor && cursor <= place.to, true, `${query} at ${cursor}`)
    }
  }
})

test.run()
