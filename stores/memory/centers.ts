// Centers, their rooms, repositories and groups, with the tree of scopes.
import { buildScopes } from '../rules/scope-nodes.ts'
import type { Computer, New, Room, ScopeNode, Store } from '../store.ts'
import { removeComputer } from './computers.ts'
import { removeProceduresAndTasks } from './procedures.ts'
import { recordTable } from './record-table.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

export function centers(
  context: StoreContext,
): Pick<Store, 'scopes' | 'centers' | 'rooms' | 'repositories' | 'groups'> {
  const { tables, mutate } = context
  const centers = recordTable(tables, 'centers')
  return {
    async scopes() {
      return tables.scopes.read(() => buildTree(tables))
    },

    centers: {
      add: center => mutate(transaction => (centers.isTaken(center) ? undefined : centers.add(transaction, center))),
      update: ({ id, ...change }) =>
        mutate(transaction => {
          if (!centers.find(id)) return 'unknown'
          return centers.isTaken(change, id) ? 'name taken' : centers.change(transaction, id, change)
        }),
      delete: id =>
        mutate(transaction => {
          if (!centers.find(id)) return undefined
          const deleted = tables.roomsOfCenter.ids(id).flatMap(room => removeRoom(tables, transaction, room))
          removeProceduresAndTasks(tables, transaction, id)
          transaction.delete('centers', id)
          return deleted
        }),
    },

    rooms: rooms(context),
    repositories: repositories(context),
    groups: groups(context),
  }
}

function rooms({ tables, mutate }: StoreContext): Store['rooms'] {
  const rooms = recordTable(tables, 'rooms')
  const findConflict = (room: Partial<New<Room>>, id?: number) => {
    if (room.center !== undefined && !tables.all.centers.get(room.center)) return 'unknown center'
    return rooms.isTaken(room, id) ? 'name taken' : undefined
  }
  return {
    add: room => mutate(transaction => findConflict(room) ?? rooms.add(transaction, room)),
    find: async id => rooms.find(id),
    list: async () => rooms.list(),
    update: ({ id, ...change }) =>
      mutate(transaction => {
        if (!rooms.find(id)) return 'unknown'
        return findConflict(change, id) ?? rooms.change(transaction, id, change)
      }),
    delete: id => mutate(transaction => (rooms.find(id) ? removeRoom(tables, transaction, id) : undefined)),
  }
}

function repositories({ tables, mutate }: StoreContext): Store['repositories'] {
  const repositories = recordTable(tables, 'repositories')
  return {
    list: async () => repositories.list(),
    add: repository =>
      mutate(transaction => (repositories.isTaken(repository) ? undefined : repositories.add(transaction, repository))),
    update: ({ id, ...change }) =>
      mutate(transaction => {
        if (!repositories.find(id)) return 'unknown'
        return repositories.isTaken(change, id) ? 'name taken' : repositories.change(transaction, id, change)
      }),
    delete: id =>
      mutate(transaction => {
        if (!repositories.find(id)) return 'unknown'
        if (id === 1 || tables.references.repositories.has(id)) return 'in use'
        transaction.delete('repositories', id)
        return 'deleted'
      }),
  }
}

function groups({ tables, mutate }: StoreContext): Store['groups'] {
  const groups = recordTable(tables, 'groups')
  return {
    list: async () => groups.list(),
    add: group => mutate(transaction => (groups.isTaken(group) ? undefined : groups.add(transaction, group))),
    update: group =>
      mutate(transaction => {
        if (!groups.find(group.id)) return 'unknown'
        return groups.isTaken(group, group.id) ? 'name taken' : groups.put(transaction, group)
      }),
    delete: id =>
      mutate(transaction => {
        const group = groups.find(id)
        if (group) transaction.delete('groups', id)
        return group
      }),
  }
}

/** Removes the room's computers too, and returns them. */
function removeRoom(tables: Tables, transaction: Transaction, id: number): Computer[] {
  const computers = tables.computersOfRoom.ids(id)
  const deleted = computers.flatMap(computer => removeComputer(tables, transaction, computer))
  transaction.delete('rooms', id)
  return deleted
}

const buildTree = ({ all, computersOfRoom, roomsOfCenter }: Tables): readonly ScopeNode[] =>
  buildScopes(all.centers.sorted(), {
    rooms: center => roomsOfCenter.ids(center).flatMap(id => all.rooms.get(id) ?? []),
    computers: room => computersOfRoom.ids(room).flatMap(id => all.computers.get(id) ?? []),
  })
