// The console in a real browser whose line to the daemon goes silent: nothing arrives, and nothing is closed.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, match, ok } from 'uvu/assert'
import { chromiumProgram, type Page } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

interface SilentLine {
  port: number
  mute(): void
  /** What was sent meanwhile arrives now. */
  resume(): void
  stop(): Promise<void>
}

async function startSilentLine(port: number): Promise<SilentLine> {
  const sockets = new Set<Socket>()
  let isSilent = false
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', bytes => to.write(bytes))
    from.on('end', () => to.end())
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    if (isSilent) from.pause()
  }
  const server = createServer({ allowHalfOpen: true }, near => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    forward(near, far)
    forward(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // `as`: it listens to a port.
    port: (server.address() as AddressInfo).port,
    mute() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

if (chromiumProgram === undefined) skipFile('chromium')

const { lab, open, stop } = await startConsoleLab()
const line = await startSilentLine(lab.host.ports.rest)
const addresses = ['127.0.68.1', '127.0.68.2']
for (const addr of addresses) await lab.addComputer(addr)

const test = suite('silent lines of the console')
test.after(async () => {
  line.resume()
  await stop()
  await line.stop()
})

const banner = (page: Page) => page.locator('.banner').getByText('No connection since')
const tile = (page: Page, addr: string, condition: string) =>
  page.locator(`.tile[data-ip="${addr}"][data-condition="${condition}"]`)
const filterOf = (page: Page, selector: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).filter`)

/** The page behind the line, with a clock that can be set forward. */
async function openBehindLine(address: string, more = {}): Promise<Page> {
  const { page } = await open(address, { ...more, port: line.port })
  await page.clock.install()
  await page.reload()
  await page.locator('.connection[title="Live"]').waitFor()
  return page
}

async function goSilent(page: Page): Promise<void> {
  line.mute()
  await page.clock.fastForward(36_000)
  await page.clock.fastForward(1_000)
  await banner(page).waitFor()
}

test('a line that goes silent greys the map and says since when, and what changed meanwhile is shown after it', async () => {
  const [first = '', second = ''] = addresses
  const agent = await lab.agent(first)
  const page = await openBehindLine('/')
  await tile(page, first, 'ready').waitFor()
  const began = await page.evaluate<string>('new Date().toLocaleTimeString("en")')
  await goSilent(page)
  const [, shown = ''] = /since (.*): what is shown may be out of date/.exec(await banner(page).innerText()) ?? []
  const secondsBetween = (Date.parse(`2026-01-01 ${began}`) - Date.parse(`2026-01-01 ${shown}`)) / 1000
  // Shown without seconds.
  ok(Math.abs(secondsBetween) < 90, `${began} ${shown}`)
  equal(await page.locator('.banner').count(), 1)
  match(await filterOf(page, '.tiles'), /grayscale/)
  equal(await findViolations(page), [])
  const isGone = lab.event('client-gone', { addr: first })
  agent.destroy()
  await isGone
  await lab.agent(second)
  await tile(page, first, 'ready').waitFor()
  line.resume()
  await tile(page, first, 'off').waitFor()
  await tile(page, second, 'ready').waitFor()
  await banner(page).waitFor({ state: 'detached' })
  equal(await filterOf(page, '.tiles'), 'none')
})

test('a page that was opened on a silent line is read when the line is back', async () => {
  const page = await openBehindLine('overview')
  // From the first event on, the stream knows that none is missing: nothing else is read again.
  lab.host.events.emit({ type: 'session-login', addr: addresses[1] ?? '', user: 'ana' })
  await page.goto(page.url().replace('overview', '/'))
  await page.locator('.tile-user').getByText('ana').waitFor()
  await page.goto(page.url().replace('#/', '#overview'))
  await page.locator('.squares').first().waitFor()
  await goSilent(page)
  match(await filterOf(page, '.squares'), /grayscale/)
  const asked = page.waitForRequest('**/procedures')
  const failed = page.waitForEvent('requestfailed', request => request.url().endsWith('/procedures'))
  await page.goto(page.url().replace('overview', 'procedures'))
  await asked
  await page.clock.fastForward(16_000)
  await failed
  equal(await page.locator('.banner').count(), 1)
  line.resume()
  await page.getByText('No procedures').first().waitFor()
  await banner(page).waitFor({ state: 'detached' })
})

test('a browser that says that it is offline is believed at once', async () => {
  const page = await openBehindLine('/')
  await page.context().setOffline(true)
  await banner(page).waitFor()
  match(await filterOf(page, '.tiles'), /grayscale/)
  await page.context().setOffline(false)
  await banner(page).waitFor({ state: 'detached' })
})

test('a request on a silent line ends with the words that it is not confirmed, and the form keeps its text', async () => {
  const page = await openBehindLine('/')
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.locator('dialog textarea').fill('echo kept')
  line.mute()
  const sent = page.waitForRequest(request => request.method() === 'POST')
  await page.locator('dialog [type=submit]').click()
  await sent
  await page.clock.fastForward(31_000)
  await page.locator('dialog').getByText('Not confirmed: it may have been done. Look at Jobs.').waitFor()
  equal(await page.locator('dialog textarea').inputValue(), 'echo kept')
  ok(await page.locator('dialog [type=submit]').isEnabled())
  line.resume()
})

test.run()
