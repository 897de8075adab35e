// Records what requests write: one line in the log for each that was accepted, and an audit record also for refused ones.
import { hash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { Audit } from '../access/audit.ts'
import { addressesAt, noRights } from '../access/rights.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { AuditRecord } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { clientFields, describeClients, shownClients } from '../log/shown-text.ts'
import { ofMethod } from './asked-command.ts'
import { callerOf } from './caller-address.ts'
import { type LazyRequest, parseQuery } from './lazy-request.ts'
import { routeOf } from './refuse.ts'
import type { RequestContext } from './request-context.ts'

/** Whether the command can change something: most of those that need no more than the right to read do not. */
const mayWrite = ({ method, access, command: { audit } }: LoadedCommand): boolean =>
  method !== 'GET' && (access !== 'read' || audit?.writes === true)

export const isWrite = (loaded: LoadedCommand, ctx: RequestContext): boolean =>
  mayWrite(loaded) && loaded.access !== 'none' && !isPreview(loaded, ctx)

/** Whether only what the command would do was asked, by its payload, or by the query of what is sent to computers. */
function isPreview({ command: { audit, forward, act } }: LoadedCommand, ctx: RequestContext): boolean {
  const payload = ctx.state.body?.value
  if (audit?.preview !== undefined && payload instanceof Object) return Reflect.get(payload, audit.preview) === true
  return ctx.status < 400 && (forward ?? act) !== undefined && parseQuery(ctx.querystring).dry_run === '1'
}

export function logWrite(ctx: RequestContext, request: LazyRequest, log: Log): void {
  const { state, status } = ctx
  const { caller, rights, jobId, createdId, warning } = request
  const route = routeOf(ctx)
  const addrs = targetsOf(state.loaded, state.body?.value)
  const details = [
    ...(addrs.length > 0 ? [describeClients(addrs)] : []),
    ...(createdId === undefined ? [] : [`id ${createdId}`]),
    ...(jobId === undefined ? [] : [`job ${jobId}`]),
    ...(warning === undefined ? [] : [`warning: ${warning}`]),
  ]
  const what = [`${route} by ${rights.name} from ${caller}: ${status}`, ...details].join('; ')
  const fields = { event: 'write', route, by: rights.name, caller, status, job: jobId, id: createdId, warning }
  log.info('rest', what, addrs.length > 0 ? { ...fields, ...clientFields(addrs) } : fields)
}

/** The computers that a payload is about, as the caller sent them. */
const targetsOf = (loaded: LoadedCommand | undefined, payload: unknown): string[] =>
  loaded ? addressesAt(loaded.targetKeys, payload).filter(addr => addr.length <= addressCharacters) : []

const addressCharacters = '255.255.255.255'.length

/** To be called when the response is known. */
export function auditRequest(ctx: RequestContext, audit: Audit): void {
  const { state, req, res } = ctx
  if (req.method === 'GET' || isAborted(ctx)) return
  // A request that was refused before its command was found, for its token above all.
  const loaded = state.loaded ?? ofMethod(state.table?.at(ctx.path), req.method)
  if (loaded && (!mayWrite(loaded) || isPreview(loaded, ctx))) return
  const { rights } = state
  const addrs = targetsOf(loaded, state.body?.value)
  const idIn = (header: string) => Number(res.getHeader(header)) || undefined
  audit.add(
    {
      who: state.who ?? (rights ?? noRights).name,
      address: callerOf(req),
      route: loaded?.command.route ?? routeOf(ctx),
      status: ctx.status,
      clients: addrs.slice(0, shownClients).filter(isIPv4),
      count: addrs.length,
      name: nameIn(ctx, loaded),
      job: idIn('X-Job-Id'),
      undo: idIn('X-Undo-Id'),
      ...state.about?.details,
      tried: triedOf(ctx, loaded),
      ...reasonOf(ctx, loaded),
      digest: digestOf(ctx, loaded),
    },
    rights !== undefined,
  )
}

/** What a request is about: in words, or the name of what it adds or renames; a login has that of its caller. */
function nameIn({ status, state }: RequestContext, loaded: LoadedCommand | undefined): string | undefined {
  if (state.about) return state.about.what.slice(0, nameCharacters)
  const value = state.body?.value
  const name = value instanceof Object && 'name' in value ? value.name : undefined
  const isMeant = status < 300 && loaded && loaded.access !== 'none' && (openKeysOf(loaded)?.has('name') ?? true)
  return isMeant && typeof name === 'string' ? name.slice(0, nameCharacters) : undefined
}

const nameCharacters = 200

const triedCharacters = 64

/**
 * The short values of the keys that the command knows; with a secret in the body only of which record, and nothing of what
 * is sent to computers: it may be a script.
 */
function triedOf(
  { status, state: { rights, body } }: RequestContext,
  loaded: LoadedCommand | undefined,
): AuditRecord['tried'] {
  const { payload, forward } = loaded?.command ?? {}
  if (status < 300 || !rights || !loaded || !payload || forward || !(body?.value instanceof Object)) return undefined
  const properties = 'properties' in payload && payload.properties instanceof Object ? payload.properties : {}
  const open = openKeysOf(loaded) ? ['id'] : Object.keys(properties)
  const keys = open.filter(key => !loaded.targetKeys.includes(key))
  const values = Object.entries(body.value).filter(
    ([key, value]) => keys.includes(key) && !(value instanceof Object) && String(value).length <= triedCharacters,
  )
  return values.length > 0 ? Object.fromEntries(values) : undefined
}

const reasonCharacters = 200

/** Not of a login, nor of a body with a secret: what was typed into another field may be in it. */
function reasonOf(
  { state: { rights, reason, cause } }: RequestContext,
  loaded: LoadedCommand | undefined,
): Pick<AuditRecord, 'reason' | 'cause'> {
  const isOpen = rights && loaded && loaded.access !== 'none' && openKeysOf(loaded) === undefined
  return isOpen ? { reason: reason?.slice(0, reasonCharacters), cause } : {}
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

/** The keys of the payload that are no secrets, by command; undefined when none is a secret. */
const openKeys = new WeakMap<object, ReadonlySet<string> | undefined>()

function openKeysOf({ command }: LoadedCommand): ReadonlySet<string> | undefined {
  if (!openKeys.has(command)) openKeys.set(command, findOpenKeys(command.payload))
  return openKeys.get(command)
}

function findOpenKeys(payload: object | undefined): ReadonlySet<string> | undefined {
  const properties: unknown = payload && 'properties' in payload ? payload.properties : {}
  const entries = Object.entries(properties instanceof Object ? properties : {})
  // Also deeper inside: such a key is left out with everything in it.
  const open = entries.filter(([, schema]) => !/"writeOnly":\s*true/.test(JSON.stringify(schema)))
  return open.length === entries.length ? undefined : new Set(open.map(([key]) => key))
}
