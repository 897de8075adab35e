// Moves the files of an image to the bin and deletes its record, or moves one older version there.
import type { Caller, Command, Services } from 'fleet-host'
import { idOf, strictObject } from './_schemas/objects.ts'

const payload = strictObject({
  image: idOf('image'),
  'version?': { $ref: 'id', description: 'deletes only the file of this older version' },
})

export default {
  summary: 'Delete an image',
  group: 'Disks and images',
  example: { image: '1' },
  route: 'POST /image/delete',
  confirm: 'ask',
  payload,
  async answer({ payload, services, request }) {
    const image = await services.store.images.findById(Number(payload.image))
    if (!image) return services.refuse(`image: there is no image ${payload.image}`)
    const version = payload.version === undefined ? undefined : Number(payload.version)
    const name = version === undefined ? image.name : `${image.name}.v${version}`
    const users = await findUsers(name, services, request)
    // Files first: a record without a file can be deleted again, a file without a record never.
    const refusal = await services.images.delete(image, version)
    if (refusal) return refusal
    if (users.length > 0) request.warn(`${name} is deleted, but to be restored by ${users.join(', ')}`)
    if (version === undefined) await services.undo.keep(request, store => store.images.delete(image.id))
  },
} satisfies Command<typeof payload>

/** Planned restores that are to come, and other procedures. */
async function findUsers(name: string, { store, schedules }: Services, caller: Caller): Promise<string[]> {
  const procedures = (await store.procedures.list()).filter(({ steps }) =>
    steps.some(step => 'command' in step && step.command === 'image-restore' && step.params.name === name),
  )
  if (procedures.length === 0) return []
  const schedulesOf = new Map((await schedules.list(caller)).map(schedule => [schedule.plan?.procedure, schedule]))
  const words = procedures.map(async ({ id, name, planned }) => {
    const schedule = schedulesOf.get(id)
    if (!schedule) return planned ? [] : [`procedure ${name} (procedure ${id})`]
    const next = await schedules.next(schedule.id, 1, caller)
    return Array.isArray(next) && next.length > 0 ? [`schedule ${schedule.name} (schedule ${schedule.id})`] : []
  })
  return (await Promise.all(words)).flat()
}
