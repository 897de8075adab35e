// Limits the audit records of refused requests: after the first ones of a minute, one more has the number of the others.
import type { AuditRecord } from '../contract/services.ts'
import type { Clock } from '../system/clock.ts'
import { Throttle } from '../system/throttle.ts'

/** Records within a minute of an address without right credentials. */
const unknownRecords = 5
/** Such addresses that have records of their own within a minute; those of all others are counted in one. */
const unknownAddresses = 100
/** Records within a minute of a caller with right credentials. */
const knownRecords = 600

const minute = 60_000 // ms
const others = 'other addresses'

export class RefusedRecords {
  readonly #clock: Clock
  readonly #write: (record: AuditRecord) => void
  /** Of the current minute. */
  readonly #throttle = new Throttle<AuditRecord>()
  #addresses = 0
  #cancelEnd = () => {}

  constructor(clock: Clock, write: (record: AuditRecord) => void) {
    this.#clock = clock
    this.#write = write
  }

  add(record: AuditRecord, isKnown: boolean): void {
    if (this.#throttle.isEmpty) this.#cancelEnd = this.#clock.after(minute, () => this.endMinute())
    const isAdmitted = isKnown ? this.#throttle.admits(record.who, record, knownRecords) : this.#admitsUnknown(record)
    if (isAdmitted) this.#write(record)
  }

  /** Writes the records that count. */
  endMinute(): void {
    this.#cancelEnd()
    this.#addresses = 0
    const time = new Date(this.#clock.now()).toISOString()
    for (const { key, last, omitted } of this.#throttle.end()) {
      const { who, route, status } = last
      const address = key === others ? '' : last.address
      this.#write({ time, who, address, route, status, clients: [], count: 0, more: omitted })
    }
  }

  #admitsUnknown(record: AuditRecord): boolean {
    // No name of a caller begins so.
    const key = `address ${record.address}`
    if (!this.#throttle.has(key)) {
      if (this.#addresses >= unknownAddresses) return this.#throttle.admits(others, record, 0)
      this.#addresses += 1
    }
    return this.#throttle.admits(key, record, unknownRecords)
  }
}
