// Planned restores: an image for the computers of rooms, at a time of the day or at once.
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type {
  ImagesService,
  NewRestore,
  PlansService,
  RestoreTarget,
  Rights,
  Services,
} from '../../contract/services.ts'
import { whyNotPlanned } from '../preflight/overwrite.ts'
import { minuteText, nextTimeOfDay } from './local-time.ts'
import { listEntries, listPlans } from './plan-list.ts'
import { createRecords } from './plan-records.ts'
import { findRooms, previewContents, previewRooms } from './preview.ts'

export type PlansDeps = Pick<Services, 'store' | 'fleet' | 'sessions' | 'images' | 'preflight' | 'jobs' | 'schedules'>

export function createPlans(deps: PlansDeps): PlansService {
  const records = createRecords(deps)
  return {
    async add(command, restore, request) {
      const { image, at, dry_run, wake, when_idle, until, batch, then, then_after = 'success' } = restore
      const target = await findTarget(command, restore, request.rights, deps)
      if (isRefusal(target)) return target
      const { params, rooms, clients, step } = target
      const now = new Date()
      const starts = at === undefined ? now : nextTimeOfDay(at, now)
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
        ...previewContents(clients, contents),
        ...previewRooms(rooms, await reasonsNow({ ...params, clients, overwrite: undefined }, when_idle, deps), deps),
      }
      if (dry_run) return preview
      const options = { wake, when_idle, until, batch, then, ...(then && { then_after }) }
      const record = {
        name: `${image} ${minuteText(starts)}`,
        center: rooms[0]?.center_id ?? 0,
        clients,
        step,
        options,
      }
      const added = await records.add(record, at === undefined ? undefined : starts, request)
      if (isRefusal(added)) return added
      const { task, id } = added
      if (at === undefined) request.job(id)
      return { ...preview, task, ...(at !== undefined && { schedule: id }) }
    },

    list: (command, caller) => listEntries(command, caller, deps),

    async remove(id, caller) {
      const found = (await listPlans(caller, deps)).find(({ schedule }) => schedule.id === id)
      if (!found) return refuse(`id: there is no planned restore ${id}`, caller.rights.isLimited ? 403 : 400)
      return records.remove(id, found.plan, caller)
    },
  }
}

async function findTarget(command: string, restore: NewRestore, rights: Rights, deps: PlansDeps) {
  const rooms = findRooms(await deps.store.scopes(), restore.rooms, rights)
  if (typeof rooms === 'number') return refuse(`rooms: there is no room ${rooms}`, rights.isLimited ? 403 : 400)
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
  { store, preflight }: PlansDeps,
): Promise<Map<string, string>> {
  const reasons = new Map(await preflight.restore(target, when_idle))
  for (const { ip, maintenance } of await store.computers.findMany(target.clients)) {
    if (maintenance) reasons.set(ip, 'maintenance')
  }
  return reasons
}
