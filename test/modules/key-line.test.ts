// Messages about the keys of a file begin with the line of the key.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { lineOf, withLine } from '../../host/modules/key-line.ts'

const source = `const payload = { type: 'object', to: {} }

export default {
  summary: 'A route: of its own',
  route: 'POST /x',
  payload,
  accept() {},
  forward: {
    'to': 'POST /x',
    too: 'POST /y',
  },
}
`

const test = suite('lines of keys')

test('a key is found in the default export, in the order of its path', () => {
  const lines = [['route'], ['payload'], ['accept'], ['forward', 'to'], []].map(keys => lineOf(source, keys))
  equal(lines, [5, 6, 7, 9, 3])
  equal([lineOf(source, ['nothing']), lineOf(`const x = { here: 1 }\nexport default x\n`, ['here'])], [undefined, 1])
})

test('a message names the line of its key, or that of the default export', () => {
  is(
    withLine('forward: expected to, got unknown key "too"', '/a.ts', source),
    '/a.ts:10: forward: expected to, got unknown key "too"',
  )
  is(withLine('on[0]: expected x', '/a.ts', 'on: []'), '/a.ts:1: on[0]: expected x')
  is(withLine('command: summary is missing', '/a.ts', source), '/a.ts:3: command: summary is missing')
})

test('quotes that are not closed hide the rest of their line, and cost linear time', () => {
  equal([lineOf(`one: "x\ntwo: 1`, ['two']), lineOf(`'two: 1`, ['two'])], [2, undefined])
  for (const open of ["'\\", '"\\', '`\\']) is(lineOf(`${open.repeat(100_000)}\\`, ['two']), undefined)
})

test.run()
