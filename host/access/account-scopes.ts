// Which room each computer is in and which center each room: what the limits of tokens and users are compared with.
import type { Account, ScopeNode, Store } from '../../stores/store.ts'
import type { Rights } from '../contract/services.ts'

/** The part of a caller's rights that depends on rooms and centers. */
export type ScopeRights = Pick<Rights, 'isLimited' | 'hasClient' | 'hasRoom' | 'hasCenter' | 'reachesCenter'>

interface Index {
  /** The room of each address. */
  rooms: Map<string, number>
  /** The center of each room. */
  centers: Map<number, number>
  /** The rooms of each center. */
  roomsOf: Map<number, number[]>
}

type Tree = readonly ScopeNode[]

const always = () => true

export const unlimited: ScopeRights = {
  isLimited: false,
  hasClient: always,
  hasRoom: always,
  hasCenter: always,
  reachesCenter: always,
}

export class AccountScopes {
  readonly #store: Pick<Store, 'scopes'>
  /** The tree that `#index` was made of: the store returns the same one until something changes. */
  #tree: Tree = []
  #index: Index = indexOf([])

  constructor(store: Pick<Store, 'scopes'>) {
    this.#store = store
  }

  /**
   * Reads the store: to be awaited before limited rights are asked. While it cannot be read the limits stay as they were:
   * lists that are in memory and events go on, and whatever changes something fails at the store itself.
   */
  async refresh(): Promise<void> {
    const tree = await this.#store.scopes().catch(() => this.#tree)
    if (tree === this.#tree) return
    this.#tree = tree
    this.#index = indexOf(tree)
  }

  /**
   * The rights of an account, which stay right when a room is added or a computer moves: they ask what `refresh` has
   * read. Without centers and rooms it is not limited. The ids of deleted centers and rooms grant nothing.
   */
  scopeOf = ({ centers, rooms }: Pick<Account, 'centers' | 'rooms'>): ScopeRights => {
    if (centers.length + rooms.length === 0) return unlimited
    const ownCenters = new Set(centers)
    const ownRooms = new Set(rooms)
    const hasRoom = (id: number) => {
      const center = this.#index.centers.get(id)
      return center !== undefined && (ownRooms.has(id) || ownCenters.has(center))
    }
    return {
      isLimited: true,
      hasRoom,
      hasClient: addr => {
        const room = this.#index.rooms.get(addr)
        return room !== undefined && hasRoom(room)
      },
      hasCenter: id => {
        const roomsOf = this.#index.roomsOf.get(id)
        if (!roomsOf) return false
        return ownCenters.has(id) || (roomsOf.length > 0 && roomsOf.every(hasRoom))
      },
      reachesCenter: id => {
        const roomsOf = this.#index.roomsOf.get(id)
        return roomsOf !== undefined && (ownCenters.has(id) || roomsOf.some(hasRoom))
      },
    }
  }
}

function indexOf(tree: Tree): Index {
  const index: Index = { rooms: new Map(), centers: new Map(), roomsOf: new Map() }
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
  return index
}
