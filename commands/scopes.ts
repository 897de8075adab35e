// Reads the tree of centers, rooms and computers.
import type { Command } from 'fleet-host'
import { described, integer, list, result, text } from './_result-schemas.ts'

const node = result(
  {
    name: text,
    type: { enum: ['center', 'room', 'computer'] },
    id: integer,
    scope: list({ $ref: '#/definitions/node' }, 'rooms of a center, computers of a room'),
    ip: described(text, 'of computers'),
  },
  ['ip'],
)
const returns = { ...result({ scope: list({ $ref: '#/definitions/node' }, 'centers') }), definitions: { node } }

export default {
  summary: 'Read centers, rooms and computers',
  route: 'GET /scopes',
  returns,
  body: 'none',
  async answer({ services }) {
    return { scope: await services.store.scopes() }
  },
} satisfies Command
