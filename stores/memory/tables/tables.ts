// All tables of a store, with the indexes that the store's queries need.
import { toFilesystemRow } from '../../rules/filesystem-names.ts'
import { countUnfinished, noParts } from '../../rules/part-states.ts'
import type { ImageUse, PartCounts, ScopeNode } from '../../store.ts'
import { segmentOf } from '../outputs.ts'
import { createCache, groupIndex, type Index, ReferenceCounts } from './indexes.ts'
import { createModuleTables } from './module-tables.ts'
import { forEachReference, forEachState } from './part-columns.ts'
import { jobIdOf } from './part-ids.ts'
import { forEachStringId } from './profile-lists.ts'
import type { PartChunk, PartRow, Profile, Rows, TableName } from './row-types.ts'
import { Table } from './table.ts'

type AllTables = { readonly [Name in TableName]: Table<Rows[Name]> }

export type Tables = ReturnType<typeof createTables>

/** The tables of a new store. */
export function createTables() {
  const references = createReferences()
  const roomsOfCenter = groupIndex<Rows['rooms']>(room => room.center)
  const computersOfRoom = groupIndex<Rows['computers']>(computer => computer.room)
  const scopes = createCache<readonly ScopeNode[]>()
  const imageUses = createCache<readonly ImageUse[]>()
  const partCounter = new PartCounter()
  const modules = createModuleTables()
  const strings = references.strings.index<Profile>((profile, refer) => forEachStringId(profile.list, refer))
  const all: AllTables = {
    centers: new Table(center => center.name, [scopes.clear]),
    rooms: new Table(room => `${room.center} ${room.name}`, [roomsOfCenter.update, scopes.clear]),
    repositories: new Table(repository => repository.name, [], references.repositories),
    groups: new Table(group => group.name, [scopes.clear]),
    computers: new Table(
      computer => computer.ip,
      [
        computersOfRoom.update,
        (before, after) => isSameNode(before, after) || scopes.clear(),
        references.hardware.index((computer, refer) => refer(computer.hardware_id)),
        references.repositories.index((computer, refer) => refer(computer.repo_id)),
      ],
    ),
    partitions: new Table(undefined, [
      (before, after) => hasSameImages(before, after) || imageUses.clear(),
      references.software.index(({ rows }, refer) => {
        for (const { software } of rows) refer(software)
      }),
      references.systems.index(({ rows }, refer) => {
        for (const { os } of rows) refer(os)
      }),
      references.filesystems.index(({ rows }, refer) => {
        for (const { filesystem } of rows) refer(toFilesystemRow(filesystem))
      }),
    ]),
    images: new Table(
      image => image.name,
      [
        imageUses.clear,
        references.software.index((image, refer) => refer(image.software_id)),
        references.repositories.index((image, refer) => refer(image.repo_id)),
      ],
    ),
    hardware: new Table(profile => profile.list, [strings], references.hardware),
    software: new Table(profile => profile.list, [strings], references.software),
    strings: new Table(string => string.name, [], references.strings),
    systems: new Table(system => system.name, [], references.systems),
    filesystems: new Table(filesystem => filesystem.name, [], references.filesystems),
    procedures: new Table(procedure => `${procedure.center} ${procedure.name}`),
    tasks: new Table(task => `${task.center} ${task.name}`),
    errands: new Table(),
    schedules: new Table(),
    jobs: new Table(),
    parts: new Table(undefined, [
      partCounter.update,
      references.outputs.index((row, refer) => forEachReference(row, output => refer(segmentOf(output)))),
    ]),
    tokens: new Table(token => token.name),
    users: new Table(user => user.name),
    undos: new Table(),
    ...modules.all,
  }
  all.repositories.put({ id: 1, name: 'default', ip: '' })
  const indexes = { roomsOfCenter, computersOfRoom, scopes, imageUses, partCounter, ...modules.indexes }
  return { all, ...indexes, references }
}

const createReferences = () => ({
  repositories: new ReferenceCounts(),
  hardware: new ReferenceCounts(),
  software: new ReferenceCounts(),
  strings: new ReferenceCounts(),
  systems: new ReferenceCounts(),
  filesystems: new ReferenceCounts(),
  /** Of segments of outputs, not of rows. */
  outputs: new ReferenceCounts(),
})

/** Tables whose rows exist only while others name them, each before those that its rows name. */
export const internedTables = ['software', 'hardware', 'strings', 'systems', 'filesystems'] as const

/** After a load or a rollback all interned rows that exist are in use: nothing is to be deleted. */
export function resetUnreferenced({ references }: Tables): void {
  for (const name of internedTables) references[name].unreferenced.clear()
}

/** Most refreshes find the images that were there before. */
function hasSameImages(before: Rows['partitions'] | undefined, after: Rows['partitions'] | undefined): boolean {
  const images = (row: Rows['partitions'] | undefined) => row?.rows.map(({ image }) => image).join() ?? ''
  return images(before) === images(after)
}

/** Most changes of a computer (inventory, boot mode) leave the tree of scopes as it is, and what else it stands for. */
function isSameNode(before: Rows['computers'] | undefined, after: Rows['computers'] | undefined): boolean {
  const isSame = before?.name === after?.name && before?.ip === after?.ip && before?.room === after?.room
  return isSame && before?.tags?.join() === after?.tags?.join()
}

class PartCounter {
  /** Ids of jobs with parts in state queued or sent. */
  readonly unfinished = new Set<number>()
  readonly #jobs = new Map<number, { counts: PartCounts; total: number }>()

  readonly update: Index<PartRow | PartChunk> = (before, after) => {
    if (after) this.#add(after, 1)
    if (before) this.#add(before, -1)
  }

  countsOf(job: number): PartCounts {
    return { ...(this.#jobs.get(job)?.counts ?? noParts()) }
  }

  totalOf(job: number): number {
    return this.#jobs.get(job)?.total ?? 0
  }

  #add(row: PartRow | PartChunk, difference: 1 | -1): void {
    const id = jobIdOf(row)
    const job = this.#jobs.get(id) ?? { counts: noParts(), total: 0 }
    const { counts } = job
    forEachState(row, state => {
      counts[state] += difference
      job.total += difference
    })
    if (countUnfinished(counts) > 0) this.unfinished.add(id)
    else this.unfinished.delete(id)
    if (job.total > 0) this.#jobs.set(id, job)
    else this.#jobs.delete(id)
  }
}
