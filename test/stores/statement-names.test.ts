// Which statements of the adapter `postgres` keep their plans.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { plannedEachTime, StatementNames } from '../../stores/postgres/connection/statement-names.ts'

const test = suite('names of statements')

test('a statement that is used often has a name of its own, which stays', () => {
  const names = new StatementNames()
  const first = Array.from({ length: 8 }, () => names.of('select 1'))
  assert.equal(first.slice(0, 5), Array.from({ length: 5 }))
  assert.is(new Set(first.slice(5)).size, 1)
  const second = Array.from({ length: 8 }, () => names.of('select 2')).at(-1)
  assert.is.not(first.at(-1), undefined)
  assert.is.not(second, undefined)
  assert.is.not(first.at(-1), second)
  assert.is(names.of('select 1'), first.at(-1))
})

test('the number of names is limited, for any number of statements', () => {
  const names = new StatementNames()
  const given = new Set<string>()
  for (let text = 0; text < 1000; text += 1) {
    for (let use = 0; use < 10; use += 1) {
      const name = names.of(`select ${text}`)
      if (name !== undefined) given.add(name)
    }
  }
  assert.is(given.size, 200)
})

test('a statement whose plan depends on its values has none', () => {
  const names = new StatementNames()
  const given = Array.from({ length: 20 }, () => names.of(`${plannedEachTime} select 1`))
  assert.equal(new Set(given), new Set([undefined]))
})

test.run()
