// Responses as JSON: the text of JSON.stringify, and values that the host froze are serialised once.
import { suite } from 'uvu'
import { is, throws } from 'uvu/assert'
import { toJson } from '../../host/http/json-cache.ts'
import { freeze, registerFrozen } from '../../host/system/frozen.ts'

const test = suite('JSON cache')

const responses = {
  'an empty object': {},
  'a list': [1, { a: 'ñ' }],
  'a list of one frozen value': [freeze({ a: 1 })],
  'nested values': { a: { b: [1, null, 'x'] }, 'odd "key"': true, time: new Date(0) },
  'values that JSON leaves out': { a: undefined, b: () => 1, c: Symbol('c'), d: 1 },
  'a frozen function': { none: Object.freeze(() => 1) },
  'a frozen list of values that JSON cannot represent': { list: freeze([undefined, () => 1, freeze({}), 0]) },
  'a long frozen list of such values': { list: freeze([undefined, () => 1, ...Array(100).fill(0)]) },
  // biome-ignore lint/suspicious/noSparseArray: holes are the case under test
  'a frozen list with holes': { list: freeze([1, , 3]) },
  'a long frozen list with holes': { list: freeze(Array(100)) },
  'several frozen values': { list: freeze([{ a: 1 }]), none: freeze([]), one: freeze({ b: undefined }) },
  'a frozen value under an unusual key': { 'odd "key"': freeze({ a: 1 }) },
  'a frozen response': freeze({ a: 1, none: undefined, list: [1] }),
  'a frozen list as the response': freeze([1, undefined]),
  'a response with toJSON': { toJSON: () => ({ a: 1 }) },
}

for (const [name, response] of Object.entries(responses)) {
  test(`${name} is serialised as JSON.stringify does it, the first and the second time`, () => {
    is(String(toJson(response)), JSON.stringify(response))
    is(String(toJson(response)), JSON.stringify(response))
  })
}

test('a frozen value is serialised once for one key', () => {
  let calls = 0
  const list = freeze([{ toJSON: () => (calls += 1) }])
  is(String(toJson({ list })), '{"list":[1]}')
  is(toJson({ list }), toJson({ list }))
  is(String(toJson({ renamed: list })), '{"renamed":[2]}')
})

test('a frozen response is serialised once', () => {
  let calls = 0
  const response = freeze({ one: { toJSON: () => (calls += 1) } })
  is(String(toJson(response)), '{"one":1}')
  is(toJson(response), toJson(response))
  is(String(toJson({ response })), '{"response":{"one":2}}')
})

test('when one element of a long frozen list changes, only that element is serialised again', () => {
  let calls = 0
  const toJSON = () => {
    calls += 1
    return calls
  }
  const elementOf = (id: number) => freeze({ id, toJSON })
  const elements = Array.from({ length: 100 }, (_, id) => elementOf(id))
  is(String(toJson({ list: freeze([...elements]) })), JSON.stringify({ list: elements.map(({ id }) => id + 1) }))
  elements[0] = elementOf(100)
  const [changed, ...others] = elements
  const expected = { list: [others.length + 2, ...others.map(({ id }) => id + 1)] }
  is(changed?.id, 100)
  is(String(toJson({ list: freeze([...elements]) })), JSON.stringify(expected))
})

test('a value that a store returns frozen is serialised once', () => {
  let calls = 0
  const row = registerFrozen(Object.freeze({ name: Object.freeze({ toJSON: () => (calls += 1) }) }))
  is(String(toJson(row)), '{"name":1}')
  is(String(toJson(row)), '{"name":1}')
})

test('a value that was frozen only at its outermost level is serialised anew after a change inside it', () => {
  const response = Object.freeze({ list: Object.freeze([{ count: 1 }]) })
  is(String(toJson(response)), '{"list":[{"count":1}]}')
  is(String(toJson({ response })), '{"response":{"list":[{"count":1}]}}')
  for (const entry of response.list) entry.count = 2
  is(String(toJson(response)), '{"list":[{"count":2}]}')
  is(String(toJson({ response })), '{"response":{"list":[{"count":2}]}}')
})

test('a store that does not freeze its rows gets them serialised anew after a change', () => {
  const row = registerFrozen({ count: 1 })
  is(String(toJson({ row })), '{"row":{"count":1}}')
  row.count = 2
  is(String(toJson({ row })), '{"row":{"count":2}}')
})

test('a value that JSON cannot represent throws', () => {
  throws(() => toJson({ big: 1n }))
})

test.run()
