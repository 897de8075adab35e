// Every read, and every preview of a write, with the most data that is admitted: none holds the event loop for long.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is, ok } from 'uvu/assert'
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'
import {
  addressAt,
  addressesOf,
  fillStore,
  imageCount,
  longJob,
  roomToken,
  runningJob,
  wideJob,
} from '../harness/full-store.ts'
import { longestTick } from '../harness/longest-pause.ts'
import { startTestHost, token } from '../harness/test-host.ts'

export const runs = { seconds: 15 }

/** Milliseconds of processor time that a tick may take. */
const limit = 20
/** For answers that read many records at once from the store, which returns them in one step. */
const coarseLimit = 50
const coarse = /^GET \/(images?|job\/report|schedules|client\/export|backup)\b|\?(dry_run|limit|sort)=/

/** A tick also has what the engine does for other code: the shortest of some attempts counts. */
const attempts = 10

const folder = mkdtempSync(join(tmpdir(), 'fleet-full-'))
await fillStore(join(folder, 'data'))
mkdirSync(join(folder, 'images'))
for (let at = 0; at < imageCount; at += 1) writeFileSync(join(folder, 'images', `image-${at}.img`), 'x')
const limits = { response: 8 << 20, jobs_count: 100_000, request: 1 << 20 }
const store = { adapter: 'lowdb', path: './data' }
// Packets go to the discard port of loopback addresses.
const lab = await startTestHost({ folder, options: { store, limits }, wakePort: 9 })
const test = suite('ticks')
test.after(() => lab.stop())

const client = addressAt(0)
const clients = addressesOf(8_000)
const commands = lab.host.registry.commands.map(({ command }) => command)

type Command = LoadedCommand['command']
interface Property {
  examples?: unknown[]
}

/** What cannot be derived: other values for the keys that name something, and paths below a route. */
const more = [
  ...[longJob, wideJob, runningJob].flatMap(({ id }) => [
    `GET /jobs/${id}`,
    `GET /jobs/${id}?after=9000`,
    `GET /jobs/${id}?client=${client}`,
    `GET /job/report?id=${id}`,
    `GET /job/report?id=${id}&only=missing`,
  ]),
  'GET /jobs?limit=999999',
  'GET /jobs?client=10.1.1.1',
  'GET /jobs?command=reboot',
  'GET /jobs?state=queued',
  'GET /events?last_event_id=1',
  `GET /software?client=${client}&disk=1&partition=2`,
]

/** The route as it is, and with each key of the query that has an example. */
function readsOf({ route, query, payload, example }: Command): string[] {
  const { properties = {}, required = [] }: { properties?: Record<string, Property>; required?: readonly string[] } =
    query ?? {}
  const value = (key: string) => (key === 'client' ? client : String(properties[key]?.examples?.[0] ?? ''))
  const needed = required.map(key => `${key}=${value(key)}`)
  const payloadKeys = payload && example instanceof Object ? Object.entries({ ...example }) : []
  const fixed = [...needed, ...payloadKeys.map(([key, each]) => `${key}=${key === 'client' ? client : each}`)]
  const others = Object.keys(properties).filter(key => properties[key]?.examples && !required.includes(key))
  return [[], ...others.map(key => [`${key}=${value(key)}`])].map(keys => {
    const text = [...fixed, ...keys].join('&')
    return text === '' ? route : `${route}?${text}`
  })
}

const bytesOf = (route: string, key: string, body = '') =>
  `${route} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Adds to `slow` when the request holds a tick for too long. */
async function measure(slow: string[], route: string, key: string, body?: string): Promise<void> {
  const most = coarse.test(route) ? coarseLimit : limit
  const ticks: number[] = []
  let status = ''
  while (ticks.length < attempts && !ticks.some(tick => tick <= most)) {
    const stream = route.startsWith('GET /events') ? /\n\n/ : undefined
    const { result, longest } = await longestTick(() => lab.raw(bytesOf(route, key, body), stream))
    status = result.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
    ticks.push(longest)
  }
  const known = key === token ? /200|400/ : /200|40\d/
  ok(known.test(status), `${route}: ${status}`)
  const best = Math.min(...ticks)
  if (best > most) slow.push(`${route} with ${key === token ? 'all rights' : 'one room'}: ${best.toFixed(0)} ms`)
}

test('no read holds a tick for more than 50 ms, and most for less than 20, for callers with all rights and with one room', async () => {
  is((await lab.call('POST /wol', { clients, type: 'unicast' })).status, 200)
  const reads = commands.filter(({ route }) => route.startsWith('GET ')).flatMap(readsOf)
  const slow: string[] = []
  for (const key of [token, roomToken]) for (const route of [...reads, ...more]) await measure(slow, route, key)
  is(slow.join('; '), '')
})

test('no preview of a command for 8,000 clients does', async () => {
  const slow: string[] = []
  for (const { route, example } of commands.filter(({ preflight }) => preflight)) {
    await measure(slow, `${route}?dry_run=1`, token, JSON.stringify({ ...Object(example), clients }))
  }
  is(slow.join('; '), '')
})

test.run()
