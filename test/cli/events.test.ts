// `fleet events`, and reasons of refusals: with a server that stands for the daemon.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'

const scope = [
  { id: 1, name: 'Center', scope: [{ id: 7, name: 'Room', scope: [{ id: 1, name: 'lab-c01', ip: '10.1.1.1' }] }] },
]
const time = '2026-03-14T22:30:00.000Z'
const differs = {
  id: 4,
  time,
  type: 'mac-differs',
  clients: ['10.1.1.1'],
  rooms: [7],
  mac: '001b210a0b0c',
  recorded_mac: '020000000001',
}
const state = { id: 5, time, type: 'client-state', clients: ['10.1.1.1'], rooms: [7], state: 'BSY', status: 'oglive' }
const finished = {
  id: 6,
  time,
  type: 'job-finished',
  clients: [],
  rooms: [],
  job: 3,
  name: 'wol',
  counts: { success: 2, failure: 0 },
}

interface EventRequest {
  url: string
  after: string | undefined
}
const requests: EventRequest[] = []

/** Two events for the first connection, one for the second; the third one is refused. */
function respondWithEvents({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const after = headers['last-event-id']
  requests.push({ url, after: Array.isArray(after) ? after[0] : after })
  const events = requests.length === 1 ? [differs, state] : [finished]
  if (requests.length > 2) return void response.writeHead(400, { 'X-Reason': 'enough is enough' }).end()
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const texts = events.map(event => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const alive = `: alive\n\nevent: heartbeat\ndata: {"time":"${time}","type":"heartbeat"}\n\n`
  const text = `retry: 2000\n\n${alive}${texts.join('')}`
  // In two pieces, as a network may deliver it.
  response.write(text.slice(0, 40))
  setImmediate(() => response.end(text.slice(40)))
}

const server = createServer((request, response) => {
  if (request.url?.startsWith('/events')) return respondWithEvents(request, response)
  if (request.url === '/scopes')
    return void response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ scope }))
  response.writeHead(400, { 'X-Reason': 'mode: there is no mode' }).end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
// The address of a server that listens on a port.
const { port } = server.address() as AddressInfo
const { fleet, fleetOnTerminal, remove } = openShell({ FLEET_URL: `http://127.0.0.1:${port}`, FLEET_API_TOKEN: 'x' })

const test = suite('events')
test.before.each(() => {
  requests.length = 0
})
test.after(() => {
  remove()
  server.close()
})

test('one line per event has time, type, names and details; a broken stream continues where it ended', async () => {
  const { code, out, error } = await fleet(
    'events',
    '--type',
    'job',
    'client-state',
    '--room',
    'Room',
    '--client',
    'lab-c01',
  )
  is(code, 1)
  match(
    out,
    /\n\d{4}-\d\d-\d\d \d\d:30:00 {2}client-state {6}lab-c01 {2}busy\n.* {2}job-finished +job 3, wol, 2 success\n$/,
  )
  match(out, /^\S+ \S+ {2}mac-differs {7}lab-c01 {2}mac 001b210a0b0c, recorded_mac 020000000001\n/)
  equal(requests[0], { url: '/events?type=job%2Cclient-state&room=7&client=10.1.1.1', after: undefined })
  equal(
    requests.slice(1).map(({ after }) => after),
    ['5', '6'],
  )
  const [lost, , refused] = error.split('\n')
  equal([lost, refused], ['fleet: the daemon closed the connection; connecting again', 'fleet: enough is enough'])
})

test('--json prints the data of each event on a line', async () => {
  const { out } = await fleet('events', '--json')
  equal(
    out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
    [differs, state, finished],
  )
})

test('on a terminal a line has no day', async () => {
  const { out } = await fleetOnTerminal('', 'events')
  match(out, /\n\d\d:30:00 {2}client-state {6}lab-c01 {2}busy\n/)
})

test('the reason of a refusal is printed when the daemon sends it', async () => {
  const { code, error } = await fleet('modes')
  equal([code, error], [1, 'fleet: there is no mode\n'])
})

test.run()
