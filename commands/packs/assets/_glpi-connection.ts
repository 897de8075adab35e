// Talks with the inventory endpoint of GLPI as its agents do.
import { createHash } from 'node:crypto'
import type { GlpiSettings } from './_asset-schemas.ts'
import { type Reply, send, textOf } from './_glpi-http.ts'

export interface GlpiAnswer {
  /** Why it was not taken; undefined: it was. */
  problem?: string
  /** The problem is not that of one document: GLPI cannot be reached, or takes nothing from us. */
  isOutage?: boolean
}

export interface GlpiConnection {
  /** Whether GLPI takes inventories with these settings; it then knows an agent `fleet-host`. */
  ask(): Promise<GlpiAnswer>
  push(document: GlpiMessage): Promise<GlpiAnswer>
}

interface GlpiMessage {
  deviceid: string
  action: string
}

/** Characters. */
const longestReason = 500

/** With these statuses GLPI says nothing of a document. */
const outages = new Set([401, 403, 404, 405, 408, 429, 502, 503, 504])

const greeting = {
  action: 'contact',
  deviceid: 'fleet-host',
  name: 'fleet-host',
  version: '1.0.0',
  'installed-tasks': ['inventory'],
  'enabled-tasks': ['inventory'],
}

export function connectGlpi(settings: GlpiSettings, signal: AbortSignal): GlpiConnection {
  const { url, authorization, user, password = '', seconds } = settings
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  let token: Promise<string> | undefined

  async function authorize(): Promise<Record<string, string>> {
    if (authorization === 'none') return {}
    if (authorization === 'basic') return { Authorization: `Basic ${basic}` }
    token ??= fetchToken(settings, signal)
    return { Authorization: `Bearer ${await token}` }
  }

  async function post(message: GlpiMessage): Promise<GlpiAnswer> {
    try {
      const headers = {
        'Content-Type': 'application/json',
        'GLPI-Agent-ID': agentId(message.deviceid),
        ...(await authorize()),
      }
      return judge(await send(url, headers, JSON.stringify(message), seconds, signal))
    } catch (error) {
      return { problem: textOf(error), isOutage: true }
    }
  }

  /** People see what GLPI says: it must not repeat what only GLPI is to know. */
  async function hideSecrets({ problem, ...rest }: GlpiAnswer): Promise<GlpiAnswer> {
    if (problem === undefined) return rest
    const secrets = [password, basic, await token?.catch(() => '')]
    const shown = secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '***') : text), problem)
    return { ...rest, problem: shown.slice(0, longestReason) }
  }

  return {
    async ask() {
      const problem = addressProblem(url)
      return problem === undefined ? hideSecrets(await post(greeting)) : { problem }
    },
    push: async document => hideSecrets(await post(document)),
  }
}

function addressProblem(url: string): string | undefined {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : new URL('none:')
  if (!/^https?:$/.test(protocol)) return 'expected an address that begins with http:// or https://'
  return username === '' && password === ''
    ? undefined
    : 'expected no login in the address: it has a setting of its own'
}

/** GLPI knows agents by a UUID: the same for each push of a computer. */
function agentId(deviceid: string): string {
  const hex = createHash('sha256').update(deviceid).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

function judge({ status, json }: Reply): GlpiAnswer {
  // A proxy of agents has taken what is pending.
  if (status < 300 && (json?.status === 'ok' || json?.status === 'pending')) return {}
  const message = typeof json?.message === 'string' && json.message !== '' ? `: ${json.message}` : ''
  if (status >= 300 && status < 400)
    return { problem: `GLPI replied ${status}: the address leads to another`, isOutage: true }
  if (!json && status < 300)
    return { problem: `the reply with status ${status} is not one of GLPI: is the address right?`, isOutage: true }
  return { problem: `GLPI replied ${status}${message}`, isOutage: !json || outages.has(status) }
}

/** GLPI has the route for it next to the one of the inventory. Rejects when there is no token. */
async function fetchToken(settings: GlpiSettings, signal: AbortSignal): Promise<string> {
  const { user, password = '', url, seconds } = settings
  const base = url.replace(/\/(front|plugins|marketplace)\/.*/s, '').replace(/\/(index\.php)?$/, '')
  const form = { grant_type: 'client_credentials', client_id: user, client_secret: password, scope: 'inventory' }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  const { status, json } = await send(`${base}/api.php/token`, headers, body, seconds, signal)
  if (typeof json?.access_token === 'string' && status < 300) return json.access_token
  throw new Error(`GLPI replied ${status} to the request for a token`)
}
