// Requests to the daemon's API.

export interface Reply<Value> {
  ok: boolean
  /** 0 when there was no response. */
  status: number
  /** The parsed JSON; undefined for an empty body. */
  value: Value | undefined
  /** Why it was refused, or what will not work: `X-Reason`, `X-Warning`. */
  reason: string
  warning: string
  /** `X-Job-Id` and `X-Id`. */
  job: number | undefined
  id: number | undefined
}

/** Called for each response with 401 of a caller who was logged in. */
let onUnauthorized = () => {}

export function setUnauthorizedHandler(handler: () => void): void {
  onUnauthorized = handler
}

export const get = <Value>(path: string): Promise<Reply<Value>> => send<Value>(path, { method: 'GET' })

export const post = <Value = undefined>(path: string, payload?: object): Promise<Reply<Value>> =>
  send<Value>(path, { method: 'POST', ...(payload && { body: JSON.stringify(payload) }) })

/** What precedes the paths of the API: a proxy may serve the daemon below a path of its own. */
const base = location.pathname.replace(/console\/?$/, '')

/** `/clients` as the page has to name it. */
export const urlOf = (path: string): string => base + path.replace(/^\//, '')

async function send<Value>(path: string, init: RequestInit): Promise<Reply<Value>> {
  try {
    const response = await fetch(urlOf(path), { ...init, cache: 'no-store' })
    const body = await response.text()
    if (response.status === 401) onUnauthorized()
    const isJson = /json/.test(response.headers.get('Content-Type') ?? '')
    return {
      ok: response.ok,
      status: response.status,
      // `as`: the API's documented answer.
      value: body === '' ? undefined : ((isJson ? JSON.parse(body) : body) as Value),
      reason: reasonOf(response),
      warning: response.headers.get('X-Warning') ?? '',
      job: numberOf(response, 'X-Job-Id'),
      id: numberOf(response, 'X-Id'),
    }
  } catch {
    return { ok: false, status: 0, value: undefined, reason: '', warning: '', job: undefined, id: undefined }
  }
}

const reasonOf = ({ ok, status, headers }: Response): string =>
  ok ? '' : (headers.get('X-Reason') ?? `HTTP ${status}`)

function numberOf({ headers }: Response, name: string): number | undefined {
  const value = headers.get(name)
  return value === null ? undefined : Number(value)
}
