// Centers, their rooms, and repositories, with the tree of scopes.
import type { Computer, ScopeNode, Store } from '../store.ts'
import { removeComputer } from './computers.ts'
import { removeProceduresAndTasks } from './procedures.ts'
import type { StoreContext } from './tables/store-context.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

export function centers(context: StoreContext): Pick<Store, 'scopes' | 'centers' | 'rooms' | 'repositories'> {
  const { tables, mutate } = context
  const { all, indexes } = tables
  return {
    async scopes() {
      return tables.scopes.read(() => buildTree(tables))
    },

    centers: {
      add: ({ name, comment }) =>
        mutate(transaction => {
          if (indexes.centerName.id(name) !== undefined) return undefined
          const id = all.centers.nextId()
          transaction.put('centers', { id, name, comment })
          return id
        }),
      update: ({ id, name, comment }) =>
        mutate(transaction => {
          const center = all.centers.get(id)
          if (!center) return 'unknown'
          if ((indexes.centerName.id(name ?? center.name) ?? id) !== id) return 'name taken'
          transaction.put('centers', { id, name: name ?? center.name, comment: comment ?? center.comment })
          return 'updated'
        }),
      delete: id =>
        mutate(transaction => {
          if (!all.centers.get(id)) return undefined
          const deleted = indexes.roomsOfCenter.ids(id).flatMap(room => removeRoom(tables, transaction, room))
          removeProceduresAndTasks(tables, transaction, id)
          transaction.delete('centers', id)
          return deleted
        }),
    },

    rooms: rooms(context),
    repositories: repositories(context),
  }
}

function rooms({ tables, mutate }: StoreContext): Store['rooms'] {
  const { all, indexes } = tables
  return {
    add: ({ center, name, netmask, location, gateway, ntp, dns, group, remote }) =>
      mutate(transaction => {
        if (!all.centers.get(center)) return 'unknown center'
        if (indexes.roomName.id(`${center} ${name}`) !== undefined) return 'name taken'
        const id = all.rooms.nextId()
        transaction.put('rooms', { id, center, name, netmask, location, gateway, ntp, dns, group, remote })
        return id
      }),
    async find(id) {
      const room = all.rooms.get(id)
      return room && { ...room }
    },
    async list() {
      return all.rooms.sorted().map(room => ({ ...room }))
    },
    update: ({ id, center, name, netmask, location, gateway, ntp, dns, group, remote }) =>
      mutate(transaction => {
        if (!all.rooms.get(id)) return 'unknown'
        if (!all.centers.get(center)) return 'unknown center'
        const owner = indexes.roomName.id(`${center} ${name}`)
        if (owner !== undefined && owner !== id) return 'name taken'
        transaction.put('rooms', { id, center, name, netmask, location, gateway, ntp, dns, group, remote })
        return 'updated'
      }),
    delete: id => mutate(transaction => (all.rooms.get(id) ? removeRoom(tables, transaction, id) : undefined)),
  }
}

function repositories({ tables, mutate }: StoreContext): Store['repositories'] {
  const { all, indexes, references } = tables
  return {
    async list() {
      return all.repositories.sorted().map(repository => ({ ...repository }))
    },
    add: ({ name, ip, slots }) =>
      mutate(transaction => {
        if (indexes.repositoryName.id(name) !== undefined) return undefined
        const id = all.repositories.nextId()
        transaction.put('repositories', { id, name, ip, ...(slots && { slots }) })
        return id
      }),
    update: ({ id, ...change }) =>
      mutate(transaction => {
        const before = all.repositories.get(id)
        if (!before) return 'unknown'
        const { name = before.name, ip = before.ip, slots = before.slots } = change
        if ((indexes.repositoryName.id(name) ?? id) !== id) return 'name taken'
        transaction.put('repositories', { id, name, ip, ...(slots && { slots }) })
        return 'updated'
      }),
    delete: id =>
      mutate(transaction => {
        if (!all.repositories.get(id)) return 'unknown'
        if (id === 1 || references.repositories.has(id)) return 'in use'
        transaction.delete('repositories', id)
        return 'deleted'
      }),
  }
}

/** Removes the room's computers too, and returns them. */
function removeRoom(tables: Tables, transaction: Transaction, id: number): Computer[] {
  const computers = tables.indexes.computersOfRoom.ids(id)
  const deleted = computers.flatMap(computer => removeComputer(tables, transaction, computer))
  transaction.delete('rooms', id)
  return deleted
}

const noNodes: readonly [] = Object.freeze([])

/** Frozen at every level, because many readers share it. */
function buildTree({ all, indexes }: Tables): readonly ScopeNode[] {
  const freeze = (nodes: ScopeNode[]) => Object.freeze(nodes.map(node => Object.freeze(node)))
  const computers = (room: number) =>
    indexes.computersOfRoom.ids(room).flatMap((id): ScopeNode[] => {
      const computer = all.computers.get(id)
      return computer ? [{ name: computer.name, type: 'computer', id, scope: noNodes, ip: computer.ip }] : []
    })
  const rooms = (center: number) =>
    indexes.roomsOfCenter.ids(center).flatMap((id): ScopeNode[] => {
      const room = all.rooms.get(id)
      return room ? [{ name: room.name, type: 'room', id, scope: freeze(computers(id)) }] : []
    })
  return freeze(all.centers.sorted().map(({ id, name }) => ({ name, type: 'center', id, scope: freeze(rooms(id)) })))
}
