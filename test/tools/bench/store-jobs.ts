// Measures jobs in the embedded store: memory per finished part, and times of updates, lists and the start.
// Usage: node --expose-gc --import tsx test/tools/bench/store-jobs.ts [--jobs 10000] [--parts 100] [--fan 10000] [--outputs 60000]
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import open from '../../../stores/lowdb/index.ts'
import type { Store } from '../../../stores/store.ts'
import { address, job, part, success } from '../../conformance/work-samples.ts'
import { random } from './store-fleet.ts'

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '10000' },
    parts: { type: 'string', default: '100' },
    fan: { type: 'string', default: '10000' },
    outputs: { type: 'string', default: '60000' },
  },
})
const [jobs, partsPerJob, fan] = [Number(values.jobs), Number(values.parts), Number(values.fan)]
const log = { info() {}, warn: (where: string, what: string) => console.error(where, what) }
const path = await mkdtemp(join(tmpdir(), 'store-jobs-'))
const next = random(1)
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

try {
  const store = await open({ adapter: 'lowdb', path }, log)
  for (const size of [1, 10, 100, 500]) await fanOut(store, size)
  await addJobs(store)
  await addOutputs(store, Number(values.outputs))
  await store.close()
  const before = heap()
  const reopened = await timed('start', () => open({ adapter: 'lowdb', path }, log))
  const bytes = heap() - before
  const all = jobs * partsPerJob + 4 * fan + Number(values.outputs)
  console.log(`heap: ${(bytes / 2 ** 20).toFixed(0)} MB, ${(bytes / all).toFixed(0)} bytes for each of ${all} parts`)
  await measureReads(reopened)
  await reopened.close()
} finally {
  await rm(path, { recursive: true })
}

/** The outcome of one part: at a random time, a failure for some. */
function outcome(id: number, index: number) {
  const ended = 1_700_000_000_000 + Math.floor(60_000 * next())
  const failed = { state: 'failure', reason: 'no answer in time' } as const
  return { ...success(id, index), ended, ...(next() < 0.05 && failed) }
}

/** Stores the outcomes of one job for many clients in batches of `size`; prints times and written bytes. */
async function fanOut(store: Store, size: number): Promise<void> {
  const parts = upTo(fan).map(at => part(address(at), { state: 'sent' }))
  const id = await timed(`add ${fan} parts`, () => store.jobs.add(job(), parts))
  const before = await folderBytes()
  const busy = process.cpuUsage()
  const times: number[] = []
  for (let from = 0; from < fan; from += size) {
    const updates = upTo(Math.min(size, fan - from)).map(at => outcome(id, from + at))
    const start = performance.now()
    await store.jobs.update(updates)
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(busy)
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  const written = ((await folderBytes()) - before) / 2 ** 20
  const processor = (user + system) / 1000 / times.length
  console.log(
    `  a batch of ${size}: median ${median.toFixed(2)} ms, ${processor.toFixed(2)} ms of CPU; ` +
      `${written.toFixed(1)} MB for all`,
  )
}

/** Adds finished jobs as the daemon does: first the job, then the outcomes of its parts. */
async function addJobs(store: Store): Promise<void> {
  await timed(`${jobs} jobs of ${partsPerJob} parts`, async () => {
    for (let done = 0; done < jobs; done += 1) {
      const clients = upTo(partsPerJob).map(at => part(address((done + at) % 5000), { state: 'sent' }))
      const id = await store.jobs.add(job({ name: `job ${done}` }), clients)
      await store.jobs.update(clients.map((_, index) => outcome(id, index)))
    }
  })
}

/** Adds finished parts with outputs of 4 kB; prints the memory that they need. */
async function addOutputs(store: Store, count: number): Promise<void> {
  const size = 4000
  const before = heap()
  const busy = process.cpuUsage()
  for (let done = 0; done < count; done += size) {
    await addJobWithOutputs(store, done, Math.min(size, count - done))
  }
  const { user, system } = process.cpuUsage(busy)
  const bytes = heap() - before
  console.log(
    `  ${count} outputs: heap ${(bytes / 2 ** 20).toFixed(1)} MB, ${(bytes / count).toFixed(0)} bytes for each part; ` +
      `${((user + system) / 1000).toFixed(0)} ms of CPU`,
  )
  const [last] = await store.jobs.list({ limit: 1 })
  await timed('a page of 500 outputs', () => store.jobs.parts(last?.id ?? 0, { limit: 500 }))
}

async function addJobWithOutputs(store: Store, first: number, count: number): Promise<void> {
  const parts = upTo(count).map(at => part(address(at), { state: 'sent' }))
  const id = await store.jobs.add(job(), parts)
  const updates = parts.map((_, at) => ({ ...outcome(id, at), output: `${first + at} `.padEnd(4095, 'abcdefgh') }))
  await timed(`${count} outcomes with outputs`, () => store.jobs.update(updates))
}

async function measureReads(store: Store): Promise<void> {
  await timed('newest 50', () => store.jobs.list({ limit: 50 }))
  await timed('newest 50 of a client', () => store.jobs.list({ client: address(7), limit: 50 }))
  await timed('jobs of an unknown client', () => store.jobs.list({ client: '10.9.9.9', limit: 50 }))
  await timed('jobs of an unknown command', () => store.jobs.list({ command: 'x', limit: 50 }))
  await timed('failures', () => store.jobs.list({ state: 'failure', limit: 50 }))
  await timed('unfinished', () => store.jobs.unfinished())
  await timed('a page of 100 parts', () => store.jobs.parts(1, { after: fan / 2, limit: 100 }))
  await timed('a client of the widest job', () => store.jobs.parts(1, { client: address(7), limit: 100 }))
  await timed('trim to half', () => store.jobs.trim({ before: 0, keep: jobs / 2 }))
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await work()
  console.log(`${what}: ${(performance.now() - began).toFixed(1)} ms`)
  return result
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

async function folderBytes(): Promise<number> {
  const names = await readdir(path)
  const sizes = await Promise.all(names.map(async name => (await stat(join(path, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
