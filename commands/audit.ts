// Reads the audit log: who has written what, and from where.
import type { CommandOf } from 'fleet-host'
import { auditLimit, auditQuery as query } from './_schemas/audit-query.ts'
import { auditResult } from './_schemas/audit-records.ts'

export default {
  summary: 'Read who has written what, the oldest record first',
  group: 'Access',
  route: 'GET /audit',
  heavy: true,
  access: 'admin',
  returns: auditResult,
  query,
  async answer({ services, request: { query } }) {
    const { since, who, route, limit = auditLimit, after } = query
    const time = since === undefined ? undefined : Date.parse(since)
    if (Number.isNaN(time)) return services.refuse(`?since: expected an ISO time in UTC, got ${since}`)
    const from = time === undefined ? undefined : new Date(time).toISOString()
    return services.audit.read({ since: from, who, route, limit: Number(limit), after })
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof auditResult }>
