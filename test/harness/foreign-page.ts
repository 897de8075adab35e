// A page of another origin in a real browser, which sends all that a page can send to a daemon that the browser knows.
import { createServer, type Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Counts, describeCounts, difference, refusalsInLog, refusalsInMetrics } from './refusal-counts.ts'

/** Where the browser finds the daemon, and which page attacks it. Names stand for machines of a network without TLS. */
export interface Origins {
  daemon: string
  page: string
}

/** Without TLS, a browser sends `Sec-Fetch-Site` only to its own machine. */
export const pageOrigins: Record<string, Origins> = {
  'on another port of the same host': { daemon: '127.0.0.1', page: '127.0.0.1' },
  'on another site': { daemon: '127.0.0.1', page: 'foreign.example' },
  'on another host of the same site, without TLS': { daemon: 'fleet.example', page: 'other.fleet.example' },
}

interface ForeignPageDeps {
  browser: Browser
  origins: Origins
  /** The REST port. */
  port: number
  token: string
  /** Commands by route; a form adds a key `padding` to the payload. */
  commands: Readonly<Record<string, object>>
  /** Paths of GETs. */
  paths: readonly string[]
  /** The response to `GET /metrics`, and the log so far. */
  metrics(): Promise<string>
  log(): string
}

const encodings = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']

/** Kinds of requests of the script below, apart from forms. */
const posts = ['fetch', 'opaqueFetch', 'beacon']
const gets = ['fetch', 'opaqueFetch', 'image', 'script', 'frame', 'eventSource', 'webSocket']

/** The functions resolve when a request has ended, whether it was successful or not. */
const script = `
const options = { credentials: 'include' }
const ended = start => new Promise(resolve => start(() => resolve()))
const element = (name, url) => ended(end => {
  document.body.append(Object.assign(document.createElement(name), { onload: end, onerror: end, src: url }))
})
const kinds = {
  fetch: (url, more) => fetch(url, { ...options, ...more }),
  opaqueFetch: (url, more) => fetch(url, { ...options, ...more, mode: 'no-cors' }),
  preflight: (url, more) => fetch(url, { ...options, ...more, headers: { 'Content-Type': 'application/json' } }),
  beacon: (url, { body }) => navigator.sendBeacon(url, body),
  image: url => element('img', url),
  script: url => element('script', url),
  frame: url => element('iframe', url),
  eventSource: url => ended(end => {
    const source = new EventSource(url, { withCredentials: true })
    source.onopen = source.onerror = () => end(source.close())
  }),
  webSocket: url => ended(end => {
    const socket = new WebSocket(url.replace('http', 'ws'))
    socket.onopen = socket.onerror = end
  }),
}
const send = (kind, requests) =>
  Promise.allSettled(requests.map(({ url, body }) => kinds[kind](url, body && { method: 'POST', body })))
let windows = 0
const openWindow = () => {
  windows += 1
  window.open('about:blank', 'form ' + windows)
}
const submit = (url, encoding, body) => {
  const attributes = { method: 'POST', action: url, enctype: encoding, target: 'form ' + windows }
  const form = Object.assign(document.createElement('form'), attributes)
  const name = body.slice(0, -1) + ',"padding":"'
  form.append(Object.assign(document.createElement('input'), { name, value: '"}' }))
  document.body.append(form)
  form.submit()
}
`

/** Milliseconds until all refusals are counted: the log counts those that it leaves out once a second. */
const countTime = 5000
const pollTime = 100

/** Resolves to how many requests the page has sent, and what was not refused or not logged. */
export async function attackFromForeignPage(deps: ForeignPageDeps) {
  const server = await listen()
  const context = await deps.browser.newContext()
  try {
    const [metrics, logStart] = [refusalsInMetrics(await deps.metrics()), deps.log().length]
    const page = new ForeignPage(deps, context, portOf(server))
    await page.logIn()
    const passwords = await page.sendForms()
    await page.sendScripts()
    const { expected } = page
    const end = performance.now() + countTime
    let problems: string[] = []
    do {
      await wait(pollTime)
      const refused = difference(refusalsInMetrics(await deps.metrics()), metrics)
      const logged = refusalsInLog(deps.log().slice(logStart))
      // Wrong tokens of an address are logged once a minute.
      const isLogged = logged[403] === expected[403] && logged[405] === expected[405] && (logged[401] ?? 0) > 0
      problems = [
        ...(passwords === page.forms ? [] : [`${passwords} of ${page.forms} forms were sent with the password`]),
        ...(describeCounts(refused) === describeCounts(expected)
          ? []
          : [`refused: expected ${describeCounts(expected)}, got ${describeCounts(refused)}`]),
        ...(isLogged ? [] : [`logged refusals: expected ${describeCounts(expected)}, got ${describeCounts(logged)}`]),
      ]
    } while (problems.length > 0 && performance.now() < end)
    return { requests: Object.values(expected).reduce((sum, count) => sum + count, 0), problems }
  } finally {
    await context.close()
    server.close()
  }
}

class ForeignPage {
  readonly #deps: ForeignPageDeps
  readonly #context: BrowserContext
  readonly #url: string
  readonly #daemon: string
  readonly #commands: { url: string; body: string }[]
  #ownPage: Page | undefined
  #logins = 0

  constructor(deps: ForeignPageDeps, context: BrowserContext, port: number) {
    this.#deps = deps
    this.#context = context
    this.#url = `http://${deps.origins.page}:${port}/`
    this.#daemon = `http://${deps.origins.daemon}:${deps.port}`
    this.#commands = Object.entries(deps.commands).map(([route, payload]) => ({
      url: `${this.#daemon}${route.replace('POST ', '')}`,
      body: JSON.stringify(payload),
    }))
  }

  get forms(): number {
    return encodings.length * this.#commands.length
  }

  /** The number of requests that must be refused, by status. */
  get expected(): Counts {
    return {
      // The browser sends its password only after a 401 has asked for it.
      401: gets.length * this.#deps.paths.length + this.#logins,
      403: this.forms + posts.length * this.#commands.length,
      405: this.#commands.length,
    }
  }

  /** Shows the page that asks for a password, as an administrator does. The browser keeps the password. */
  async logIn(): Promise<void> {
    const { origins, port, token } = this.#deps
    this.#ownPage ??= await this.#context.newPage()
    const response = await this.#ownPage.goto(`http://admin:${token}@${origins.daemon}:${port}/docs`)
    if (response?.status() !== 200) throw new Error(`GET /docs in a browser: expected 200, got ${response?.status()}`)
    this.#logins += 1
  }

  /**
   * Sends each form to a window of its own, as the password is not sent in a frame of another site. A window that shows
   * an earlier response may drop a form. The windows end with the context: a browser without windows never answers when
   * one with a page of another site is closed. Resolves to the number of forms that were sent with the password.
   */
  async sendForms(): Promise<number> {
    const page = await this.#open()
    let passwords = 0
    for (const { url, body } of this.#commands) {
      for (const encoding of encodings) {
        const opened = page.waitForEvent('popup')
        await page.evaluate(callOf('openWindow'))
        const window = await opened
        const response = window.waitForResponse(each => each.request().method() === 'POST')
        await page.evaluate(callOf('submit', url, encoding, body))
        const headers = await (await response).request().allHeaders()
        if (headers.authorization !== undefined) passwords += 1
      }
    }
    return passwords
  }

  async sendScripts(): Promise<void> {
    const page = await this.#open()
    for (const kind of [...posts, 'preflight']) await page.evaluate(callOf('send', kind, this.#commands))
    for (const kind of gets) {
      // A browser forgets a password that was refused.
      await this.logIn()
      const requests = this.#deps.paths.map(path => ({ url: `${this.#daemon}${path}?kind=${kind}` }))
      await page.evaluate(callOf('send', kind, requests))
    }
  }

  async #open(): Promise<Page> {
    const page = await this.#context.newPage()
    await page.goto(this.#url)
    return page
  }
}

/** Source text, as the pages do not know the helper functions of compiled TypeScript. */
const callOf = (name: string, ...values: unknown[]) => `${name}(${values.map(value => JSON.stringify(value)).join()})`

async function listen(): Promise<Server> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><link rel="icon" href="data:,"><body><script>${script}</script></body>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

function portOf(server: Server): number {
  const address = server.address()
  return address instanceof Object ? address.port : 0
}
