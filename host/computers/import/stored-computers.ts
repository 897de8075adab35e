// The computers of the store as an update finds them: by hardware address, or else by address.
import type { Computer } from '../../../stores/store.ts'
import type { ImportedComputer } from './validate-rows.ts'

/** Addresses that a reason lists. */
const mostAddresses = 5

export class StoredComputers {
  readonly #byIp = new Map<string, Computer>()
  /** Callers may add several computers with one hardware address. */
  readonly #byMac = new Map<string, Computer[]>()
  readonly #ofRows = new Map<ImportedComputer, Computer>()
  /** The values of `#ofRows`. */
  readonly #assigned = new Set<Computer>()

  add(computer: Computer): void {
    this.#byIp.set(computer.ip, computer)
    const mac = computer.mac.toLowerCase()
    const others = this.#byMac.get(mac)
    if (others) others.push(computer)
    else this.#byMac.set(mac, [computer])
  }

  at(ip: string): Computer | undefined {
    return this.#byIp.get(ip)
  }

  /** Assigns the computer with its hardware address to the row. To be called for all rows before `find`. */
  assign(row: ImportedComputer): void {
    const computers = this.#withMacOf(row)
    const computer = computers.length === 1 ? computers[0] : computers.find(({ ip }) => ip === row.ip)
    if (!computer) return
    this.#ofRows.set(row, computer)
    this.#assigned.add(computer)
  }

  /** The row's computer, or the reason why it is not clear which one that is. */
  find(row: ImportedComputer): Computer | string | undefined {
    const assigned = this.#ofRows.get(row)
    if (assigned) return assigned
    const addrs = this.#withMacOf(row).map(({ ip }) => ip)
    if (addrs.length > 0) {
      return `mac: expected that of one computer, got that of ${addrs.slice(0, mostAddresses).join(', ')}`
    }
    const owner = this.at(row.ip)
    return owner && this.#assigned.has(owner) ? undefined : owner
  }

  /** The computer that keeps the row's address although it is another one than `before`. */
  otherAt(row: ImportedComputer, before: Computer | undefined): Computer | undefined {
    const owner = this.at(row.ip)
    // No two rows have one address, so an assigned computer gets another one.
    return owner && owner !== before && !this.#assigned.has(owner) ? owner : undefined
  }

  #withMacOf({ mac }: ImportedComputer): Computer[] {
    return this.#byMac.get(mac.toLowerCase()) ?? []
  }
}
