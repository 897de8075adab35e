// Values in error messages.
import { suite } from 'uvu'
import { is, ok } from 'uvu/assert'
import { showValue } from '../../host/log/shown-text.ts'

const test = suite('shown values')

test('a value of any type is one short line', () => {
  for (const [value, text] of [
    ['two\nlines', '"two\\nlines"'],
    [1.5, '1.5'],
    [5n, '5n'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Symbol('name'), 'Symbol(name)'],
    [() => {}, 'a function'],
    [Promise.resolve(7), 'a promise'],
    [{ id: 1, list: [1, 2, 3, 4, 5], more: { deep: { deeper: 1 } } }, undefined],
    ['x'.repeat(1e6), `"${'x'.repeat(79)}…`],
  ]) {
    const shown = showValue(value)
    ok(shown.length <= 81 && !shown.includes('\n'))
    if (text !== undefined) is(shown, text)
  }
})

test.run()
