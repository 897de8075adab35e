// Planned restores: an image for the computers of rooms, and others, at a time of the day or at once.
import type { Frozen, ScopeNode } from '../../../stores/store.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type {
  Content,
  ImagesService,
  NewRestore,
  PartitionContents,
  PlansService,
  Refusal,
  RestoreTarget,
  Rights,
  Services,
} from '../../contract/services.ts'
import { groupContents, replaced, whyNotPlanned } from '../preflight/overwrite.ts'
import { plannedName } from './planned-name.ts'
import {
  addRecords,
  deleteRecords,
  findEarlier,
  listRecords,
  type RecordDeps,
  warnOfEarlier,
} from './restore-records.ts'

type PlannedRestoresDeps = Pick<Services, 'fleet' | 'sessions' | 'images' | 'preflight'> & RecordDeps

export function createPlannedRestores(deps: PlannedRestoresDeps): PlansService {
  return {
    async add(command, restore, request) {
      const { image, at, dry_run, wake, when_idle, until, batch, then, then_after = 'success' } = restore
      const target = await findTarget(command, restore, request.rights, deps)
      if (isRefusal(target)) return target
      const { params, rooms, clients, step } = target
      const now = new Date()
      const starts = at === undefined ? now : timeOn(restore.on, at, now)
      if (isRefusal(starts)) return starts
      const meant = { ...params, starts, clients }
      const planned = at === undefined ? [] : await findEarlier(command, meant, request, deps)
      const same = planned.find(plan => plan.image === image && Date.parse(plan.starts) === starts.getTime())
      if (same)
        return refuse(`at: it is planned already: schedule ${same.schedule}, for ${same.computers} of these computers`)
      const contents = await deps.preflight.contents({ ...params, clients })
      const refusal = restore.overwrite || dry_run ? undefined : whyNotPlanned(params, contents)
      if (refusal !== undefined) return refuse(refusal)
      const preview = {
        image,
        repository: params.repository,
        starts: starts.toISOString(),
        ...(until && { until: nextTimeOfDay(until, starts).toISOString() }),
        disk: params.disk,
        partition: params.partition,
        ...(planned.length > 0 && { planned }),
        ...previewContents(clients, contents),
        ...previewRooms(rooms, await reasonsNow({ ...params, clients, overwrite: undefined }, when_idle, deps), deps),
      }
      if (dry_run) return preview
      const options = { wake, when_idle, until, batch, then, ...(then && { then_after }) }
      const center = rooms[0]?.center_id ?? 0
      const record = { name: plannedName(image, starts), center, clients, step, options }
      const added = await addRecords(record, at === undefined ? undefined : starts, request, deps)
      if (isRefusal(added)) return added
      const { task, id } = added
      if (at === undefined) request.job(id)
      return { ...preview, task, ...(at !== undefined && { schedule: id }) }
    },
    warn: (command, schedule, request) => warnOfEarlier(command, schedule, request, deps),
    list: (command, caller) => listRecords(command, caller, deps),
    remove: (command, id, caller) => deleteRecords(command, id, caller, deps),
  }
}

/** The first time after `now` when clocks show `text`, such as `22:00`, in local time of the daemon. */
export function nextTimeOfDay(text: string, now: Date): Date {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  const time = new Date(now)
  time.setHours(hours, minutes, 0, 0)
  if (time <= now) time.setDate(time.getDate() + 1)
  return time
}

/** The time of that day; without one the next such time. */
function timeOn(day: string | undefined, at: string, now: Date): Date | Refusal {
  if (day === undefined) return nextTimeOfDay(at, now)
  const time = new Date(`${day}T${at}`)
  // A 31st of February would be a day of March.
  const isDay = time > now && time.getDate() === Number(day.slice(-2))
  return isDay ? time : refuse(`on: expected a day on which ${at} is to come, got ${day}`)
}

async function findTarget(command: string, restore: NewRestore, rights: Rights, deps: PlannedRestoresDeps) {
  const rooms = findRooms(await deps.store.scopes(), restore, rights)
  if (isRefusal(rooms)) return rooms
  const params = await paramsOf(restore, deps.images)
  if (isRefusal(params)) return params
  const steps = deps.jobs.checkSteps([{ command, params }])
  if (isRefusal(steps)) return steps
  const clients = rooms.flatMap(room => room.clients.map(({ ip }) => ip))
  if (clients.length === 0) return refuse('rooms: expected at least one computer, got none')
  return { rooms, clients, params, step: steps[0] ?? { command, params } }
}

/** The payload of the restore, without clients. Without disk and partition, those that the image was made of. */
async function paramsOf({ image: name, type = 'UNICAST', overwrite, ...restore }: NewRestore, images: ImagesService) {
  const image = await images.find(name)
  const repository = image && (await images.addressOf(image.repo_id))
  if (!image || repository === undefined) return refuse(`image: there is no image ${name}`)
  const { disk = image.disk?.toString(), partition = image.partition?.toString() } = restore
  if (disk === undefined || partition === undefined)
    return refuse(`disk: expected disk and partition, as it is not known where image ${name} was made`)
  const ids = { profile: String(image.software_id), id: String(image.id) }
  // Computers may get another system until it starts.
  return { disk, partition, name, repository, type, ...ids, ...(!overwrite && { overwrite: false }) }
}

/** Why computers would get nothing. With `when_idle`, somebody who is logged in is no reason: the restore waits. */
async function reasonsNow(
  target: RestoreTarget,
  when_idle: boolean | undefined,
  { store, preflight }: PlannedRestoresDeps,
): Promise<Map<string, string>> {
  const reasons = new Map(await preflight.restore(target, when_idle))
  for (const { ip, maintenance } of await store.computers.findMany(target.clients)) {
    if (maintenance) reasons.set(ip, 'maintenance')
  }
  return reasons
}

/** So that a response stays within its limit; the counts have all. */
const [mostRefused, mostGroups] = [200, 100]

/** Rooms with their computers that are meant: all, or those among the clients. */
function findRooms(
  centers: Frozen<ScopeNode[]>,
  { rooms: ids = [], clients = [] }: Pick<NewRestore, 'rooms' | 'clients'>,
  { hasRoom, hasClient, isLimited }: Rights,
) {
  const all = centers.flatMap(center => center.scope.map(room => ({ room, center })))
  const [whole, chosen] = [new Set(ids), new Set(clients)]
  const named = [...whole].map(id => (hasRoom(id) && all.find(({ room }) => room.id === id)) || id)
  const others = all.filter(({ room }) => !whole.has(room.id))
  const rooms = []
  for (const entry of [...named, ...others]) {
    if (typeof entry === 'number') return refuse(`rooms: there is no room ${entry}`, isLimited ? 403 : 400)
    const { id, name, scope } = entry.room
    const isMeant = ({ ip }: { ip: string }) => whole.has(id) || (chosen.has(ip) && hasClient(ip))
    const members = scope.flatMap(node => ('ip' in node && isMeant(node) ? [{ ip: node.ip, name: node.name }] : []))
    for (const { ip } of members) chosen.delete(ip)
    const { name: center, id: center_id } = entry.center
    if (whole.has(id) || members.length > 0) rooms.push({ id, name, center, center_id, clients: members })
  }
  const [unknown] = chosen
  return unknown === undefined ? rooms : refuse(`clients: there is no computer ${unknown}`, isLimited ? 403 : 400)
}

type RoomTargets = Exclude<ReturnType<typeof findRooms>, Refusal>

/** Counts by room; `reasons`: why computers get nothing, by address. */
function previewRooms(
  rooms: RoomTargets,
  reasons: ReadonlyMap<string, string>,
  { fleet, sessions }: Pick<Services, 'fleet' | 'sessions'>,
) {
  const inUse = new Set(sessions.list().map(({ client }) => client))
  const refused = rooms.flatMap(({ name: room, clients }) =>
    clients.flatMap(({ ip: client, name }) => {
      const reason = reasons.get(client)
      return reason === undefined ? [] : [{ client, name, room, reason }]
    }),
  )
  return {
    computers: rooms.reduce((sum, { clients }) => sum + clients.length, 0),
    rooms: rooms.map(({ id, name, center, clients }) => ({
      id,
      name,
      center,
      computers: clients.length,
      off: clients.filter(({ ip }) => !fleet.has(ip)).length,
      in_use: clients.filter(({ ip }) => inUse.has(ip)).length,
      refused: clients.filter(({ ip }) => reasons.has(ip)).length,
    })),
    refused: refused.slice(0, mostRefused),
  }
}

function previewContents(clients: readonly string[], contents: PartitionContents) {
  const unknown: Content = { system: '', filesystem: '', another_system: false }
  return {
    system: contents.system,
    content: groupContents(clients.map(client => contents.byClient.get(client) ?? unknown)).slice(0, mostGroups),
    overwrites: replaced(contents).length,
  }
}
