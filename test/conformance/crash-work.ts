// The steps of a writer that may be killed at any moment, and the state that the store must show afterwards.
import type { Store } from '../../stores/store.ts'
import { computer, createdImage, image, report, row, software } from './samples.ts'
import { token } from './token-samples.ts'
import { job, part, parts, procedure, schedule, script, success } from './work-samples.ts'

/** A writer's steps for a group of three computers. Each is one mutation; most of them change several collections. */
const steps: ((store: Store, group: Group) => Promise<unknown>)[] = [
  (store, { ips, room }) => store.computers.add(ips.map(ip => computer(room, ip))),
  (store, { first }) =>
    store.inventory.refresh(first, { ...report(row(0), row(1, `system ${first}`)), serial_number: first }),
  (store, { first }) => store.inventory.setSoftware(first, 1, 1, list(first)),
  (store, { first }) =>
    store.storedEvents.recording(
      id => [{ type: 'image-added', image: id, name: first }],
      recording => recording.images.add(image(first)),
    ),
  async (store, { first }) => {
    const { id = 0 } = (await store.images.find(first)) ?? {}
    return store.images.recordCreate(first, createdImage(id, list(`created ${first}`)))
  },
  (store, { ips }) => store.jobs.add(job(), [...ips.map(ip => part(ip, { state: 'sent' })), ...parts(perJob - 3)]),
  (store, { first }) => finishParts(store, first, [0, 1]),
  (store, { first }) => finishParts(store, first, rest),
  (store, { first, room }) => store.tokens.add(token(first, { rooms: [room] })),
  async (store, { first }) => {
    const { id = 0 } = (await findToken(store, first)) ?? {}
    return store.tokens.setUsed([{ id, used: id }])
  },
  (store, { first }) =>
    store.schedules.addPlannedRestore({
      procedure: procedure(1, first, script),
      task: procedure(1, first),
      schedule: schedule({ name: first }),
    }),
  (store, { first }) => store.documents.put(documentOf(first), { version: 0, mostBytes: 1e9 }),
  (store, { ips, number }) => (number % 2 ? store.scopes() : store.computers.delete(ips)),
]

/** The types that the writers record. */
export const recordedTypes = ['image-added', 'job-finished']

const documentOf = (first: string) => ({ pack: 'crashes', collection: 'groups', key: first, value: `["${first}"]` })

const findToken = async (store: Store, name: string) => (await store.tokens.list()).find(token => token.name === name)

/** Parts per job: more than one chunk holds. */
const perJob = 140

/** Too long for the part's row. */
const outputOf = (first: string, index: number) => `output ${index} of ${first}, which lies outside of the row`

const rest = Array.from({ length: perJob - 2 }, (_, at) => at + 2)

async function finishParts(store: Store, first: string, indexes: number[]): Promise<void> {
  const [job] = await store.jobs.list({ client: first, limit: 1 })
  await store.jobs.update(indexes.map(index => success(job?.id ?? 0, index, outputOf(first, index))))
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

/** Whether the store contains exactly the result of the writer's first `done` steps. */
export async function shows(store: Store, writer: number, done: number): Promise<boolean> {
  for (let step = 0; step < done + steps.length; step += steps.length) {
    const group = groupOf(writer, step)
    const expected = expectedState(group, done - group.number * steps.length)
    if (JSON.stringify(await observe(store, group)) !== JSON.stringify(expected)) return false
  }
  return true
}

async function observe(store: Store, { ips, first }: Group) {
  const computers = await Promise.all(ips.map(ip => store.computers.find(ip)))
  const partitions = await store.inventory.partitions(first)
  const sessions = await store.inventory.sessions(first)
  const stored = await store.images.find(first)
  const [job] = await store.jobs.list({ client: first, limit: 1 })
  const ended = await store.jobs.parts(job?.id ?? 0, { limit: perJob })
  const added = await findToken(store, first)
  const document = await store.documents.find(documentOf(first))
  const events = (await store.storedEvents.read(0, 100_000)).map(({ event }) => JSON.stringify(event))
  const planned = [await store.procedures.list(), await store.tasks.list(), await store.schedules.list()]
  return {
    computers: computers.filter(computer => computer).length,
    serial: computers[0]?.serial_number ?? '',
    partitions: partitions.length,
    system: sessions[0]?.name ?? '',
    software: await store.inventory.software(first, 1, 1),
    datasize: stored?.datasize ?? -1,
    imaged: partitions.some(({ image, software }) => image === stored?.id && software === stored.software_id),
    parts: ended.length,
    ended: ended.filter(({ index, state, output }) => state === 'success' && output === outputOf(first, index)).length,
    counted: job?.counts.success ?? 0,
    limits: added?.rooms.length ?? 0,
    used: added !== undefined && added.used === added.id,
    document: document?.value ?? '',
    events: events.filter(event => event.includes(`"${first}"`)).length,
    planned: planned.flat().filter(({ name }) => name === first).length,
  }
}

function expectedState({ number, first }: Group, done: number) {
  const isAdded = done > 0 && (done < steps.length || number % 2 === 1)
  const isReported = isAdded && done > 1
  const ended = done > 7 ? perJob : done > 6 ? 2 : 0
  const programs = done > 4 ? list(`created ${first}`).programs : done > 2 ? list(first).programs : []
  return {
    computers: isAdded ? 3 : 0,
    serial: isReported ? first : '',
    partitions: isReported ? 2 : 0,
    system: isReported ? `system ${first}` : '',
    software: isAdded ? programs : [],
    datasize: done > 4 ? createdImage(0, list('')).datasize : done > 3 ? 0 : -1,
    imaged: isAdded && done > 4,
    parts: done > 5 ? perJob : 0,
    ended,
    counted: ended,
    limits: done > 8 ? 1 : 0,
    used: done > 9,
    document: done > 11 ? documentOf(first).value : '',
    // That of the image, and that of the job's end.
    events: done > 7 ? 2 : done > 3 ? 1 : 0,
    planned: done > 10 ? 3 : 0,
  }
}
