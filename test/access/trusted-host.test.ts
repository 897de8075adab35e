// Which names of this server a browser's session is accepted for.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { isTrustedHost } from '../../host/access/trusted-host.ts'

const names = ['fleet.example.org', 'Fleet.']
const test = suite('trusted hosts')

const hosts: [host: string, isTrusted: boolean][] = [
  ['127.0.0.1', true],
  ['10.1.1.2:8888', true],
  ['[::1]', true],
  ['[::1]:8888', true],
  ['localhost', true],
  ['LOCALHOST:8888', true],
  ['fleet.example.org', true],
  ['Fleet.Example.org.:443', true],
  ['fleet', true],
  ['', false],
  ['.', false],
  [':8888', false],
  ['::1', false],
  ['[fleet]', false],
  ['[127.0.0.1]', false],
  ['127.0.0.1.evil.example', false],
  ['127.1', false],
  ['2130706433', false],
  ['localhost.evil.example', false],
  ['evil.example', false],
  ['fleet.example.org.evil.example', false],
  ['evil.example, localhost', false],
  ['user@localhost', false],
  ['localhost:80:80', false],
]
for (const [host, isTrusted] of hosts) {
  test(`Host "${host}" is ${isTrusted ? '' : 'not '}trusted`, () => equal(isTrustedHost(host, names), isTrusted))
}

test('without rest.names only addresses and localhost are trusted', () => {
  equal(
    ['localhost', '10.1.1.2', 'fleet.example.org'].map(host => isTrustedHost(host, [])),
    [true, true, false],
  )
})

test.run()
