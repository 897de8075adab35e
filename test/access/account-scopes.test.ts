// Which computers, rooms and centers an account may use, and how this follows changes of the store.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { AccountScopes } from '../../host/access/account-scopes.ts'
import type { ScopeNode } from '../../stores/store.ts'

const computer = (id: number): ScopeNode => ({ name: `pc-${id}`, type: 'computer', id, scope: [], ip: `10.0.0.${id}` })
const room = (id: number, ...computers: number[]): ScopeNode => ({
  name: `Room ${id}`,
  type: 'room',
  id,
  scope: computers.map(computer),
})
const center = (id: number, ...scope: ScopeNode[]): ScopeNode => ({ name: `Center ${id}`, type: 'center', id, scope })

/** Center 1 has rooms 1 and 2, center 2 has room 3, center 3 is empty. */
const before = [center(1, room(1, 1, 2), room(2, 3)), center(2, room(3, 4)), center(3)]

async function open(tree: readonly ScopeNode[]) {
  const none = { groups: { list: async () => [] }, computers: { search: async () => [] } }
  const store = { tree, scopes: async () => store.tree, ...none }
  const scopes = new AccountScopes(store)
  await scopes.refresh()
  return { store, scopes }
}

/** The ids that an account has. */
function idsOf(rights: ReturnType<AccountScopes['scopeOf']>) {
  const ids = [1, 2, 3, 4, 5]
  return {
    clients: ids.filter(id => rights.hasClient(`10.0.0.${id}`)),
    rooms: ids.filter(rights.hasRoom),
    centers: ids.filter(rights.hasCenter),
    reached: ids.filter(rights.reachesCenter),
  }
}

const test = suite('scopes of accounts')

test('while the store cannot be read the limits stay as they were', async () => {
  const { store, scopes } = await open(before)
  store.scopes = () => Promise.reject(new Error('the server is gone'))
  await scopes.refresh()
  equal(idsOf(scopes.scopeOf({ centers: [], rooms: [1] })).clients, [1, 2])
})

test('an account without centers and rooms is not limited', async () => {
  const { scopes } = await open(before)
  const rights = scopes.scopeOf({ centers: [], rooms: [] })
  is(rights.isLimited, false)
  is(rights.hasClient('10.9.9.9'), true)
})

test('a room grants its computers and reaches its center; a center grants all its rooms', async () => {
  const { scopes } = await open(before)
  const forRoom = scopes.scopeOf({ centers: [], rooms: [1] })
  is(forRoom.isLimited, true)
  equal(idsOf(forRoom), { clients: [1, 2], rooms: [1], centers: [], reached: [1] })
  const forCenter = scopes.scopeOf({ centers: [1, 3], rooms: [] })
  equal(idsOf(forCenter), { clients: [1, 2, 3], rooms: [1, 2], centers: [1, 3], reached: [1, 3] })
  const forBoth = scopes.scopeOf({ centers: [2], rooms: [2] })
  equal(idsOf(forBoth), { clients: [3, 4], rooms: [2, 3], centers: [2], reached: [1, 2] })
})

test('all rooms of a center grant the center, of an empty center none does', async () => {
  const { scopes } = await open(before)
  equal(idsOf(scopes.scopeOf({ centers: [], rooms: [1, 2] })).centers, [1])
})

test('ids of centers and rooms that do not exist grant nothing, and an account with only these is limited', async () => {
  const { scopes } = await open(before)
  const rights = scopes.scopeOf({ centers: [9], rooms: [8] })
  is(rights.isLimited, true)
  equal(idsOf(rights), { clients: [], rooms: [], centers: [], reached: [] })
  is(rights.hasRoom(8), false)
  is(rights.hasCenter(9), false)
  is(rights.hasClient('10.9.9.9'), false)
})

test('rights follow computers that move, rooms that are added, and centers that are deleted', async () => {
  const { store, scopes } = await open(before)
  const forRoom = scopes.scopeOf({ centers: [], rooms: [1] })
  const forCenter = scopes.scopeOf({ centers: [1], rooms: [] })
  store.tree = [center(1, room(1, 2), room(2, 3), room(4, 5)), center(2, room(3, 4, 1))]
  equal(idsOf(forRoom).clients, [1, 2])
  await scopes.refresh()
  equal(idsOf(forRoom).clients, [2])
  equal(idsOf(forCenter), { clients: [2, 3, 5], rooms: [1, 2, 4], centers: [1], reached: [1] })
  store.tree = [center(2, room(3, 4, 1))]
  await scopes.refresh()
  equal(idsOf(forRoom).clients, [])
  equal(idsOf(forCenter), { clients: [], rooms: [], centers: [], reached: [] })
})

test.run()
