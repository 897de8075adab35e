// A store adapter in memory whose methods reject when a test wants it, as they do on a full disk.
import openMemory from '../../stores/memory/index.ts'
import type { OpenStore, Store } from '../../stores/store.ts'

/** For the option `store.adapter`. */
export const failingStoreFile = import.meta.filename

/** Names such as `inventory.refresh`, or `filesystems`, of the methods that reject. */
export const failingMethods = new Set<string>()

/** Methods that reject although they have been done, as when the connection to a database ends before the answer. */
export const unansweredMethods = new Set<string>()

/** Methods that wait for these promises, as for a store that does not answer. */
export const heldMethods = new Map<string, Promise<void>>()

/** The one that was opened last, as it is where it does not fail. */
export const newestStore: { get(): Store } = {
  get() {
    throw new Error('expected an open store')
  },
}

export const diskFull = 'ENOSPC: no space left on device, write'

function failing<Target extends object>(target: Target, path: string): Target {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key)
      const name = `${path}${String(key)}`
      if (typeof member !== 'function') return member instanceof Object ? failing(member, `${name}.`) : member
      return (...args: unknown[]) => {
        if (failingMethods.has(name)) return Promise.reject(new Error(diskFull))
        const held = heldMethods.get(name)
        if (held) return held.then(() => member.apply(target, args))
        const result: unknown = member.apply(target, args)
        if (!unansweredMethods.has(name)) return result
        return Promise.resolve(result).then(() => Promise.reject(new Error('the connection has ended')))
      }
    },
  })
}

export async function openFailingStore(): Promise<Store> {
  const log = { info() {}, warn() {} }
  const store = await openMemory({ adapter: 'memory', path: '/nowhere' }, log)
  newestStore.get = () => store
  return failing(store, '')
}

const open: OpenStore = () => openFailingStore()

export default open
