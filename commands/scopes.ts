// Reads the tree of centers, rooms and computers.
import type { CommandOf, Frozen, Rights, ScopeNode } from 'fleet-host'
import { described, integer, list, object, text } from './_schemas/objects.ts'

const node = object({
  name: text,
  type: { enum: ['center', 'room', 'computer'] },
  id: integer,
  scope: list({ $ref: '#/definitions/node' }, 'rooms of a center, computers of a room'),
  'ip?': described(text, 'of computers'),
})

const computer = { name: 'pc-20', type: 'computer', id: 20, scope: [], ip: '10.1.1.20' }
const room = { name: 'Room 1', type: 'room', id: 1, scope: [computer] }
const example = { scope: [{ name: 'Science faculty', type: 'center', id: 1, scope: [room] }] }

/** The centers and rooms that a limited caller reaches, with its own computers. */
const treeWithin = (centers: Frozen<ScopeNode[]>, rights: Rights) =>
  centers
    .filter(({ id }) => rights.reachesCenter(id))
    .map(center => ({
      ...center,
      scope: center.scope.filter(({ id }) => rights.reachesRoom(id)).map(room => roomWithin(room, rights)),
    }))

const roomWithin = (room: Frozen<ScopeNode>, { hasRoom, hasClient }: Rights) =>
  hasRoom(room.id) ? room : { ...room, scope: room.scope.filter(node => 'ip' in node && hasClient(node.ip)) }

const returns = {
  ...object({ scope: list({ $ref: '#/definitions/node' }, 'centers') }),
  definitions: { node },
  examples: [example],
} as const

export default {
  summary: 'Read centers, rooms and computers',
  group: 'Centers, rooms and computers',
  route: 'GET /scopes',
  http: { prefix: true },
  returns,
  scoped: true,
  body: 'none',
  async answer({ services, request: { rights } }) {
    const scope = await services.store.scopes()
    return { scope: rights.isLimited ? treeWithin(scope, rights) : scope }
  },
} satisfies CommandOf<{ returns: typeof returns }>
