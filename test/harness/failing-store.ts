// A store adapter in memory whose methods reject when a test wants it, as they do on a full disk.
import openMemory from '../../stores/memory/index.ts'
import type { OpenStore, Store } from '../../stores/store.ts'

/** For the option `store.adapter`. */
export const failingStoreFile = import.meta.filename

/** Names such as `inventory.refresh`, or `filesystems`, of the methods that reject. */
export const failingMethods = new Set<string>()

export const diskFull = 'ENOSPC: no space left on device, write'

function failing<Target extends object>(target: Target, path: string): Target {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key)
      const name = `${path}${String(key)}`
      if (typeof member !== 'function') return member instanceof Object ? failing(member, `${name}.`) : member
      return (...args: unknown[]) =>
        failingMethods.has(name) ? Promise.reject(new Error(diskFull)) : member.apply(target, args)
    },
  })
}

export async function openFailingStore(): Promise<Store> {
  const log = { info() {}, warn() {} }
  return failing(await openMemory({ adapter: 'memory', path: '/nowhere' }, log), '')
}

const open: OpenStore = () => openFailingStore()

export default open
