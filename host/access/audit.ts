// The audit log: one record for each write that was accepted or refused, and for each run of a schedule.
import type { AuditRecord, AuditService } from '../contract/services.ts'
import type { Clock } from '../system/clock.ts'
import { Throttle } from '../system/throttle.ts'
import { readAudit } from './audit-reader.ts'
import { AuditWriter, type AuditWriterDeps } from './audit-writer.ts'

export interface AuditDeps extends AuditWriterDeps {
  limits: { audit_months: number; response: number }
}

export type NewAuditRecord = Omit<AuditRecord, 'time'>

export interface Audit {
  service: AuditService
  /** `isKnown`: the caller had right credentials. */
  add(record: NewAuditRecord, isKnown: boolean): void
  /** Why the disk cannot be written at present. */
  problem(): string | undefined
  close(): Promise<void>
}

const refusedStatus = 400

export async function openAudit(deps: AuditDeps): Promise<Audit> {
  const { folder, clock, limits } = deps
  const writer = new AuditWriter(deps)
  const write = (record: AuditRecord) => writer.add(`${JSON.stringify(record)}\n`, record.time)
  const refused = new RefusedRecords(clock, write)
  await writer.start()
  return {
    service: {
      async read(query) {
        await writer.flush()
        return readAudit(query, { folder, now: clock.now(), maxBytes: limits.response })
      },
    },
    add(record, isKnown) {
      const { who, address, route, status, clients, count, name, job, undo, tried, reason, digest } = record
      const time = new Date(clock.now()).toISOString()
      // In the order in which lines have their keys: the reader expects the time first.
      const timed = { time, who, address, route, status, clients, count, name, job, undo, tried, reason, digest }
      if (status < refusedStatus) write(timed)
      else refused.add(timed, isKnown)
    },
    problem: () => writer.problem,
    async close() {
      refused.endMinute()
      await writer.close()
    },
  }
}

/** Records within a minute of an address without right credentials. */
const unknownRecords = 5
/** Such addresses that have records of their own within a minute; those of all others are counted in one. */
const unknownAddresses = 100
/** Records within a minute of a caller with right credentials. */
const knownRecords = 600

const minute = 60_000 // ms
const others = 'other addresses'

/** After the first records of a minute, one more has the number of the others. */
class RefusedRecords {
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
