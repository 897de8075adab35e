// Creates an image of a partition of the listed clients.
import type { Command, Request, Services } from 'fleet-host'
import { payload, reply } from './_schemas/image-create.ts'

/** The clients that would write the image's file: direct requests skip those that are busy or not connected. */
function writersOf(clients: string[], request: Request | undefined, { fleet }: Services): string[] {
  if (clients.length === 1 || !request || request.query.queue === '1') return clients
  const busy = new Set(fleet.running().map(({ addr }) => addr))
  return clients.filter(addr => fleet.has(addr) && !busy.has(addr))
}

/** The room of the computer where a limited caller makes a new image: it belongs to that. */
async function ownerFor([addr]: string[], request: Request | undefined, { store }: Services) {
  if (!request?.rights.isLimited || addr === undefined) return undefined
  const room_id = (await store.computers.find(addr))?.room
  return room_id === undefined ? undefined : { room_id }
}

export default {
  summary: 'Make an image of a partition',
  group: 'Disks and images',
  route: 'POST /image/create',
  assistants: false,
  imaging: 'write',
  payload,
  checkRights: ({ payload, rights, services }) => services.images.checkOwner(payload, rights),
  async accept({ payload, services, request }) {
    const { repository_id, ...rest } = payload
    const { name, description } = payload
    const { images, store, refuse } = services
    const mismatch = description ? undefined : await images.checkIdentity(payload, await store.images.find(name))
    if (mismatch) return mismatch
    const { length } = writersOf(payload.clients, request, services)
    if (length > 1) return refuse(`clients: expected one client for image ${name}, got ${length}`)
    if (!images.isValidName(name)) return refuse(`name: expected a file name, got ${name}`)
    const repository = payload.repository ?? (await images.addressOf(Number(repository_id)))
    if (repository === undefined) return refuse(`repository_id: there is no repository ${repository_id}`)
    if (!description) return { ...rest, repository }
    // The specification: the image is added, and its id replaces the caller's.
    const owner = await ownerFor(payload.clients, request, services)
    const id = await images.reserve('image-create', { ...rest, description, repository, ...owner })
    if (id === undefined) return refuse(`name: image ${name} exists`)
    return { ...rest, repository, id: String(id) }
  },
  preflight: ({ payload, services }) => services.preflight.create(payload),
  forward: {
    to: 'POST /image/create',
    deadline: 6 * 3600,
    reply,
    checkReply: ({ reply, payload: { id, disk, partition }, services }) =>
      services.inventory.compareIds({ id, disk, partition }, reply),
    async onReply({ reply, payload, client, services }) {
      const id = (await services.store.images.find(payload.name))?.id ?? Number(payload.id)
      const { name, repository = '' } = payload
      const created = await services.images.created({ id, name, repository })
      if ('result' in created) return created
      const { datasize, clonator, compressor, filesystem } = reply
      const image = { id, datasize, clonator, compressor, filesystem, ...created }
      const partition = { disk: Number(reply.disk), partition: Number(reply.partition) }
      const software = services.inventory.parseSoftware(reply.software)
      return services.store.images.recordCreate(client.addr, { ...image, ...partition, software })
    },
  },
} satisfies Command<typeof payload, typeof reply>
