// Sends a request to GLPI and reads its reply, within a time and a size.

/** Characters. */
const longestReply = 64 * 1024

export interface Reply {
  status: number
  /** Undefined: it is no JSON object. */
  json: Record<string, unknown> | undefined
}

/** Rejects without a complete reply. */
export async function send(
  url: string,
  headers: Record<string, string>,
  body: string,
  seconds: number,
  signal: AbortSignal,
): Promise<Reply> {
  const limit = AbortSignal.timeout(seconds * 1000)
  try {
    const options = {
      method: 'POST',
      headers: { ...headers, 'User-Agent': 'fleet-host' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([limit, signal]),
    } as const
    const response = await fetch(url, options)
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > longestReply) throw new Error('the reply is too long')
    }
    return { status: response.status, json: parse(text) }
  } catch (error) {
    throw limit.aborted ? new Error(`no complete reply within ${seconds} s`) : error
  }
}

function parse(text: string): Reply['json'] {
  try {
    const value: unknown = JSON.parse(text)
    return value instanceof Object ? Object.fromEntries(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}

/** The reason of `fetch` is in the cause, which has no message when several addresses were tried. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return textOf(error.cause)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
