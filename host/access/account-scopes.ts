// Which room and groups each computer is in, and which center each room: what the limits of tokens and users are compared with.
import type { Account, ScopeNode, Store } from '../../stores/store.ts'
import type { Rights } from '../contract/services.ts'
import { grantedAddresses } from '../search/granting-groups.ts'
import type { SearchedStore } from '../search/resolve-groups.ts'

/** The part of a caller's rights that depends on rooms, centers and groups. */
export type ScopeRights = Pick<
  Rights,
  'isLimited' | 'hasClient' | 'hasRoom' | 'reachesRoom' | 'hasCenter' | 'reachesCenter'
>

interface Index {
  /** The room of each address. */
  rooms: Map<string, number>
  /** The center of each room. */
  centers: Map<number, number>
  /** The rooms of each center. */
  roomsOf: Map<number, number[]>
  groups: Map<number, GroupIndex>
}

/** The addresses of a group, and their rooms. */
interface GroupIndex {
  clients: ReadonlySet<string>
  rooms: ReadonlySet<number>
}

type Tree = readonly ScopeNode[]

const always = () => true

export const unlimited: ScopeRights = {
  isLimited: false,
  hasClient: always,
  hasRoom: always,
  reachesRoom: always,
  hasCenter: always,
  reachesCenter: always,
}

type ScopedStore = Pick<Store, 'scopes'> & SearchedStore

interface Reading {
  tree: Tree
  done: Promise<void>
}

export class AccountScopes {
  readonly #store: ScopedStore
  /** The tree that `#index` was made of: the store returns the same one until something changes. */
  #tree: Tree | undefined
  #index: Index = indexOf([])
  /** The ids of groups that accounts are limited to. */
  readonly #groups = new Set<number>()
  #reading: Reading | undefined

  constructor(store: ScopedStore) {
    this.#store = store
  }

  /**
   * Reads the store: to be awaited before limited rights are asked. While it cannot be read the limits stay as they were:
   * lists that are in memory and events go on, and whatever changes something fails at the store itself.
   */
  async refresh(): Promise<void> {
    const tree = await this.#store.scopes().catch(() => this.#tree)
    if (tree === undefined || tree === this.#tree) return
    if (this.#reading?.tree !== tree) {
      const reading: Reading = { tree, done: Promise.resolve() }
      this.#reading = reading
      reading.done = this.#read(reading)
    }
    await this.#reading.done
  }

  /** The groups are at least as new as the tree. */
  async #read(reading: Reading): Promise<void> {
    const granted = await grantedAddresses(this.#groups, this.#store).catch(() => undefined)
    // Another one has begun since then.
    if (this.#reading !== reading) return this.#reading?.done
    this.#reading = undefined
    if (!granted) return
    this.#tree = reading.tree
    this.#index = indexOf(reading.tree, granted)
  }

  /**
   * The rights of an account, which stay right when a room is added or a computer moves: they ask what `refresh` has
   * read. Without centers, rooms and groups it is not limited. The ids of deleted ones grant nothing.
   */
  scopeOf = ({ centers, rooms, groups = [] }: Pick<Account, 'centers' | 'rooms' | 'groups'>): ScopeRights => {
    if (centers.length + rooms.length + groups.length === 0) return unlimited
    this.#addGroups(groups)
    const isInGroup = (is: (group: GroupIndex) => boolean) =>
      groups.some(id => {
        const group = this.#index.groups.get(id)
        return group !== undefined && is(group)
      })
    const ownCenters = new Set(centers)
    const ownRooms = new Set(rooms)
    const hasRoom = (id: number) => {
      const center = this.#index.centers.get(id)
      return center !== undefined && (ownRooms.has(id) || ownCenters.has(center))
    }
    const reachesRoom = (id: number) => hasRoom(id) || isInGroup(({ rooms }) => rooms.has(id))
    return {
      isLimited: true,
      hasRoom,
      hasClient: addr => {
        const room = this.#index.rooms.get(addr)
        return room !== undefined && (hasRoom(room) || isInGroup(({ clients }) => clients.has(addr)))
      },
      reachesRoom,
      hasCenter: id => {
        const roomsOf = this.#index.roomsOf.get(id)
        if (!roomsOf) return false
        return ownCenters.has(id) || (roomsOf.length > 0 && roomsOf.every(hasRoom))
      },
      reachesCenter: id => {
        const roomsOf = this.#index.roomsOf.get(id)
        return roomsOf !== undefined && (ownCenters.has(id) || roomsOf.some(reachesRoom))
      },
    }
  }

  /** The next `refresh` reads them, whatever has changed. */
  #addGroups(groups: readonly number[]): void {
    if (groups.every(id => this.#groups.has(id))) return
    for (const id of groups) this.#groups.add(id)
    this.#tree = undefined
    this.#reading = undefined
  }
}

function indexOf(tree: Tree, granted: ReadonlyMap<number, ReadonlySet<string>> = new Map()): Index {
  const index: Index = { rooms: new Map(), centers: new Map(), roomsOf: new Map(), groups: new Map() }
  for (const center of tree) {
    index.roomsOf.set(
      center.id,
      center.scope.map(({ id }) => id),
    )
    for (const room of center.scope) {
      index.centers.set(room.id, center.id)
      for (const computer of room.scope) if ('ip' in computer) index.rooms.set(computer.ip, room.id)
    }
  }
  for (const [id, clients] of granted) {
    const rooms = new Set<number>()
    for (const addr of clients) {
      const room = index.rooms.get(addr)
      if (room !== undefined) rooms.add(room)
    }
    index.groups.set(id, { clients, rooms })
  }
  return index
}
