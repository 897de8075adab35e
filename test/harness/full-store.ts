// Makes the folder of a store with the most that a fleet of 10,000 computers has: the data for tests of long answers.
import { hash } from 'node:crypto'
import open from '../../stores/lowdb/index.ts'
import type { Entry, Job, Part, PartState, Task } from '../../stores/store.ts'
import { schedule, upTo } from '../conformance/work-samples.ts'

const rooms = 200
const computersPerRoom = 50
export const imageCount = 1_000
/** Of procedures, tasks, schedules, tokens and users. */
const records = 1_000
const smallJobs = 10_000

/** The jobs that `limits.run_parts` just admits, and a smaller one whose parts still change. */
export const longJob = { id: smallJobs + 1, clients: 1_000, steps: 100 }
export const wideJob = { id: smallJobs + 2, clients: 10_000, steps: 10 }
export const runningJob = { id: smallJobs + 3, clients: 100, steps: 100 }

const secret = 'r'.repeat(43)

/** A token that may read room 1. */
export const roomToken = `fh_1_${secret}`

const created = Date.now() - 1_000_000

/** On loopback: nothing that a test sends to one of them leaves the machine. */
export const addressAt = (index: number) => `127.90.${index >> 8}.${index & 255}`
export const addressesOf = (count: number) => upTo(count).map(addressAt)

export async function fillStore(path: string): Promise<void> {
  const store = await open({ adapter: 'lowdb', path }, { info() {}, warn() {} })
  await store.backup.load(dump())
  const { id: job, clients, steps } = runningJob
  // Few of each row, so that their parts become rows of their own.
  const updated = upTo(clients * steps).filter(index => index % 16 === 0)
  await store.jobs.update(updated.map(index => ({ job, index, reason: 'waits' })))
  await store.close()
}

async function* dump(): AsyncGenerator<Entry> {
  yield* places()
  yield [
    'hardware',
    { id: 1, items: upTo(500).map(at => ({ type: 'memory', description: `module ${at}`.repeat(10) })) },
  ]
  yield ['software', { id: 1, os: 'Linux', programs: upTo(10_000).map(at => `program-${at} 1:1.0.0-${at}ubuntu7`) }]
  for (const at of upTo(imageCount)) yield ['images', imageAt(at)]
  for (const at of upTo(rooms * computersPerRoom)) yield* computerAt(at)
  yield* programs()
  yield* jobs()
}

function* places(): Generator<Entry> {
  for (const id of upTo(10)) yield ['centers', { id: id + 1, name: `Center ${id}`, comment: '' }]
  const texts = { netmask: '255.255.255.0', location: 'Building 3', gateway: '', ntp: '', dns: '' }
  for (const at of upTo(rooms)) {
    yield ['rooms', { id: at + 1, center: 1 + (at % 10), name: `Room ${at}`, ...texts, group: 0, remote: false }]
  }
  yield ['repositories', { id: 1, name: 'Main', ip: '' }]
  yield ['systems', { id: 1, name: 'Linux' }]
  yield ['filesystems', { id: 1, name: 'EXTFS' }]
  for (const at of upTo(records)) {
    const name = at === 0 ? 'room' : `name-${at}`
    const account = { id: at + 1, name, role: 'read', centers: [], rooms: [1], created: 1, by: 'admin' } as const
    const state = { disabled: false, used: 0 }
    yield ['tokens', { ...account, ...state, hash: hash('sha256', at === 0 ? secret : name), expires: 0 }]
    yield ['users', { ...account, ...state, hash: '' }]
  }
}

const imageAt = (at: number) => ({
  id: at + 1,
  name: `image-${at}`,
  description: '',
  repo_id: 1,
  type: 1,
  datasize: 9_126_805_504,
  software_id: 1,
  group_id: 0,
  center_id: 0,
  clonator: 'PARTCLONE',
  compressor: 'LZOP',
  filesystem: 'EXTFS',
  version: 3,
})

function* computerAt(at: number): Generator<Entry> {
  const computer = {
    id: at + 1,
    name: `pc-${at}`,
    ip: addressAt(at),
    mac: (0x02_00_00_00_00_00 + at).toString(16).padStart(12, '0'),
    room: 1 + Math.floor(at / computersPerRoom),
    netmask: '255.255.255.0',
    boot: 'pxe',
    remote: false,
    serial_number: `CZC${at}`,
    hardware_id: 1,
    repo_id: 1,
    netiface: 'eth0',
    netdriver: 'generic',
    livedir: 'ogLive',
    maintenance: false,
    place: { row: 1 + (at % 10), column: 1 + (at % 5) },
  }
  yield ['computers', computer]
  const rows = upTo(5).map(partition => ({
    disk: 1,
    partition,
    code: 131,
    size: 500_000_000,
    used_size: 50,
    filesystem: 1,
    os: partition === 0 ? 0 : 1,
    image: partition === 2 ? 1 + (at % imageCount) : 0,
    software: partition === 2 ? 1 : 0,
    ...(partition === 2 && { image_version: 1 + (at % 3), image_since: created + at }),
  }))
  yield ['partitions', { id: at + 1, rows }]
}

const script = { run: 'date', echo: true }
const step = { command: 'shell-run', params: script }

/** Procedures, the tasks and scheduled commands that use them, and their schedules. */
function* programs(): Generator<Entry> {
  for (const at of upTo(records)) {
    const task = { id: at + 1, center: 1 + (at % 10), name: `Task ${at}`, description: '' }
    yield ['procedures', { ...task, steps: Array.from({ length: 10 }, () => step) }]
    const targets: Partial<Task> = { clients: addressesOf(100) }
    yield ['tasks', { ...task, ...targets, steps: [{ procedure: at + 1 }] }]
    yield ['errands', { id: at + 1, clients: addressesOf(100), command: 'shell-run', params: script }]
    // Of a year that has passed.
    yield ['schedules', { ...schedule({ type: 'command', task: at + 1, years: 1 }), id: at + 1 }]
  }
}

function* jobs(): Generator<Entry> {
  const job = { created, origin: 'request', name: 'shell-run', by: 'admin' } satisfies Partial<Job>
  const steps = [{ command: 'shell-run', payload: script }]
  for (const id of upTo(smallJobs)) {
    yield ['jobs', { id: id + 1, ...job, steps }]
    yield ['parts', { id: id + 1, from: 0, parts: upTo(10).map(at => partAt(at, 0)) }]
  }
  for (const { id, clients, steps: count } of [longJob, wideJob, runningJob]) {
    yield ['jobs', { id, ...job, steps: upTo(count).flatMap(() => steps) }]
    for (const at of upTo(clients)) {
      const parts = upTo(count).map(each => partAt(at, each))
      yield ['parts', { id, from: at * count, parts: id === runningJob.id ? parts.map(queued) : parts }]
    }
  }
}

const queued = (part: Part): Part => ({ ...part, state: 'queued', sent: 0, ended: 0 })

const states: PartState[] = ['success', 'failure', 'skipped', 'success']

function partAt(client: number, at: number): Part {
  const state = states[(client + at) % states.length] ?? 'success'
  const times = { queued: created, sent: created + at, ended: created + client }
  return { client: addressAt(client), step: at, state, reason: `reason ${at}`, ...times, expires: 60, output: '' }
}
