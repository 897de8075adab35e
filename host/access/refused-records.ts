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

export interface RefusedRecordsDeps {
  clock: Clock
  write(record: AuditRecord): void
}

export class RefusedRecords {
  readonly #write: RefusedRecordsDeps['write']
  readonly #throttle: Throttle<AuditRecord>
  /** Those of the current minute that have records of their own. */
  #addresses = 0

  constructor({ clock, write }: RefusedRecordsDeps) {
    this.#write = write
    this.#throttle = new Throttle<AuditRecord>({
      milliseconds: minute,
      after: clock.after,
      ended: omitted => {
        this.#addresses = 0
        const time = new Date(clock.now()).toISOString()
        for (const { key, count: more, last } of omitted) {
          const { who, route, status } = last
          const address = key === others ? '' : last.address
          write({ time, who, address, route, status, clients: [], count: 0, more })
        }
      },
    })
  }

  add(record: AuditRecord, isKnown: boolean): void {
    const key = isKnown ? record.who : this.#keyOfUnknown(record)
    const max = isKnown ? knownRecords : key === others ? 0 : unknownRecords
    if (this.#throttle.passes(key, record, max)) this.#write(record)
  }

  /** Writes the records that count. */
  endMinute(): void {
    this.#throttle.end()
  }

  #keyOfUnknown({ address }: AuditRecord): string {
    // No name of a caller begins so.
    const key = `address ${address}`
    if (this.#throttle.has(key)) return key
    if (this.#addresses >= unknownAddresses) return others
    this.#addresses += 1
    return key
  }
}

const others = 'other addresses'
