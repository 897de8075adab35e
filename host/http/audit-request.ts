// Makes the audit record of a request that writes, accepted or refused.
import { hash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { Audit } from '../access/audit.ts'
import { noRights } from '../access/rights.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { shownClients } from '../log/log-clients.ts'
import { callerOf } from './caller-address.ts'
import { routeOf } from './refuse-request.ts'
import type { RequestContext } from './request-context.ts'
import { isPreview, targetsOf } from './write-log.ts'

/** To be called when the response is known. */
export function auditRequest(ctx: RequestContext, audit: Audit): void {
  const { state, req, res } = ctx
  if (req.method !== 'POST' || isAborted(ctx)) return
  // A request that was refused before its command was found, for its token above all.
  const loaded = state.loaded ?? state.table?.at(ctx.path)?.POST
  if (loaded && (loaded.access === 'read' || isPreview(loaded, state.body?.value))) return
  const { rights } = state
  const addrs = targetsOf(loaded, state.body?.value)
  const job = res.getHeader('X-Job-Id')
  audit.add(
    {
      who: state.who ?? (rights ?? noRights).name,
      address: callerOf(req),
      route: loaded?.command.route ?? routeOf(ctx),
      status: ctx.status,
      clients: addrs.slice(0, shownClients).filter(isIPv4),
      count: addrs.length,
      job: job === undefined ? undefined : Number(job),
      digest: digestOf(ctx, loaded),
    },
    rights !== undefined,
  )
}

/** The caller has left before its body was complete: it has no response. */
const isAborted = ({ respond, res }: RequestContext) => respond === false && !res.headersSent

/**
 * The SHA-256 of the body. Of a body with a secret that of its JSON without it: whoever knows the digest could try
 * passwords fast. Undefined for a body that is not JSON, in which nothing can be left out.
 */
function digestOf({ state: { raw, body } }: RequestContext, loaded: LoadedCommand | undefined): string | undefined {
  if (!raw || !body || !loaded) return undefined
  const open = openKeysOf(loaded)
  if (open === undefined) return hash('sha256', raw)
  const value = body.value instanceof Object ? body.value : {}
  const entries = Object.entries(value).filter(([key]) => open.has(key))
  return entries.length === 0 ? undefined : hash('sha256', JSON.stringify(Object.fromEntries(entries)))
}

/** By command. */
const openKeys = new WeakMap<object, ReadonlySet<string> | 'all'>()

/** The keys of the payload that are no secrets; undefined when none is a secret. */
function openKeysOf({ command }: LoadedCommand): ReadonlySet<string> | undefined {
  let keys = openKeys.get(command)
  if (!keys) {
    keys = findOpenKeys(command.payload)
    openKeys.set(command, keys)
  }
  return keys === 'all' ? undefined : keys
}

function findOpenKeys(payload: object | undefined): ReadonlySet<string> | 'all' {
  const properties: unknown = payload && 'properties' in payload ? payload.properties : {}
  const entries = Object.entries(properties instanceof Object ? properties : {})
  // Also deeper inside: such a key is left out with everything in it.
  const open = entries.filter(([, schema]) => !/"writeOnly":\s*true/.test(JSON.stringify(schema)))
  return open.length === entries.length ? 'all' : new Set(open.map(([key]) => key))
}
