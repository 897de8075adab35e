// `fleet image-stats` and `fleet image-bin`: with a server that stands for the daemon.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { is, match } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'

const versions = [
  { version: 2, computers: 12, first: '2026-09-01T08:00:00.000Z', last: '2026-09-02T08:00:00.000Z' },
  { version: 0, computers: 1 },
]
const image = { id: 1, name: 'linux', version: 2, versions }
const copy = { client: '10.1.1.1', disk: 1, partition: 2, version: 2, since: '2026-09-01T08:00:00.000Z' }
const bodies: Record<string, object> = {
  '/image/stats': { images: [] },
  '/image/stats?image=1': { images: [{ ...image, copies: [copy] }], next: '10.1.1.1' },
  '/image/stats?image=2': { images: [{ ...image, versions: versions.slice(1) }] },
  '/image/bin': { bin: [] },
}
const server = createServer(({ url = '' }, response) => {
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(bodies[url]))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
// The address of a server that listens on a port.
const { port } = server.address() as AddressInfo
const { fleet, remove } = openShell({ FLEET_URL: `http://127.0.0.1:${port}`, FLEET_API_TOKEN: 'x' })

const test = suite('fleet image-stats')
test.after(() => {
  remove()
  server.close()
})

test('without images, and with an empty bin, one line says so', async () => {
  is((await fleet('image-stats')).out, 'no computer has a partition of an image\n')
  is((await fleet('image-bin')).out, 'the bin is empty\n')
})

test('an image that one computer has is a table of one row; a version that is not known is named so', async () => {
  match((await fleet('image-stats', '--image', '2')).out, /^IMAGE +VERSION +COMPUTERS.*\nlinux +not known +1\b.*\n$/)
})

test('of one image its versions are followed by its computers, and by where the list goes on', async () => {
  match(
    (await fleet('image-stats', '--image', '1')).out,
    /^IMAGE .*\nlinux +2 +12 +2026-09-0\d .*\nlinux +not known +1\b.*\n\nCLIENT .*\n10\.1\.1\.1 +1 +2 +2 +2026-.*\nmore after 10\.1\.1\.1: GET \/image\/stats\?image=…&after=10\.1\.1\.1\n$/,
  )
})

test.run()
