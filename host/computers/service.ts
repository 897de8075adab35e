// The computers service of commands: adds, changes and imports records, and keeps their boot files in step.

import type { Computer, ComputerChange, ComputerValues, New, Repository, Room, Store } from '../../stores/store.ts'
import { type ComputerFiles, reasonOf } from '../boot/computer-files.ts'
import { refuse } from '../contract/refusal.ts'
import type { Changer, ComputersService, FleetService, NewComputer, Refusal } from '../contract/services.ts'
import { noteEdit } from '../store/note-edit.ts'
import type { Keep } from '../store/undo-bin.ts'
import { slices } from '../system/request-slices.ts'
import { type Adopt, refusalOf } from './adopt.ts'
import { changeTags } from './change-tags.ts'
import { csvHeader, csvRow } from './import/formats.ts'
import { createImport } from './import/import-text.ts'
import { readRecordNames } from './import/record-names.ts'
import { completeRecord, defaultBoot, macDigits } from './new-record.ts'
import { warnOfNetwork } from './outside-network.ts'

/** Of the parts of jobs that it cancels. */
export const deletedReason = 'computer deleted'

interface ComputersDeps {
  store: Store
  keep: Keep
  fleet: Pick<FleetService, 'clearOutput' | 'running'>
  computerFiles: ComputerFiles
  /** Cancels the queued work of clients. */
  cancelFor(clients: string[], reason: string): void
  adopt: Adopt
}

export function createComputers(deps: ComputersDeps): ComputersService {
  const { store, keep, fleet, computerFiles, cancelFor } = deps
  const { exclusive } = computerFiles
  async function forgetClients(computers: Computer[], reason: string): Promise<void> {
    const addrs = computers.map(({ ip }) => ip)
    cancelFor(addrs, reason)
    // What still runs goes on, and can be read.
    const running = new Set(fleet.running().map(({ addr }) => addr))
    await fleet.clearOutput(addrs.filter(addr => !running.has(addr)))
  }
  return {
    async add(computer, changer) {
      // Without boot files no lock is needed: records that are added at the same time share one write to the disk.
      const hasFiles = await computerFiles.isUsable(computer.boot ?? defaultBoot)
      const refusal = hasFiles ? await exclusive(() => add(deps, computer)) : await add(deps, computer)
      // What a script of a former computer of this address has printed is in its job.
      if (!refusal) await fleet.clearOutput([computer.ip])
      if (!refusal) await warnOfNetwork(store, [computer.ip], computer.room, changer)
      return refusal
    },
    async adopt(adoption, changer) {
      const refusal = refusalOf(await deps.adopt(adoption, 'all or none'))
      if (!refusal) await warnOfNetwork(store, adoption.clients, adoption.room, changer)
      return refusal
    },
    update: (ip, change, changer) => exclusive(() => update(deps, ip, change, changer)),
    arrange: places => exclusive(() => arrange(store, places)),
    tag: (clients, change, changer) =>
      exclusive(() => changeTags(store, clients, change, rows => keep(changer, bound => bound.computers.merge(rows)))),
    updateRoom: (id, change, changer) => exclusive(() => updateRoom(deps, id, change, changer)),
    updateRepository: (id, change, changer) => exclusive(() => updateRepository(deps, id, change, changer)),
    move: (clients, room, changer) => exclusive(() => move(deps, clients, room, changer)),
    async cleanUp(computers) {
      await forgetClients(computers, deletedReason)
      await exclusive(() => computerFiles.remove(computers))
    },
    import: createImport({ store, keep, fleet, computerFiles, forgetClients }),
    async export({ isLimited, hasClient }) {
      const [all, names] = [await store.computers.list(), await readRecordNames(store)]
      const rows = [csvHeader]
      await slices.forEach(all, computer => {
        if (!isLimited || hasClient(computer.ip)) rows.push(csvRow(names.list(computer)))
      })
      return rows.join('')
    },
  }
}

type RecordDeps = Pick<ComputersDeps, 'store' | 'computerFiles' | 'keep'>

const updateFor =
  (keep: Keep, changer: Changer | undefined): Store['computers']['update'] =>
  (ips, change) =>
    keep(changer, bound => bound.computers.update(ips, change))

async function add({ store, computerFiles }: RecordDeps, computer: NewComputer): Promise<Refusal | undefined> {
  const room = await store.rooms.find(computer.room)
  if (!room) return refuse(`room: there is no room ${computer.room}`)
  return computerFiles.add([completeRecord(computer, room)])
}

async function update(
  { store, computerFiles, keep }: RecordDeps,
  ip: string,
  change: ComputerValues,
  changer: Changer | undefined,
) {
  const before = await store.computers.find(ip)
  if (!before) return refuse(`ip: there is no computer ${ip}`)
  const { mac = before.mac } = change
  const changed = { ...change, mac: macDigits(mac) }
  const refusal = await computerFiles.change(ip, [before], changed, updateFor(keep, changer))
  if (!refusal && change.room !== undefined) await warnOfNetwork(store, [ip], change.room, changer)
  return refusal
}

async function arrange(store: Store, places: Parameters<ComputersService['arrange']>[0]) {
  const computers = await store.computers.findMany(places.map(({ client }) => client))
  const ids = new Map(computers.map(({ ip, id }) => [ip, id]))
  const rows: ComputerChange[] = []
  for (const { client, place } of places) {
    const id = ids.get(client)
    if (id === undefined) return refuse(`places: there is no computer ${client}`)
    rows.push({ id, place })
  }
  // A computer may have been deleted since, or be there twice.
  const { conflicts } = await store.computers.merge(rows)
  const [conflict] = conflicts
  return conflict && refuse(`places[${conflict.index}]: ${conflict.reason}`)
}

async function updateRoom(
  { store, computerFiles, keep }: RecordDeps,
  id: number,
  change: Partial<New<Room>>,
  changer: Changer | undefined,
) {
  const before = await store.rooms.find(id)
  if (!before) return refuse(`room: there is no room ${id}`)
  const room = { ...before, ...change }
  const save = async () => {
    const outcome = await keep(changer, bound => bound.rooms.update({ ...change, id }))
    if (outcome === 'unknown center') return `center: there is no center ${room.center}`
    return outcome === 'name taken' ? `name: room ${room.name} exists in this center` : reasonOf(`room ${id}`, outcome)
  }
  return computerFiles.saveWithFiles(await store.computers.list(id), save, { room })
}

async function updateRepository(
  { store, computerFiles }: RecordDeps,
  id: number,
  change: Partial<New<Repository>>,
  changer: Changer | undefined,
) {
  const before = (await store.repositories.list()).find(each => each.id === id)
  if (!before) return refuse(`repository: there is no repository ${id}`)
  const save = async () => {
    const outcome = await store.repositories.update({ ...change, id })
    return outcome === 'name taken' ? `name: repository ${change.name} exists` : reasonOf(`repository ${id}`, outcome)
  }
  const repository = { ...before, ip: change.ip ?? before.ip }
  // Only the address is in boot files.
  const computers = repository.ip === before.ip ? [] : await store.computers.list()
  const users = computers.filter(({ repo_id }) => repo_id === id)
  const refusal = await computerFiles.saveWithFiles(users, save, { repository })
  if (!refusal) await noteEdit(changer, { kind: 'repository', before, after: { ...before, ...change } }, store)
  return refusal
}

/** The seat on the map of the old room means nothing in the new one. */
async function move(
  { store, computerFiles, keep }: RecordDeps,
  ips: string[],
  room: number,
  changer: Changer | undefined,
) {
  const computers = await store.computers.findMany(ips)
  const known = new Set(computers.map(({ ip }) => ip))
  const unknown = ips.find(ip => !known.has(ip))
  if (unknown !== undefined) return refuse(`clients: there is no computer ${unknown}`)
  if (!(await store.rooms.find(room))) return refuse(`room: there is no room ${room}`)
  const moved = computers.filter(computer => computer.room !== room)
  if (moved.length === 0) return undefined
  const refusal = await computerFiles.change(`room ${room}`, moved, { room, place: null }, updateFor(keep, changer))
  const addrs = moved.map(({ ip }) => ip)
  if (!refusal) await warnOfNetwork(store, addrs, room, changer)
  return refusal
}
