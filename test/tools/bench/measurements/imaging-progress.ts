// Measures how long the progress of copies takes from a client's log to an open page, and what watching the logs costs.
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startChromium } from '../../../harness/chromium.ts'
import { openConsole } from '../../../harness/console-page.ts'
import { startLab } from '../../../harness/lab.ts'
import type { ImagingClient } from '../../../harness/lab-images.ts'
import { pollUntil } from '../../../harness/poll.ts'
import { atMost, type Measurement, median } from '../measurement.ts'

/** Changes of each log. */
const rounds = 5
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
    await pollUntil(async () => (await firstShown(page)).size >= clients.length * percent)
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

export const imagingProgress: Measurement = {
  name: 'imaging-progress',
  sizes: [100],
  async run(bench, count) {
    const lab = await startLab({ subnet: '127.0.65', logs: {} })
    bench.atEnd(() => lab.stop())
    const browser = await startChromium()
    bench.atEnd(() => browser.close())
    const clients: ImagingClient[] = []
    while (clients.length < count) clients.push(await lab.imagingClient())
    const job = await lab.restore(...clients)
    const { page } = await openConsole(browser, lab, `/job/${job}`)
    const last = page.locator('.part-row').nth(count - 1)
    await last.waitFor({ state: 'attached' })
    await page.evaluate(observer)
    const [cpu, began] = [process.cpuUsage(), performance.now()]
    const written = await writeLogs(clients, page)
    const { user, system } = process.cpuUsage(cpu)
    const share = (user + system) / 10 / (performance.now() - began)
    const first = await firstShown(page)
    const delays = [...written].map(([key, time]) => ((first.get(key) ?? Number.NaN) - time) / 1000)
    const name = `${delays.length} changes of ${count} logs`
    return [
      { figure: `${name}: median until the page shows one`, measured: median(delays), unit: 's' },
      { figure: `${name}: longest`, measured: Math.max(...delays), unit: 's', targets: atMost(6) },
      { figure: `${name}: CPU of daemon, clients and logs`, measured: share, unit: '%' },
    ]
  },
}
