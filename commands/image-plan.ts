// Plans the restore of an image in rooms: a task, and a schedule that runs it once; without `at` it runs at once.
import type { Command } from 'fleet-host'
import { contentPreview } from './_content-preview.ts'
import { minuteText, nextTimeOfDay } from './_once.ts'
import { whyNotPlanned } from './_overwrite-reasons.ts'
import { contentsOf } from './_partition-content.ts'
import { planPayload } from './_restore-fields.ts'
import { restoreParams } from './_restore-params.ts'
import { findRooms, previewOf } from './_restore-preview.ts'
import { reasonsNow } from './_restore-reasons.ts'
import { addPlan } from './_restore-records.ts'
import { planResult } from './_schemas/planned-restores.ts'

export default {
  summary: 'Plan the restore of an image in rooms',
  group: 'Disks and images',
  example: { image: 'ubuntu', rooms: [1], disk: '1', partition: '2', at: '22:00', until: '06:30', batch: 20 },
  route: 'POST /image/plan',
  returns: planResult,
  access: 'operate',
  scoped: true,
  destructive: true,
  previewKey: 'dry_run',
  payload: planPayload,
  async answer({ payload, services, request }) {
    const { image: name, at, overwrite, dry_run, wake, when_idle, until, batch, then, then_after = 'success' } = payload
    const rooms = findRooms(await services.store.scopes(), payload.rooms, request.rights)
    if (typeof rooms === 'number') {
      return services.refuse(`rooms: there is no room ${rooms}`, request.rights.isLimited ? 403 : 400)
    }
    const params = await restoreParams(payload, services)
    if (services.isRefusal(params)) return params
    const [step] = [services.jobs.checkSteps([{ command: 'image-restore', params }])].flat()
    if (!step || services.isRefusal(step)) return step
    const now = new Date()
    const starts = at === undefined ? now : nextTimeOfDay(at, now)
    const clients = rooms.flatMap(room => room.clients.map(({ ip }) => ip))
    if (clients.length === 0) return services.refuse('rooms: expected at least one computer, got none')
    const contents = await contentsOf({ ...params, clients }, services)
    const refusal = overwrite || dry_run ? undefined : whyNotPlanned(params, contents)
    if (refusal !== undefined) return services.refuse(refusal)
    const reasons = await reasonsNow(clients, { ...params, overwrite: undefined }, when_idle, services)
    const preview = {
      image: name,
      repository: params.repository,
      starts: starts.toISOString(),
      ...(until && { until: nextTimeOfDay(until, starts).toISOString() }),
      disk: params.disk,
      partition: params.partition,
      ...contentPreview(clients, contents),
      ...previewOf(rooms, reasons, services),
    }
    if (dry_run) return preview
    const options = { wake, when_idle, until, batch, then, ...(then && { then_after }) }
    const plan = { name: `${name} ${minuteText(starts)}`, center: rooms[0]?.center_id ?? 0, clients, step, options }
    const added = await addPlan(plan, at === undefined ? undefined : starts, services, request)
    return services.isRefusal(added) ? added : { ...preview, ...added }
  },
} satisfies Command<typeof planPayload>
