// Adds an image repository.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['name', 'ip'],
  properties: { name: { type: 'string', minLength: 1 }, ip: { $ref: 'ipv4' } },
} as const

export default {
  summary: 'Add a repository',
  example: { name: 'second', ip: '10.1.1.3' },
  route: 'POST /repository/add',
  payload,
  async answer({ name, ip }, { store, refuse }) {
    if ((await store.repositories.add({ name, ip })) === undefined) return refuse(`name: repository ${name} exists`)
  },
} satisfies Command<typeof payload>
