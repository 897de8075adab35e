// The audit log: one record for each write that was accepted or refused, and for each run of a schedule.
import type { AuditRecord, AuditService } from '../contract/services.ts'
import { readAudit } from './audit-reader.ts'
import { AuditWriter, type AuditWriterDeps } from './audit-writer.ts'
import { RefusedRecords } from './refused-records.ts'

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
      const { who, address, route, status, clients, count, job, digest } = record
      const time = new Date(clock.now()).toISOString()
      // In the order in which lines have their keys: the reader expects the time first.
      const timed = { time, who, address, route, status, clients, count, job, digest }
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
