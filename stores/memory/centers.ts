// Centers, their rooms, and repositories.

import { buildTree } from '../records/tree.ts'
import type { Computer, Store } from '../store.ts'
import { removeComputer } from './computers.ts'
import { removePlans } from './procedures.ts'
import type { Records } from './store.ts'
import type { Tables } from './tables/tables.ts'
import type { Edit } from './tables/transaction.ts'

export function sites({ tables, mutate }: Records): Pick<Store, 'scopes' | 'centers' | 'rooms' | 'repositories'> {
  const { all, by } = tables
  return {
    async scopes() {
      return tables.scopes.read(() => buildTree(tables))
    },

    centers: {
      add: ({ name, comment }) =>
        mutate(edit => {
          if (by.centerName.id(name) !== undefined) return undefined
          const id = all.centers.next()
          edit.put('centers', { id, name, comment })
          return id
        }),
      delete: id =>
        mutate(edit => {
          if (!all.centers.get(id)) return undefined
          const gone = by.roomsOf.ids(id).flatMap(room => removeRoom(tables, edit, room))
          removePlans(tables, edit, id)
          edit.delete('centers', id)
          return gone
        }),
    },

    rooms: {
      add: ({ center, name, netmask, location, gateway, ntp, dns, group, remote }) =>
        mutate(edit => {
          if (!all.centers.get(center)) return 'unknown center'
          if (by.roomName.id(`${center} ${name}`) !== undefined) return 'name taken'
          const id = all.rooms.next()
          edit.put('rooms', { id, center, name, netmask, location, gateway, ntp, dns, group, remote })
          return id
        }),
      async find(id) {
        const room = all.rooms.get(id)
        return room && { ...room }
      },
      update: ({ id, center, name, netmask, location, gateway, ntp, dns, group, remote }) =>
        mutate(edit => {
          if (!all.rooms.get(id)) return 'unknown'
          if (!all.centers.get(center)) return 'unknown center'
          const holder = by.roomName.id(`${center} ${name}`)
          if (holder !== undefined && holder !== id) return 'name taken'
          edit.put('rooms', { id, center, name, netmask, location, gateway, ntp, dns, group, remote })
          return 'updated'
        }),
      delete: id => mutate(edit => (all.rooms.get(id) ? removeRoom(tables, edit, id) : undefined)),
    },

    repositories: {
      async list() {
        return all.repositories.sorted().map(repository => ({ ...repository }))
      },
      add: ({ name, ip }) =>
        mutate(edit => {
          if (by.repositoryName.id(name) !== undefined) return undefined
          const id = all.repositories.next()
          edit.put('repositories', { id, name, ip })
          return id
        }),
      delete: id =>
        mutate(edit => {
          if (!all.repositories.get(id)) return 'unknown'
          if (id === 1 || tables.uses.repositories.used(id)) return 'in use'
          edit.delete('repositories', id)
          return 'deleted'
        }),
    },
  }
}

function removeRoom(tables: Tables, edit: Edit, id: number): Computer[] {
  const gone = tables.by.computersOf.ids(id).flatMap(computer => removeComputer(tables, edit, computer))
  edit.delete('rooms', id)
  return gone
}
