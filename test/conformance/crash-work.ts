// What one writer does again and again while it may be killed, and what must be seen of it afterwards.
import type { Store } from '../../stores/store.ts'
import { computer, image, made, report, row, software } from './samples.ts'
import { job, part, parts, success } from './work-samples.ts'

/** A writer's steps in one group of three computers; each step is one mutation, most touch several collections. */
const steps: ((store: Store, group: Group) => Promise<unknown>)[] = [
  (store, { ips, room }) => store.computers.add(ips.map(ip => computer(room, ip))),
  (store, { first }) =>
    store.inventory.refresh(first, { ...report(row(0), row(1, `system ${first}`)), serial_number: first }),
  (store, { first }) => store.inventory.setSoftware(first, 1, 1, list(first)),
  (store, { first }) => store.images.add(image(first)),
  async (store, { first }) => {
    const { id = 0 } = (await store.images.find(first)) ?? {}
    return store.images.recordCreate(first, made(id, list(`made ${first}`)))
  },
  (store, { ips }) => store.jobs.add(job(), [...ips.map(ip => part(ip, { state: 'sent' })), ...parts(perJob - 3)]),
  (store, { first }) => mark(store, first, [0, 1]),
  (store, { first }) => mark(store, first, rest),
  (store, { ips, number }) => (number % 2 ? store.scopes() : store.computers.delete(ips)),
]

/** More than one row holds when they have ended. */
const perJob = 140

const rest = Array.from({ length: perJob - 2 }, (_, at) => at + 2)

async function mark(store: Store, first: string, indexes: number[]): Promise<void> {
  const [job] = await store.jobs.list({ client: first, limit: 1 })
  await store.jobs.update(indexes.map(index => success(job?.id ?? 0, index, `output of ${first}`)))
}

interface Group {
  number: number
  room: number
  ips: string[]
  first: string
}

const shared = Array.from({ length: 30 }, (_, at) => `shared program ${at}`)

const list = (name: string) => software(`system of ${name}`, ...shared, `only ${name}`)

function groupOf(writer: number, step: number): Group {
  const number = Math.floor(step / steps.length)
  const ips = [1, 2, 3].map(at => `${writer}.${number}.${at}`)
  return { number, room: 1, ips, first: ips[0] ?? '' }
}

export async function takeStep(store: Store, writer: number, step: number): Promise<void> {
  await steps[step % steps.length]?.(store, groupOf(writer, step))
}

/** Whether the store shows of this writer exactly what its first `done` steps leave. */
export async function shows(store: Store, writer: number, done: number): Promise<boolean> {
  for (let step = 0; step < done + steps.length; step += steps.length) {
    const group = groupOf(writer, step)
    const expected = expect(group, done - group.number * steps.length)
    if (JSON.stringify(await observe(store, group)) !== JSON.stringify(expected)) return false
  }
  return true
}

async function observe(store: Store, { ips, first }: Group) {
  const found = await Promise.all(ips.map(ip => store.computers.find(ip)))
  const partitions = await store.inventory.partitions(first)
  const sessions = await store.inventory.sessions(first)
  const stored = await store.images.find(first)
  const [job] = await store.jobs.list({ client: first, limit: 1 })
  const ended = await store.jobs.parts(job?.id ?? 0, { limit: perJob })
  return {
    computers: found.filter(computer => computer).length,
    serial: found[0]?.serial_number ?? '',
    partitions: partitions.length,
    system: sessions[0]?.name ?? '',
    software: await store.inventory.software(first, 1, 1),
    datasize: stored?.datasize ?? -1,
    imaged: partitions.some(({ image, software }) => image === stored?.id && software === stored.software_id),
    parts: ended.length,
    ended: ended.filter(({ state, output }) => state === 'success' && output === `output of ${first}`).length,
    counted: job?.counts.success ?? 0,
  }
}

function expect({ number, first }: Group, done: number) {
  const there = done > 0 && (done < steps.length || number % 2 === 1)
  const told = there && done > 1
  const ended = done > 7 ? perJob : done > 6 ? 2 : 0
  const programs = done > 4 ? list(`made ${first}`).programs : done > 2 ? list(first).programs : []
  return {
    computers: there ? 3 : 0,
    serial: told ? first : '',
    partitions: told ? 2 : 0,
    system: told ? `system ${first}` : '',
    software: there ? programs : [],
    datasize: done > 4 ? made(0, list('')).datasize : done > 3 ? 0 : -1,
    imaged: there && done > 4,
    parts: done > 5 ? perJob : 0,
    ended,
    counted: ended,
  }
}
