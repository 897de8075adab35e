// The names and hardware addresses of records, for finding out whether a new computer is one that is known already.
import type { Computer } from '../../stores/store.ts'

type Identity = Pick<Computer, 'ip' | 'name' | 'mac'>

export class KnownComputers {
  /** Addresses by name and by hardware address. */
  readonly #names = new Map<string, string>()
  readonly #macs = new Map<string, string>()

  constructor(computers: readonly Identity[]) {
    for (const computer of computers) this.add(computer)
  }

  add({ ip, name, mac }: Identity): void {
    this.#names.set(name.toLowerCase(), ip)
    this.#macs.set(mac.toLowerCase(), ip)
  }

  /** Why a new computer cannot have these values; undefined when no other one has them. */
  conflictOf({ name, mac }: Identity): string | undefined {
    const sameMac = this.#macs.get(mac.toLowerCase())
    if (sameMac !== undefined) return `the hardware address ${mac} is that of ${sameMac}`
    const sameName = this.#names.get(name.toLowerCase())
    return sameName === undefined ? undefined : `the name ${name} is that of ${sameName}`
  }
}
