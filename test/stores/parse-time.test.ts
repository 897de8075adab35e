// Times as PostgreSQL writes them.
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { parseTime } from '../../stores/postgres/connection/parse-time.ts'

const test = suite('times of PostgreSQL')

test('a time is read as its milliseconds since 1970', () => {
  for (const text of [
    '1970-01-01 00:00:00',
    '2026-01-31 08:00:59.999',
    '2026-01-31 08:00:01.5',
    '0001-01-01 00:00:00.001',
  ])
    is(parseTime(`${text}+00`), Date.parse(`${text.replace(' ', 'T')}Z`))
})

test('microseconds are rounded', () => {
  is(parseTime('1970-01-01 00:00:00.000499+00'), 0)
  is(parseTime('1970-01-01 00:00:59.9995+00'), 60_000)
})

test('years that have no date in JavaScript are read', () => {
  is(parseTime('287396-10-12 08:59:00.991+00'), Number.MAX_SAFE_INTEGER)
  is(parseTime('12345-02-28 00:00:00+00'), Date.UTC(12345, 1, 28))
})

test.run()
