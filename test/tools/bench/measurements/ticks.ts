// Measures how long the event loop is held by each read, and by each preview of a write, with the most data that is
// admitted, for a caller with all rights and for one with a room.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoadedCommand } from '../../../../host/contract/loaded-command.ts'
import {
  addressAt,
  addressesOf,
  fillStore,
  imageCount,
  longJob,
  roomToken,
  runningJob,
  wideJob,
} from '../../../harness/full-store.ts'
import { longestTick } from '../../../harness/longest-pause.ts'
import { startTestHost, type TestHost, token } from '../../../harness/test-host.ts'
import { atMost, type Measurement, type Row } from '../measurement.ts'

/** Milliseconds of processor time that a tick may take. */
const fineLimit = 20
/** For answers that read many records at once from the store, which returns them in one step. */
const coarseLimit = 50
const coarse = /^GET \/(images?|job\/report|schedules|client\/export|backup)\b|\?(dry_run|limit|sort)=/

/** A tick also has what the engine does for other code: the shortest of some attempts counts. */
const attempts = 10

const client = addressAt(0)

type Command = LoadedCommand['command']
interface Property {
  examples?: unknown[]
}

interface Request {
  route: string
  key: string
  body?: string
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

export const ticks: Measurement = {
  name: 'ticks',
  sizes: [8_000],
  async run(bench, size) {
    const lab = await startFullHost()
    bench.atEnd(() => lab.stop())
    const clients = addressesOf(size)
    await lab.call('POST /wol', { clients, type: 'unicast' })
    const commands = lab.host.registry.commands.map(({ command }) => command)
    const routes = [...commands.filter(({ route }) => route.startsWith('GET ')).flatMap(readsOf), ...more]
    const reads = (key: string) => routes.map(route => ({ route, key }))
    const previews = commands
      .filter(({ preflight }) => preflight)
      .map(({ route, example }) => {
        const body = JSON.stringify({ ...Object(example), clients })
        return { route: `${route}?dry_run=1`, key: token, body }
      })
    return [
      ...(await measure(lab, 'reads with all rights', reads(token))),
      ...(await measure(lab, 'reads with one room', reads(roomToken))),
      ...(await measure(lab, 'previews', previews)),
    ]
  },
}

async function startFullHost(): Promise<TestHost> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-full-'))
  await fillStore(join(folder, 'data'))
  mkdirSync(join(folder, 'images'))
  for (let at = 0; at < imageCount; at += 1) writeFileSync(join(folder, 'images', `image-${at}.img`), 'x')
  const limits = { response: 8 << 20, jobs_count: 100_000, request: 1 << 20 }
  const store = { adapter: 'lowdb', path: './data' }
  // Packets go to the discard port of loopback addresses.
  return startTestHost({ folder, options: { store, limits }, wakePort: 9 })
}

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

/** A row for those with the fine limit and one for the others, each named after the slowest. */
async function measure(lab: TestHost, what: string, requests: Request[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const limit of [fineLimit, coarseLimit]) {
    const those = requests.filter(({ route }) => coarse.test(route) === (limit === coarseLimit))
    if (those.length === 0) continue
    let slowest = { route: '', longest: 0 }
    for (const request of those) {
      const longest = await tickOf(lab, request, limit)
      if (longest > slowest.longest) slowest = { route: request.route, longest }
    }
    const figure = `longest tick of ${what}: ${slowest.route}`
    rows.push({ figure, measured: slowest.longest, unit: 'ms', targets: atMost(limit) })
  }
  return rows
}

const bytesOf = ({ route, key, body = '' }: Request) =>
  `${route} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** The shortest of the attempts, which end when one is below the limit. */
async function tickOf(lab: TestHost, request: Request, limit: number): Promise<number> {
  const stream = request.route.startsWith('GET /events') ? /\n\n/ : undefined
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && best > limit; attempt += 1) {
    const { result, longest } = await longestTick(() => lab.raw(bytesOf(request), stream))
    const status = result.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
    const known = request.key === token ? /200|400/ : /200|40\d/
    if (!known.test(status)) throw new Error(`${request.route}: ${status}`)
    best = Math.min(best, longest)
  }
  return best
}
