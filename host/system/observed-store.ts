// The store as the daemon uses it: what changes is told as events, and how its writes fare is known.
import type { Store } from '../../stores/store.ts'
import type { Events } from './events.ts'
import { message } from './log.ts'

export interface ObservedStore {
  store: Store
  /** Rejects when nothing can be written. */
  probe(): Promise<void>
}

/** `written` is told how many seconds each write took until it was acknowledged. */
export function observeStore(store: Store, events: Events, written: (seconds: number) => void): ObservedStore {
  let failure: string | undefined

  async function watch<Result>(write: Promise<Result>): Promise<Result> {
    const began = performance.now()
    try {
      const result = await write
      written((performance.now() - began) / 1000)
      failure = undefined
      return result
    } catch (error) {
      failure = message(error)
      throw error
    }
  }

  const groups = {
    ...sites(store, events, watch),
    ...plans(store, events, watch),
    jobs: over(store.jobs, {
      add: (job, parts) => watch(store.jobs.add(job, parts)),
      update: marks => watch(store.jobs.update(marks)),
    }),
  }
  return {
    store: over(store, groups),
    async probe() {
      // Of no schedule, so it changes nothing: an engine that has stopped writing refuses it all the same.
      await store.schedules.setSince(0, 0)
      if (failure === undefined) return
      // A full disk refuses only what needs room, so only a write that needs some tells whether there is room again.
      const [one] = await store.computers.list()
      if (!one) throw new Error(`the last write failed: ${failure}`)
      await watch(store.computers.update([one.ip], {}))
    },
  }
}

type Watch = <Result>(write: Promise<Result>) => Promise<Result>

/** The same object with some of it replaced. An adapter may be made of classes: what is theirs stays bound to them. */
function over<Group extends object>(group: Group, replaced: Partial<Group>): Group {
  const known = new Map<PropertyKey, unknown>(Object.entries(replaced))
  return new Proxy(group, {
    get(target, key) {
      const own = known.get(key)
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const bound = value.bind(target)
      known.set(key, bound)
      return bound
    },
  })
}

function sites(store: Store, events: Events, watch: Watch): Pick<Store, 'centers' | 'rooms' | 'computers'> {
  const removed = <Computers extends { ip: string; room: number }[] | undefined>(computers: Computers): Computers => {
    const addrs = (computers ?? []).map(({ ip }) => ip)
    if (addrs.length > 0) events.emit({ type: 'computer-removed', addrs, rooms: roomsOf(computers ?? []) })
    return computers
  }
  return {
    centers: over(store.centers, { delete: async id => removed(await watch(store.centers.delete(id))) }),
    rooms: over(store.rooms, { delete: async id => removed(await watch(store.rooms.delete(id))) }),
    computers: over(store.computers, {
      async add(computers) {
        const conflicts = await watch(store.computers.add(computers))
        const addrs = computers.map(({ ip }) => ip)
        if (conflicts.length === 0) events.emit({ type: 'computer-added', addrs, rooms: roomsOf(computers) })
        return conflicts
      },
      async update(addrs, change) {
        // Those who watch the room that a computer leaves are told too.
        const before = change.room === undefined ? [] : await Promise.all(addrs.map(ip => store.computers.find(ip)))
        const rooms = roomsOf(before.filter(one => one !== undefined))
        const outcome = await watch(store.computers.update(addrs, change))
        if (outcome === 'updated') events.emit({ type: 'computer-changed', addrs, rooms })
        return outcome
      },
      delete: async ips => removed(await watch(store.computers.delete(ips))),
    }),
  }
}

const roomsOf = (computers: { room: number }[]) => [...new Set(computers.map(({ room }) => room))]

function plans(store: Store, events: Events, watch: Watch): Pick<Store, 'images' | 'schedules'> {
  const { images, schedules } = store
  return {
    images: over(images, {
      async add(image) {
        const id = await watch(images.add(image))
        if (id !== undefined) events.emit({ type: 'image-added', image: id, name: image.name })
        return id
      },
      async delete(id) {
        const image = await watch(images.delete(id))
        if (image) events.emit({ type: 'image-removed', image: id, name: image.name })
        return image
      },
      async recordCreate(ip, made) {
        const stored = await watch(images.recordCreate(ip, made))
        events.emit({ type: 'image-changed', image: made.id })
        return stored
      },
    }),
    schedules: over(schedules, {
      async add(schedule) {
        const id = await watch(schedules.add(schedule))
        events.emit({ type: 'schedule-added', schedule: id, name: schedule.name })
        return id
      },
      async addScheduledCommand(errand, schedule) {
        const id = await watch(schedules.addScheduledCommand(errand, schedule))
        events.emit({ type: 'schedule-added', schedule: id, name: schedule.name })
        return id
      },
      async update(schedule) {
        const known = await watch(schedules.update(schedule))
        if (known) events.emit({ type: 'schedule-changed', schedule: schedule.id, name: schedule.name })
        return known
      },
      async delete(id) {
        const known = await watch(schedules.delete(id))
        if (known) events.emit({ type: 'schedule-removed', schedule: id })
        return known
      },
    }),
  }
}
