// The section `cluster` of the options file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { loadOptions, OptionsError } from '../../host/config/options.ts'

const folder = mkdtempSync(join(tmpdir(), 'options-'))
const file = join(folder, 'options.json')

function load(content: object) {
  writeFileSync(file, JSON.stringify(content))
  return loadOptions(file).options
}

/** The error line of a file, without the leading file name. */
function errorOf(content: object): string {
  let line = ''
  throws(
    () => load(content),
    (error: unknown) => {
      line = error instanceof OptionsError ? error.message.slice(file.length + 2) : ''
      return true
    },
  )
  return line
}

const test = suite('cluster options')
test.after(() => rmSync(folder, { recursive: true }))

test('without the section the daemon runs alone', () => {
  is(load({}).cluster, undefined)
})

test('a section cluster, also an empty one, needs the store in PostgreSQL, and has a name and a lease', () => {
  const store = { adapter: 'postgres' }
  equal(load({ store, cluster: {} }).cluster, { lease_seconds: 6 })
  const cluster = { name: 'fleet-a.example.org', lease_seconds: 10 }
  equal(load({ store, cluster }).cluster, cluster)
  is(errorOf({ cluster: {} }), 'cluster: expected store.adapter postgres, got lowdb')
  match(errorOf({ store, cluster: { name: 'a b' } }), /^cluster.name: expected a name of up to 63 letters/)
  match(errorOf({ store, cluster: { lease_seconds: 2 } }), /^cluster.lease_seconds: expected /)
})

test.run()
