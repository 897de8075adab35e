// Measures how long the progress of copies takes from a client's log to an open page, and what watching the logs costs.
//
//   node --import tsx test/tools/bench/imaging-progress.ts [--clients 100] [--rounds 5]
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { startChromium } from '../../harness/chromium.ts'
import { openConsole } from '../../harness/console-page.ts'
import { type ImagingClient, startImagingLab } from '../../harness/imaging-lab.ts'
import { pollUntil } from '../../harness/poll.ts'
import { median } from './measurement.ts'

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '100' }, rounds: { type: 'string', default: '5' } },
})
const count = Number(values.clients)
const rounds = Number(values.rounds)
/** Logs change at any time between two looks at them, which are 5 s apart. */
const spread = 5000 // ms

/** Notes when the page shows a percentage, by the computer's name. */
const observer = `
  window.shown = []
  const note = node => {
    const bar = node.querySelector?.('progress') ?? node.closest?.('progress')
    const name = bar?.closest('.part-row')?.querySelector('a').textContent
    if (name) window.shown.push([Date.now(), name, Math.floor(bar.value)])
  }
  new MutationObserver(records => {
    for (const { target, addedNodes } of records) for (const node of [target, ...addedNodes]) note(node)
  }).observe(document.querySelector('.part-list'), { subtree: true, childList: true, attributes: true, attributeFilter: ['value'] })
`

/** Each log gets one more percent at a time of its own. Resolves to these times, by name and percentage. */
async function writeLogs(clients: ImagingClient[], page: Page): Promise<Map<string, number>> {
  const written = new Map<string, number>()
  for (let percent = 1; percent <= rounds; percent += 1) {
    await Promise.all(
      clients.map(async ({ addr, log }) => {
        await wait(Math.random() * spread)
        written.set(`pc-${addr} ${percent}`, Date.now())
        log.text += `Completed: ${percent}.00%, Rate: 6.00GB/min, Remaining: 00:01:30\n`
      }),
    )
    await pollUntil(async () => (await firstShown(page)).size >= count * percent)
  }
  return written
}

/** When each name and percentage was shown first. */
async function firstShown(page: Page): Promise<Map<string, number>> {
  const first = new Map<string, number>()
  for (const [time, name, percent] of await page.evaluate<[number, string, number][]>('window.shown')) {
    const key = `${name} ${percent}`
    if (!first.has(key)) first.set(key, time)
  }
  return first
}

async function measure(page: Page, clients: ImagingClient[]): Promise<void> {
  await page
    .locator('.part-row')
    .nth(count - 1)
    .waitFor({ state: 'attached' })
  await page.evaluate(observer)
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  const written = await writeLogs(clients, page)
  const { user, system } = process.cpuUsage(cpu)
  const share = (user + system) / 10 / (performance.now() - began)
  const first = await firstShown(page)
  const delays = [...written].map(([key, time]) => (first.get(key) ?? Number.NaN) - time)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  console.log(
    `from the log of a client to the page: median ${seconds(median(delays))}, longest ${seconds(Math.max(...delays))}`,
  )
  console.log(
    `${delays.length} changes of ${count} logs; CPU of daemon, clients and their logs: ${share.toFixed(1)} % of one core`,
  )
}

const lab = await startImagingLab('127.0.65')
const browser = await startChromium()
try {
  const clients: ImagingClient[] = []
  while (clients.length < count) clients.push(await lab.client())
  const job = await lab.restore(...clients)
  const { page } = await openConsole(browser, lab.host, `/job/${job}`)
  await measure(page, clients)
} finally {
  await browser.close()
  await lab.stop()
}
