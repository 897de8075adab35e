// Opens the console of a real daemon in a real browser, logged in, and notes everything that the browser complains about.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium } from './chromium.ts'
import { startTestHost, type TestHost, type TestHostOptions, token } from './test-host.ts'

export interface ConsoleLab {
  lab: TestHost
  browser: Browser
  /** Opens `#<address>` in a context of its own: its cookies are not those of other pages. */
  open(address: string, more?: OpenOptions): Promise<ConsolePage>
  stop(): Promise<void>
}

export interface OpenOptions {
  width?: number
  colorScheme?: 'light' | 'dark'
  /** `false`: nobody is logged in. Default: the holder of the API token. */
  isLoggedIn?: boolean
  /** Whose; default: the API token. */
  loginToken?: string
  /** Default: `en-US`. */
  language?: string
  /** In place of the daemon's: of a proxy. */
  port?: number
}

export interface ConsolePage {
  page: Page
  context: BrowserContext
  /** Errors of scripts, refused resources and lines that the page wrote as errors. */
  problems: string[]
}

/** Milliseconds that an expectation waits on a busy machine. */
export const patience = 45_000

export async function startConsoleLab(hostOptions: TestHostOptions = {}): Promise<ConsoleLab> {
  const lab = await startTestHost(hostOptions)
  const browser = await startChromium()
  return {
    lab,
    browser,
    open: (address, more) => openConsole(browser, lab, address, more),
    async stop() {
      await browser.close()
      await lab.stop()
    },
  }
}

/** The host of a suite that has started its own. */
export async function openConsole(
  browser: Browser,
  { host }: TestHost,
  address: string,
  more: OpenOptions = {},
): Promise<ConsolePage> {
  const { width = 1280, colorScheme = 'light', language = 'en-US', port = host.ports.rest } = more
  const { isLoggedIn = true, loginToken = token } = more
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale: language })
  context.setDefaultTimeout(patience)
  const url = `http://127.0.0.1:${port}`
  if (isLoggedIn) await context.request.post(`${url}/login`, { data: { token: loginToken } })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', line => {
    if (line.type() === 'error') problems.push(line.text())
  })
  await page.goto(`${url}/console#${address}`)
  return { page, context, problems }
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The violations that axe-core finds: rule, and the first elements. */
export async function findViolations(page: Page): Promise<string[]> {
  // As text, because the page's policy forbids scripts that it does not serve.
  await page.evaluate(readFileSync(axeFile, 'utf8'))
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(node => node.target.join(' ')).join(', ')))`)
}
