// Answers as JSON: the same text as ever, and frozen values are serialised once.
import { suite } from 'uvu'
import { is, throws } from 'uvu/assert'
import { toJson } from '../../host/http/json-cache.ts'

const test = suite('answers as JSON')

const answers = {
  'an empty object': {},
  'a list': [1, { a: 'ñ' }],
  'nested values': { a: { b: [1, null, 'x'] }, 'odd "key"': true, time: new Date(0) },
  'what JSON leaves out': { a: undefined, b: () => 1, c: Symbol('c'), d: 1 },
  'a frozen value that JSON leaves out': { none: Object.freeze(() => 1) },
  'a frozen list of what JSON has no word for': {
    list: Object.freeze([undefined, () => 1, Object.freeze(() => 1), 0]),
  },
  // biome-ignore lint/suspicious/noSparseArray: what is tested
  'a frozen list with holes': { list: Object.freeze([1, , 3]) },
  'frozen values': { list: Object.freeze([{ a: 1 }]), none: Object.freeze([]), one: Object.freeze({ b: undefined }) },
  'a frozen answer': Object.freeze({ a: 1, none: undefined, list: [1] }),
  'a frozen list as the answer': Object.freeze([1, undefined]),
  'its own form': { toJSON: () => ({ a: 1 }) },
}

for (const [name, answer] of Object.entries(answers)) {
  test(`${name}: as JSON.stringify has it`, () => {
    is(String(toJson(answer)), JSON.stringify(answer))
    is(String(toJson(answer)), JSON.stringify(answer))
  })
}

test('a frozen value is serialised once', () => {
  let times = 0
  const list = Object.freeze([{ toJSON: () => (times += 1) }])
  is(String(toJson({ list })), '{"list":[1]}')
  is(toJson({ list }), toJson({ list }))
  is(String(toJson({ list, other: 2 })), '{"list":[1],"other":2}')
  is(String(toJson({ named: list })), '{"named":[2]}')
})

test('a frozen answer is serialised once', () => {
  let times = 0
  const answer = Object.freeze({ one: { toJSON: () => (times += 1) } })
  is(String(toJson(answer)), '{"one":1}')
  is(toJson(answer), toJson(answer))
  is(String(toJson({ answer })), '{"answer":{"one":2}}')
})

test('what JSON cannot say throws', () => {
  throws(() => toJson({ big: 1n }))
})

test.run()
