// Requests to the daemon's API.
import { signal } from '@preact/signals'
import { withoutCommands } from './without-commands.ts'

export interface Reply<Value> {
  ok: boolean
  /** 0 when there was no response. */
  status: number
  /** Of what was to be done and has no response: probably no daemon was there, or it may well have been done. */
  unanswered?: 'unsent' | 'unconfirmed'
  /** The parsed JSON; undefined for an empty body. */
  value: Value | undefined
  /** Why it was refused, or what will not work: `X-Reason`, `X-Warning`. */
  reason: string
  warning: string
  /** The `code` of the reason, with what it names: `X-Reason-Code`. */
  cause: Readonly<Record<string, string>>
  /** `X-Job-Id`, `X-Id` and `X-Undo-Id`. */
  job: number | undefined
  id: number | undefined
  undo: number | undefined
}

/** Called for each response with 401 of a caller who was logged in. */
let onUnauthorized = () => {}

export function setUnauthorizedHandler(handler: () => void): void {
  onUnauthorized = handler
}

/** Requests whose first reader gets the reply. */
const sentAhead = new Map<string, Promise<Reply<unknown>>>()

export function getAhead(path: string): Promise<Reply<unknown>> {
  const reply = send('GET', path)
  sentAhead.set(path, reply)
  return reply
}

export function get<Value>(path: string): Promise<Reply<Value>> {
  const ahead = sentAhead.get(path)
  sentAhead.delete(path)
  // `as`: what the path answers.
  return (ahead as Promise<Reply<Value>> | undefined) ?? send<Value>('GET', path)
}

/** The last request has met no daemon; on a silent line, where requests are given up, that is not known. */
let isAway = false

/** How many responses there were. */
export const responses = signal(0)

export async function post<Value = undefined>(path: string, payload?: object): Promise<Reply<Value>> {
  const wasAway = isAway
  const reply = await postAgain<Value>(path, payload)
  return reply.status === 0 ? { ...reply, unanswered: wasAway && isAway ? 'unsent' : 'unconfirmed' } : reply
}

/** For what can simply be sent again when there was no response, such as a preview. */
export const postAgain = <Value = undefined>(path: string, payload?: object): Promise<Reply<Value>> =>
  send<Value>('POST', path, payload && JSON.stringify(payload))

/** What precedes the paths of the API: a proxy may serve the daemon below a path of its own. */
const base = location.pathname.replace(/console\/?$/, '')

/** `/clients` as the page has to name it. */
export const urlOf = (path: string): string => base + path.replace(/^\//, '')

/** Milliseconds in which no byte of the request or of its response arrives, until it is given up. */
export const silenceLimits = { GET: 15_000, POST: 30_000 }

async function send<Value>(method: 'GET' | 'POST', path: string, payload?: string): Promise<Reply<Value>> {
  const exchange = await finish(method, urlOf(path), payload)
  const { status } = exchange
  if (status === 401) onUnauthorized()
  const header = (name: string) => exchange.getResponseHeader(name)
  const number = (name: string) => (header(name) === null ? undefined : Number(header(name)))
  const ok = status >= 200 && status < 300
  return {
    ok,
    status,
    value: parse<Value>(exchange),
    reason: ok || status === 0 ? '' : withoutCommands(header('X-Reason') ?? `HTTP ${status}`),
    warning: withoutCommands(header('X-Warning') ?? ''),
    cause: Object.fromEntries(new URLSearchParams(header('X-Reason-Code') ?? '')),
    job: number('X-Job-Id'),
    id: number('X-Id'),
    undo: number('X-Undo-Id'),
  }
}

/** Resolves when it has ended in any way. Not `fetch`, which does not say how much of a long text has been sent. */
function finish(method: 'GET' | 'POST', url: string, payload?: string): Promise<XMLHttpRequest> {
  return new Promise(resolve => {
    const exchange = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => exchange.abort(), silenceLimits[method])
    }
    for (const type of ['load', 'abort', 'error']) {
      exchange.addEventListener(type, () => {
        isAway = type === 'error'
        if (type === 'load') responses.value += 1
      })
    }
    exchange.onloadend = () => {
      clearTimeout(timer)
      resolve(exchange)
    }
    exchange.upload.onprogress = wait
    exchange.onprogress = wait
    exchange.open(method, url)
    exchange.setRequestHeader('Cache-Control', 'no-cache')
    wait()
    exchange.send(payload)
  })
}

function parse<Value>(exchange: XMLHttpRequest): Value | undefined {
  const text = exchange.responseText
  if (text === '') return undefined
  const isJson = /json/.test(exchange.getResponseHeader('Content-Type') ?? '')
  // `as`: the API's documented answer.
  return (isJson ? JSON.parse(text) : text) as Value
}
