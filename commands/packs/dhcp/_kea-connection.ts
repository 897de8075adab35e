// Sends commands to the control API of Kea: to a control agent, or from version 2.7 on to the server itself.

export interface KeaConnection {
  /** Resolves to the arguments of the reply; undefined when nothing was found. Rejects with the text of Kea. */
  send(command: string, parameters?: object): Promise<unknown>
}

/** Characters of a reason. */
const longestReason = 500

/** `result` of a reply. */
const succeeded = 0
const nothingFound = 3

interface Reply {
  result?: unknown
  text?: unknown
  arguments?: unknown
}

export function connectKea(
  url: string,
  { user, password = '' }: { user: string; password?: string },
  signal: AbortSignal,
): KeaConnection {
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'fleet-host',
    ...(user !== '' && { Authorization: `Basic ${basic}` }),
  }
  async function post(body: string): Promise<Response> {
    try {
      return await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    } catch (error) {
      throw new Error(signal.aborted ? 'no complete reply in time' : reasonOf(error))
    }
  }
  return {
    async send(command, parameters) {
      const message = { command, service: ['dhcp4'], ...(parameters && { arguments: parameters }) }
      const response = await post(JSON.stringify(message))
      const text = await response.text()
      const { result, text: reason = '', arguments: found } = readReply(text)
      if (result === succeeded && response.ok) return found
      if (result === nothingFound && response.ok) return undefined
      const shown = result === undefined ? 'not a reply of Kea: is the address right?' : String(reason)
      throw new Error(`${command}: ${response.ok ? '' : `status ${response.status}: `}${shown}`.slice(0, longestReason))
    },
  }
}

/** Of one service; a control agent replies with a list. */
function readReply(text: string): Reply {
  try {
    const parsed: unknown = JSON.parse(text)
    const reply: unknown = Array.isArray(parsed) ? parsed[0] : parsed
    return reply instanceof Object ? reply : {}
  } catch {
    return {}
  }
}

/** The reason of `fetch` is in the cause, which has no message when several addresses were tried. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
