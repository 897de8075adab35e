// Limits the audit records of refused requests: after the first ones of a minute, one more has the number of the others.
import type { AuditRecord } from '../contract/services.ts'
import type { Clock } from '../system/clock.ts'

/** Records within a minute of an address without right credentials. */
const unknownRecords = 5
/** Such addresses that have records of their own within a minute; those of all others are counted in one. */
const unknownAddresses = 100
/** Records within a minute of a caller with right credentials. */
const knownRecords = 600

const minute = 60_000 // ms

interface Count {
  max: number
  count: number
  last: AuditRecord
}

export interface RefusedRecordsDeps {
  clock: Clock
  write(record: AuditRecord): void
}

export class RefusedRecords {
  readonly #deps: RefusedRecordsDeps
  /** Of the current minute. */
  readonly #counts = new Map<string, Count>()
  #addresses = 0
  #cancelEnd = () => {}

  constructor(deps: RefusedRecordsDeps) {
    this.#deps = deps
  }

  add(record: AuditRecord, isKnown: boolean): void {
    const { clock, write } = this.#deps
    if (this.#counts.size === 0) this.#cancelEnd = clock.after(minute, () => this.endMinute())
    const count = isKnown ? this.#countOf(record.who, record, knownRecords) : this.#countOfUnknown(record)
    count.count += 1
    if (count.count <= count.max) write(record)
    else count.last = record
  }

  /** Writes the records that count. */
  endMinute(): void {
    const { clock, write } = this.#deps
    this.#cancelEnd()
    const counts = [...this.#counts]
    this.#counts.clear()
    this.#addresses = 0
    const time = new Date(clock.now()).toISOString()
    for (const [key, { max, count, last }] of counts) {
      if (count <= max) continue
      const { who, route, status } = last
      const address = key === others ? '' : last.address
      write({ time, who, address, route, status, clients: [], count: 0, more: count - max })
    }
  }

  #countOfUnknown(record: AuditRecord): Count {
    // No name of a caller begins so.
    const key = `address ${record.address}`
    if (this.#counts.has(key)) return this.#countOf(key, record, unknownRecords)
    if (this.#addresses >= unknownAddresses) return this.#countOf(others, record, 0)
    this.#addresses += 1
    return this.#countOf(key, record, unknownRecords)
  }

  #countOf(key: string, record: AuditRecord, max: number): Count {
    let count = this.#counts.get(key)
    if (!count) {
      count = { max, count: 0, last: record }
      this.#counts.set(key, count)
    }
    return count
  }
}

const others = 'other addresses'
