// A store adapter in memory that notes which of its methods were called.
import openMemory from '../../stores/memory/index.ts'
import type { OpenStore } from '../../stores/store.ts'

/** For the option `store.adapter`. */
export const recordingStoreFile = import.meta.filename

/** Names such as `inventory.refresh`, or `filesystems`, in the order of the calls. */
export const calledMethods: string[] = []

function recording<Target extends object>(target: Target, path: string): Target {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key)
      const name = `${path}${String(key)}`
      if (typeof member !== 'function') return member instanceof Object ? recording(member, `${name}.`) : member
      return (...args: unknown[]) => {
        calledMethods.push(name)
        return member.apply(target, args)
      }
    },
  })
}

const open: OpenStore = async (options, log, limits) => recording(await openMemory(options, log, limits), '')

export default open
