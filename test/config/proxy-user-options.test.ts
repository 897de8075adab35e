// The option rest.proxy_user: what is refused at the start.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, throws } from 'uvu/assert'
import { loadOptions, OptionsError } from '../../host/config/options.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleet-options-'))
const file = join(folder, 'options.json')

function load(proxyUser: unknown) {
  writeFileSync(file, JSON.stringify({ rest: { proxy_user: proxyUser } }))
  return loadOptions(file).options.rest.proxy_user
}

const test = suite('options of a proxy')
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('a header and its addresses and networks are accepted', () => {
  const proxyUser = { header: 'X-Remote-User', from: ['127.0.0.1', '10.1.0.0/16', '::1'] }
  equal(load(proxyUser), proxyUser)
})

for (const [value, message] of [
  [{ header: 'X-User' }, 'rest.proxy_user: from is missing'],
  [{ header: 'X-User', from: [] }, 'rest.proxy_user.from: expected at least 1 element, got []'],
  [{ header: 'X User', from: ['::1'] }, 'rest.proxy_user.header: expected the name of a header, got "X User"'],
  [
    { header: 'X-User', from: ['proxy'] },
    'rest.proxy_user.from[0]: expected an address or a network like 10.1.0.0/16, got "proxy"',
  ],
] as const) {
  test(`${JSON.stringify(value)} is refused`, () => {
    throws(
      () => load(value),
      (error: unknown) => error instanceof OptionsError && error.message === `${file}: ${message}`,
    )
  })
}

test.run()
