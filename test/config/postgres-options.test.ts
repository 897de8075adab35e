// The numbers in a section `store` for PostgreSQL.
import { suite } from 'uvu'
import { is, throws } from 'uvu/assert'
import { parseOptions } from '../../stores/postgres/connection/postgres-options.ts'

const parse = (options: object) => parseOptions({ adapter: 'postgres', path: '', ...options })

const test = suite('options of the store postgres')

test('pool is 1 to 200 connections, 10 without the option', () => {
  is(parse({}).pool, 10)
  for (const pool of [1, 200]) is(parse({ pool }).pool, pool)
  for (const pool of [0, 201, 1.5, '5']) throws(() => parse({ pool }), 'store.pool: expected 1 to 200, got ')
})

test('port is 1 to 65535', () => {
  for (const port of [1, 65_535]) is(parse({ port }).connection.port, port)
  for (const port of [0, 65_536]) throws(() => parse({ port }), 'store.port: expected 1 to 65535, got ')
})

test.run()
