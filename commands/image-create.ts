// Creates an image of a partition of the listed clients.
import type { Command } from 'fleet-host'
import { preflightCreate } from './_create-preflight.ts'
import { toCreatedImage } from './_created-image.ts'
import { checkIdentity } from './_image-identity.ts'
import { checkOwner, ownerFor } from './_image-owner.ts'
import { writersOf } from './_image-writers.ts'
import { payload, reply } from './_schemas/image-create.ts'
import { compareIds } from './_sent-ids.ts'

export default {
  summary: 'Make an image of a partition',
  group: 'Disks and images',
  example: {
    clients: ['10.1.1.20'],
    disk: '1',
    partition: '2',
    code: '131',
    name: 'ubuntu',
    repository: '10.1.1.2',
    id: '0',
  },
  route: 'POST /image/create',
  imaging: true,
  payload,
  checkRights: ({ payload, rights, services }) => checkOwner(payload, rights, services),
  async accept({ payload, services, request }) {
    const { repository_id, ...rest } = payload
    const { name, description } = payload
    const mismatch = description ? undefined : await checkIdentity(payload, services.store.images.find, services)
    if (mismatch) return mismatch
    const { length } = writersOf(payload.clients, request, services)
    if (length > 1) return services.refuse(`clients: expected one client for image ${name}, got ${length}`)
    if (!services.repository.isValidName(name)) return services.refuse(`name: expected a file name, got ${name}`)
    const repository = payload.repository ?? (await services.images.addressOf(Number(repository_id)))
    if (repository === undefined) return services.refuse(`repository_id: there is no repository ${repository_id}`)
    if (!description) return { ...rest, repository }
    // The specification: the image is added, and its id replaces the caller's.
    const owner = await ownerFor(payload, request, services)
    const id = await services.images.reserve('image-create', { ...rest, description, repository, ...owner })
    if (id === undefined) return services.refuse(`name: image ${name} exists`)
    return { ...rest, repository, id: String(id) }
  },
  preflight: ({ payload, services }) => preflightCreate(payload, services),
  forward: {
    to: 'POST /image/create',
    createsImage: true,
    deadline: 6 * 3600,
    reply,
    checkReply: ({ reply, payload: { id, disk, partition }, services }) =>
      compareIds({ id, disk, partition }, reply, services),
    async onReply({ reply, payload, client, services }) {
      const id = (await services.store.images.find(payload.name))?.id ?? Number(payload.id)
      const { name, repository = '' } = payload
      const created = await services.imageFiles.created({ id, name, repository })
      if ('result' in created) return created
      return services.store.images.recordCreate(client.addr, { ...toCreatedImage(reply, services), id, ...created })
    },
  },
} satisfies Command<typeof payload, typeof reply>
