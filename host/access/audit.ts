// The audit log: one record for each write that was accepted or refused, and for each run of a schedule.
import type { Store } from '../../stores/store.ts'
import type { AuditRecord, AuditService } from '../contract/services.ts'
import { message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { Throttle } from '../system/throttle.ts'
import { readAudit } from './audit-reader.ts'
import { AuditWriter, type AuditWriterDeps } from './audit-writer.ts'

export interface AuditDeps extends AuditWriterDeps {
  limits: { audit_months: number; response: number }
  store: { computers: Pick<Store['computers'], 'findMany'> }
  events: Pick<Events, 'emit' | 'on'>
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
  const { folder, clock, limits, events } = deps
  const writer = new AuditWriter(deps)
  let last = Promise.resolve()
  const writeNext = async (record: AuditRecord) => {
    const names = record.status < refusedStatus ? await namesOf(record.clients, deps) : undefined
    writer.add(`${JSON.stringify({ ...record, names })}\n`, record.time)
  }
  const write = (record: AuditRecord) => {
    last = last.then(() => writeNext(record))
  }
  let cancelEvent: (() => void) | undefined
  const refused = new RefusedRecords(clock, record => {
    write(record)
    cancelEvent ??= clock.after(gatherTime, () => {
      cancelEvent = undefined
      events.emit({ type: 'write-refused' })
    })
  })
  const unsubscribe = events.on(
    (event, isRelayed) => {
      if (isRelayed && event.type === 'change-undone') write(ofOtherHost(event, clock))
    },
    ['change-undone'],
  )
  await writer.start()
  return {
    service: {
      async read(query) {
        await last
        await writer.flush()
        return readAudit(query, { folder, now: clock.now(), maxBytes: limits.response })
      },
    },
    add(record, isKnown) {
      // The reader expects the time first.
      const timed = { time: new Date(clock.now()).toISOString(), ...record }
      if (record.status < refusedStatus) write(timed)
      else refused.add(timed, isKnown)
    },
    problem: () => writer.problem,
    async close() {
      unsubscribe()
      cancelEvent?.()
      refused.endMinute()
      await last
      await writer.close()
    },
  }
}

/** Milliseconds in which refused records are gathered: readers look once for all. */
const gatherTime = 500

/** What this host has a record of may be taken back on another one. */
const ofOtherHost = (
  { change, who, what: name }: FleetEvent & { type: 'change-undone' },
  clock: Clock,
): AuditRecord => ({
  ...{ time: new Date(clock.now()).toISOString(), who, address: '', route: 'POST /undo', status: 200 },
  ...{ clients: [], count: 0, name, undoes: change },
})

/** Undefined where they cannot be read: the record is written all the same. */
async function namesOf(clients: string[], { store, log }: AuditDeps): Promise<string[] | undefined> {
  if (clients.length === 0) return undefined
  try {
    const found = await store.computers.findMany(clients)
    const names = new Map(found.map(({ ip, name }) => [ip, name]))
    return clients.map(addr => names.get(addr) ?? '')
  } catch (error) {
    log.warn('audit', `names of computers are not recorded: ${message(error)}`)
    return undefined
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
