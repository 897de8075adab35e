// All tables of a store, with the indexes that the domain's questions need.
import type { ScopeNode } from '../../store.ts'
import { Counts, grouped, kept, unique } from './indexes.ts'
import { Tally } from './part-counts.ts'
import { type Profile, type Rows, type TableName, unpack } from './row-types.ts'
import { Table } from './table.ts'

export type AllTables = { readonly [Name in TableName]: Table<Rows[Name]> }

export type Tables = ReturnType<typeof createTables>

/** Tables as a new store has them. */
export function createTables() {
  const uses = { repositories: new Counts(), hardware: new Counts(), software: new Counts(), strings: new Counts() }
  const scopes = kept<readonly ScopeNode[]>()
  const tally = new Tally()
  const by = {
    centerName: unique<Rows['centers']>(center => center.name),
    roomName: unique<Rows['rooms']>(room => `${room.center} ${room.name}`),
    roomsOf: grouped<Rows['rooms']>(room => room.center),
    repositoryName: unique<Rows['repositories']>(repository => repository.name),
    address: unique<Rows['computers']>(computer => computer.ip),
    computersOf: grouped<Rows['computers']>(computer => computer.room),
    imageName: unique<Rows['images']>(image => image.name),
    hardware: unique<Profile>(profile => profile.list),
    software: unique<Profile>(profile => profile.list),
    strings: unique<Rows['strings']>(string => string.name),
    systems: unique<Rows['systems']>(system => system.name),
    filesystems: unique<Rows['filesystems']>(filesystem => filesystem.name),
    procedures: unique<Rows['procedures']>(procedure => `${procedure.center} ${procedure.name}`),
    tasks: unique<Rows['tasks']>(task => `${task.center} ${task.name}`),
  }
  const strings = uses.strings.by<Profile>((profile, name) => unpack(profile.list, name))
  const all: AllTables = {
    centers: new Table([by.centerName.follow, scopes.forget]),
    rooms: new Table([by.roomName.follow, by.roomsOf.follow, scopes.forget]),
    repositories: new Table([by.repositoryName.follow], uses.repositories),
    computers: new Table([
      by.address.follow,
      by.computersOf.follow,
      (before, after) => sameNode(before, after) || scopes.forget(),
      uses.hardware.by((computer, name) => name(computer.hardware_id)),
      uses.repositories.by((computer, name) => name(computer.repo_id)),
    ]),
    partitions: new Table([
      uses.software.by(({ rows }, name) => {
        for (const { software } of rows) name(software)
      }),
    ]),
    images: new Table([
      by.imageName.follow,
      uses.software.by((image, name) => name(image.software_id)),
      uses.repositories.by((image, name) => name(image.repo_id)),
    ]),
    hardware: new Table([by.hardware.follow, strings], uses.hardware),
    software: new Table([by.software.follow, strings], uses.software),
    strings: new Table([by.strings.follow], uses.strings),
    // These two are few and callers keep their ids: they stay for good.
    systems: new Table([by.systems.follow]),
    filesystems: new Table([by.filesystems.follow]),
    procedures: new Table([by.procedures.follow]),
    tasks: new Table([by.tasks.follow]),
    errands: new Table([]),
    schedules: new Table([]),
    jobs: new Table([]),
    parts: new Table([tally.follow]),
  }
  all.repositories.put({ id: 1, name: 'default', ip: '' })
  return { all, by, scopes, tally, uses }
}

/** Rows that exist only while others name them, in the order in which they let go of each other. */
export const shared = ['software', 'hardware', 'strings'] as const

/** Forgets which shared rows lost their last user: after loading or taking back, all that exist are in use. */
export function settle({ uses }: Tables): void {
  for (const name of shared) uses[name].idle.clear()
}

/** Most changes of a computer (an inventory, a boot mode) leave the tree of scopes as it is. */
function sameNode(before: Rows['computers'] | undefined, after: Rows['computers'] | undefined): boolean {
  return before?.name === after?.name && before?.ip === after?.ip && before?.room === after?.room
}
