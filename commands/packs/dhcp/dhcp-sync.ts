// Writes the reservations to all servers now, or says what that would change.
import type { CommandOf } from 'fleet-host'
import { compareAll, syncAll } from './_sync.ts'
import { reportOf, returns } from './_sync-report.ts'
import type pack from './pack.ts'

const previewMilliseconds = 20_000

const payload = {
  type: 'object',
  additionalProperties: false,
  properties: { dry_run: { type: 'boolean', description: 'true: compares only, as ?dry_run=1 does' } },
} as const

const query = {
  type: 'object',
  properties: { dry_run: { enum: ['0', '1'], description: '1: compares only' } },
} as const

export default {
  summary: 'Write the reservations to the DHCP servers',
  group: 'DHCP',
  example: { dry_run: true },
  route: 'POST /dhcp/sync',
  access: 'operate',
  returns,
  audit: { preview: 'dry_run' },
  heavy: true,
  payload,
  body: 'optional',
  query,
  async answer({ payload: { dry_run }, request: { query }, ...context }) {
    const { services } = context
    const isPreview = dry_run === true || query.dry_run === '1'
    const comparisons = await (isPreview ? compareAll(context, previewMilliseconds) : syncAll(context))
    return services.isRefusal(comparisons) ? comparisons : { servers: comparisons.map(reportOf) }
  },
} satisfies CommandOf<{
  payload: typeof payload
  query: typeof query
  returns: typeof returns
  pack: typeof pack
}>
