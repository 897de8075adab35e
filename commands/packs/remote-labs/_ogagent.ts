// Talks to the agent that OpenGnsys computers have in their installed systems: HTTPS on port 8000, own certificate.
import { request } from 'node:https'
import type { Context } from './_schemas.ts'

/** As the API has it. */
export interface State {
  status: string
  loggedin?: true
}

const port = 8000
/** Milliseconds in all. */
const patience = 500
const mostBytes = 64 * 1024

const codes: Record<string, string> = {
  INI: 'initializing',
  OPG: 'oglive',
  BSY: 'busy',
  LNX: 'linux',
  WIN: 'windows',
  OSX: 'macos',
}

/** Resolves to the body of a 200, undefined otherwise. */
function call(ip: string, path: string, secret = '', body?: object): Promise<string | undefined> {
  return new Promise(resolve => {
    const headers = { ...(secret && { Authorization: secret }), ...(body && { 'Content-Type': 'application/json' }) }
    const options = { host: ip, port, path: `/opengnsys/${path}`, headers, rejectUnauthorized: false, agent: false }
    const sent = request({ ...options, method: body ? 'POST' : 'GET', signal: AbortSignal.timeout(patience) })
    sent.on('error', () => resolve(undefined))
    sent.on('response', response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
        if (text.length > mostBytes) response.destroy()
      })
      response.on('error', () => resolve(undefined))
      response.on('close', () => resolve(response.statusCode === 200 && response.complete ? text : undefined))
    })
    sent.end(body && JSON.stringify(body))
  })
}

/** Asked only on computers on which it has started once. */
export async function statusOfAgent({ collections }: Context, ip: string): Promise<State | undefined> {
  if (!(await collections.agents.get(ip))) return undefined
  const text = await call(ip, 'status')
  if (text === undefined) return undefined
  try {
    const value: { status?: unknown; loggedin?: unknown } = JSON.parse(text)
    return {
      status: codes[String(value.status)] ?? 'unknown',
      ...(value.loggedin === true && { loggedin: true as const }),
    }
  } catch {
    return { status: 'unknown' }
  }
}

/** Both resolve to whether the agent has accepted it. */
export async function powerOffByAgent({ collections }: Context, ip: string): Promise<boolean> {
  const { secret = '' } = (await collections.agents.get(ip))?.value ?? {}
  return secret !== '' && (await call(ip, 'poweroff', secret)) !== undefined
}

export async function warnByAgent({ collections }: Context, ip: string, minutes: number): Promise<boolean> {
  const { secret = '', language } = (await collections.agents.get(ip))?.value ?? {}
  if (secret === '') return false
  const message =
    language === 'es'
      ? `La sesión termina en ${minutes} minutos. Guarde su trabajo.`
      : `This session ends in ${minutes} minutes. Save your work.`
  return (await call(ip, 'popup', secret, { title: 'OpenGnsys', message })) !== undefined
}
