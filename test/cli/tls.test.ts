// `fleet` and a daemon with TLS: which certificates it trusts, and its errors for the others.
import { copyFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { endPrograms, startProgram } from '../harness/daemon-process.ts'
import { startTestHost, token } from '../harness/test-host.ts'
import { fixture, tlsFiles, transport } from '../harness/transport.ts'

export const runs = { alone: true }

const shell = openShell({ FLEET_API_TOKEN: token })
const plain = await startTestHost()
transport.isSecure = true
const lab = await startTestHost()
const url = `https://127.0.0.1:${lab.host.ports.rest}`

const test = suite('fleet with TLS')
test.after(async () => {
  await endPrograms()
  await lab.stop()
  await plain.stop()
  shell.remove()
})

test('a certificate of an unknown authority is refused, with one line that names --ca', async () => {
  const { code, error } = await shell.fleet('--url', url, 'clients')
  is(code, 1)
  match(error, /^fleet: https:\S+: the authority of its certificate is not trusted; name its file with --ca, FLEET_CA/)
})

test('the file of --ca, FLEET_CA or the configuration is trusted', async () => {
  is((await shell.fleet('--url', url, '--ca', tlsFiles.cert, 'clients')).error, '')
  is((await shell.fleetWith({ FLEET_CA: tlsFiles.cert }, '--url', url, 'clients')).error, '')
  copyFileSync(tlsFiles.cert, shell.write('config/fleet/ca.pem', ''))
  const file = shell.write('config/fleet/config.json', JSON.stringify({ url, ca: 'ca.pem' }))
  const { code, error } = await shell.fleet('clients')
  equal([code, error], [0, ''])
  shell.write(file.slice(shell.folder.length + 1), '{}')
})

test('NODE_EXTRA_CA_CERTS of Node is trusted, too', async () => {
  const { code, error } = await shell.programWith({ NODE_EXTRA_CA_CERTS: tlsFiles.cert }, '--url', url, 'clients')
  equal([code, error], [0, ''])
})

test('a certificate of an authority is trusted with that of the authority, for its names only', async () => {
  const read = (name: string) => readFileSync(fixture(name))
  const server = createServer({ cert: read('signed-cert.pem'), key: read('signed-key.pem') }, (_, response) => {
    response.setHeader('Content-Type', 'application/json').end('{"scope": []}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // `as`: the server listens on a port, not on a path.
  const { port } = server.address() as AddressInfo
  const call = (host: string, ca: string) =>
    shell.fleet('--url', `https://${host}:${port}`, '--ca', fixture(ca), 'scopes')
  equal([(await call('localhost', 'authority.pem')).code, (await call('localhost', 'signed-cert.pem')).code], [0, 0])
  match((await call('127.0.0.1', 'authority.pem')).error, /^fleet: .*IP: 127\.0\.0\.1 is not in the cert's list/)
  match((await call('localhost', 'server-cert.pem')).error, /authority of its certificate is not trusted/)
  server.close()
})

test('a file that cannot be read is a usage error', async () => {
  const { code, error } = await shell.fleet('--url', url, '--ca', '/nowhere/ca.pem', 'clients')
  is(code, 2)
  match(error, /^fleet: --ca: expected a file of certificates, got ENOENT/)
})

test('https:// and http:// that are exchanged are explained', async () => {
  const secure = `https://127.0.0.1:${plain.host.ports.rest}`
  match(
    (await shell.fleet('--url', secure, '--ca', tlsFiles.cert, 'clients')).error,
    /no TLS on that port; is the address http/,
  )
  match((await shell.fleet('--url', url.replace('https', 'http'), 'clients')).error, /closed; is the address https/)
})

test('a token is rotated on a server whose certificate is not for its loopback address', async () => {
  const tls = { cert: fixture('signed-cert.pem'), key: fixture('signed-key.pem') }
  const daemon = startProgram(shell.folder, { options: { rest: { port: 0, tls } } })
  const port = Number(await daemon.waitFor(/REST API on https:\/\/127\.0\.0\.1:(\d+)\n/))
  // The daemon has chosen its port.
  const other = { rest: { port, tls }, agents: { port: 0 }, store: { path: join(shell.folder, 'data') } }
  const options = shell.write('other.json', JSON.stringify(other))
  const { code, out, error } = await shell.fleet('token', 'rotate', '--config', options)
  equal([code, error], [0, ''])
  match(out, /^a new token is in \S+; the daemon uses it and refuses the old one\n$/)
})

test.run()
