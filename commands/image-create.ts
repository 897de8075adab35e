// Makes an image of a partition of the listed clients.
import type { Command } from 'fleet-host'

const text = { type: 'string' } as const
const id = { type: 'integer', minimum: 0 } as const
const digits = { $ref: 'id' } as const

const payload = {
  type: 'object',
  required: ['clients', 'disk', 'partition', 'name', 'id', 'code'],
  anyOf: [{ required: ['repository'] }, { required: ['repository_id'] }],
  properties: {
    ...{ clients: { $ref: 'clients' }, disk: text, partition: text, name: text, id: text, code: text },
    ...{ repository: text, repository_id: { type: ['integer', 'string'], pattern: '^[0-9]+$' } },
    ...{ description: text, group_id: id, center_id: id },
  },
} as const

const reply = {
  type: 'object',
  required: ['software', 'partition', 'disk', 'id', 'datasize', 'clonator', 'compressor', 'filesystem'],
  properties: {
    ...{ software: text, partition: digits, disk: digits, id: digits, code: text, name: text, repository: text },
    ...{ datasize: id, clonator: text, compressor: text, filesystem: text },
  },
} as const

export default {
  summary: 'Make an image of a partition',
  example: {
    ...{ clients: ['10.1.1.20'], disk: '1', partition: '2', code: '131' },
    ...{ name: 'ubuntu', repository: '10.1.1.2', id: '0' },
  },
  route: 'POST /image/create',
  payload,
  async accept(sent, { images, repository, refuse }) {
    const { repository_id, ...rest } = sent
    if (!repository.isValidName(sent.name)) return refuse(`name: not the name of an image file, got ${sent.name}`)
    const address = sent.repository ?? (await images.addressOf(Number(repository_id)))
    if (address === undefined) return refuse(`repository_id: there is no repository ${repository_id}`)
    const addressed = { ...rest, repository: address }
    if (!sent.description) return addressed
    const stored = await images.reserve('image-create', { ...addressed, description: sent.description })
    return stored === undefined ? refuse(`name: image ${sent.name} exists`) : { ...addressed, id: String(stored) }
  },
  forward: { to: 'POST /image/create', deadline: 6 * 3600 },
  reply,
  settle(made, { addr }, { store, inventory }) {
    const where = { id: Number(made.id), disk: Number(made.disk), partition: Number(made.partition) }
    return store.images.recordCreate(addr, { ...made, ...where, software: inventory.software(made.software) })
  },
} satisfies Command<typeof payload, typeof reply>
