// Says in which room the computers of jobs are, for lists.
import type { Frozen, ScopeNode, Store } from '../../stores/store.ts'
import type { JobEntry } from '../contract/services.ts'
import type { FoundJob } from './job-report.ts'

interface JobRoomReaderDeps {
  store: { jobs: Pick<Store['jobs'], 'parts'>; scopes: Store['scopes'] }
}

/** Of jobs with more parts the rooms are not read: they have many. */
const maxParts = 500

/** Jobs whose rooms are kept, as their clients do not change. */
const maxKept = 1000

interface RoomIndex {
  /** By the address of a computer. */
  ids: ReadonlyMap<string, number>
  names: ReadonlyMap<number, string>
}

export class JobRoomReader {
  readonly #store: JobRoomReaderDeps['store']
  /** Ids of rooms, of the job that was read first first. */
  readonly #kept = new Map<number, readonly number[]>()
  /** Of the scopes that were read last. */
  #rooms: { of?: Frozen<ScopeNode[]>; rooms: RoomIndex } = { rooms: { ids: new Map(), names: new Map() } }

  constructor({ store }: JobRoomReaderDeps) {
    this.#store = store
  }

  /** The name of the only one, else their number; neither of a job with more parts. */
  async of({ job: { id }, clients }: FoundJob): Promise<Pick<JobEntry, 'room' | 'rooms'>> {
    const { ids, names } = await this.#read()
    const rooms = (clients ? undefined : this.#kept.get(id)) ?? (await this.#roomsOf(id, ids, clients))
    if (!clients) this.#keep(id, rooms)
    const [first = 0, ...others] = rooms
    return others.length > 0 ? { rooms: rooms.length } : { room: names.get(first) }
  }

  async #roomsOf(id: number, ids: RoomIndex['ids'], clients: readonly string[] | undefined): Promise<number[]> {
    const page = { limit: maxParts + 1, outputs: false, ...(clients && { clients }) }
    const parts = await this.#store.jobs.parts(id, page)
    if (parts.length > maxParts) return []
    return [...new Set(parts.flatMap(({ client }) => ids.get(client) ?? []))]
  }

  #keep(id: number, rooms: readonly number[]): void {
    const [first] = this.#kept.keys()
    if (this.#kept.size >= maxKept && first !== undefined && !this.#kept.has(id)) this.#kept.delete(first)
    this.#kept.set(id, rooms)
  }

  async #read(): Promise<RoomIndex> {
    const scopes = await this.#store.scopes()
    if (this.#rooms.of !== scopes) this.#rooms = { of: scopes, rooms: roomsIn(scopes) }
    return this.#rooms.rooms
  }
}

function roomsIn(scopes: Frozen<ScopeNode[]>): RoomIndex {
  const rooms = scopes.flatMap(({ scope }) => scope)
  return {
    names: new Map(rooms.map(({ id, name }) => [id, name])),
    ids: new Map(
      rooms.flatMap(({ id, scope }) => scope.flatMap(node => ('ip' in node ? [[node.ip, id] as const] : []))),
    ),
  }
}
