// What is measured of the adapter `postgres`.
import { setImmediate as endOfTick } from 'node:timers/promises'
import type { PartUpdate, Store } from '../../../../stores/store.ts'
import { job, part, success } from '../../../conformance/work-samples.ts'
import type { Round, StoreBench } from './rounds.ts'
import { address, computer, inventoryOf, random, write } from './store-fleet.ts'

type Inventory = ReturnType<typeof inventoryOf>

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

/** Does all calls, `callers` of them at a time. */
async function inTurns(callers: number, calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  let next = 0
  const caller = async () => {
    for (let call = calls[next++]; call; call = calls[next++]) await call()
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

export async function measureAll(bench: StoreBench): Promise<void> {
  for (const measure of [measureWrites, measureInventories, measureJob, measureReads, measureScopes]) {
    await measure(bench)
  }
}

async function measureWrites({ store, size, seconds, compare, report }: StoreBench): Promise<void> {
  for (const callers of [1, 8, 64]) {
    const next = random(callers)
    const calls = 200 * Math.min(callers, 8)
    const rounds: Round[] = []
    for (const until = performance.now() + 2000 * seconds; performance.now() < until; ) {
      const writes = upTo(calls).map(() => {
        const [index, what] = [Math.floor(next() * size), next()]
        return () => write(store, index, what)
      })
      rounds.push(await compare(callers, () => inTurns(callers, writes)))
    }
    report(callers === 1 ? 'writes, 1 caller' : `writes, ${callers} callers`, calls, rounds)
  }
}

/**
 * A thousand computers that are started together, for the first time and once more: each one sends its disks, then its
 * hardware and its software. A fifth of the lists are of one computer alone.
 */
async function measureInventories({ store, size, compare, report }: StoreBench): Promise<void> {
  const first: Round[] = []
  const again: Round[] = []
  for (const round of upTo(3)) {
    const indexes = upTo(1000).map(at => (round + 1) * 100_000 + size + at)
    // Texts as the daemon has them of a request.
    const inventories: Inventory[] = JSON.parse(JSON.stringify(indexes.map(inventoryOf)))
    await compare(1, () => store.computers.add(indexes.map(index => computer(1, index))))
    const all = () => Promise.all(inventories.map(each => boot(store, each)))
    first.push(await compare(1000, all))
    again.push(await compare(1000, all))
  }
  report('1,000 inventories of new computers', 1, first)
  report('the same inventories again', 1, again)
}

async function boot(store: Store, { ip, disks, items, windows }: Inventory): Promise<void> {
  await store.inventory.refresh(ip, disks)
  await store.inventory.setHardware(ip, items)
  await store.inventory.setSoftware(ip, 1, 2, windows)
}

/** The outcomes come some at a time, and those that come while others are written are written together. */
async function measureJob({ store, compare, report }: StoreBench): Promise<void> {
  const adds: Round[] = []
  const updates: Round[] = []
  for (let round = 0; round < 5; round += 1) {
    let id = 0
    const parts = upTo(4000).map(at => part(address(at), { state: 'sent' }))
    adds.push(
      await compare(1, async () => {
        id = await store.jobs.add(job(), parts)
      }),
    )
    const outcomes = upTo(4000).map(at => success(id, at))
    updates.push(await compare(1, () => arrive(outcomes, 40, list => store.jobs.update(list))))
  }
  report('a job of 4,000 parts', 1, adds)
  report('its 4,000 outcomes', 1, updates)
}

/** Hands over `count` updates in each tick of the event loop. */
async function arrive(
  updates: readonly PartUpdate[],
  count: number,
  store: (updates: PartUpdate[]) => Promise<unknown>,
): Promise<void> {
  let waiting: PartUpdate[] = []
  let writing: Promise<void> | undefined
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const list = waiting
      waiting = []
      await store(list)
    }
    writing = undefined
  }
  for (let from = 0; from < updates.length; from += count) {
    waiting.push(...updates.slice(from, from + count))
    writing ??= writeAll()
    await endOfTick()
  }
  await writing
}

async function measureReads({ store, size, seconds, compare, report }: StoreBench): Promise<void> {
  const next = random(1)
  for (const callers of [1, 64]) {
    const rounds: Round[] = []
    for (const until = performance.now() + 1000 * seconds; performance.now() < until; ) {
      const finds = upTo(1000).map(() => {
        const ip = address(Math.floor(next() * size))
        return () => store.computers.find(ip)
      })
      // What is asked for in one tick is one statement, and these callers ask together again when it has responded.
      rounds.push(await compare(1, () => inTurns(callers, finds)))
    }
    report(callers === 1 ? 'computers.find, 1 caller' : `computers.find, ${callers} callers`, 1000, rounds)
  }
}

async function measureScopes({ store, compare, report }: StoreBench): Promise<void> {
  await store.scopes()
  const scopes = () => store.scopes()
  const fiveHundred = upTo(500).map(() => scopes)
  const unchanged: Round[] = []
  const changed: Round[] = []
  for (let round = 0; round < 10; round += 1) {
    unchanged.push(await compare(1, () => inTurns(8, fiveHundred)))
    await compare(1, () => store.computers.update([address(0)], { name: `pc ${round}` }))
    changed.push(await compare(1, scopes))
  }
  report('scopes unchanged, 8 callers', 500, unchanged)
  report('scopes after a change', 1, changed)
}
