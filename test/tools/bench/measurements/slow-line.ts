// Measures how long a console with an empty cache takes until it shows its computers, at the end of a slow line.
import { type ConsoleLab, startConsoleLab } from '../../../harness/console-page.ts'
import { token } from '../../../harness/test-host.ts'
import { atMost, count, type Measurement, median, repeat } from '../measurement.ts'
import { addComputers, addressOf } from './console-computers.ts'

/** Of the line: milliseconds of each request until its response begins, and bytes a second. */
const latency = 400
const speed = 50_000

async function timeToTiles({ lab, browser }: ConsoleLab): Promise<number> {
  // It has a cache of its own. The login is no part of what is measured.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const url = `http://127.0.0.1:${lab.host.ports.rest}`
  await context.request.post(`${url}/login`, { data: { token } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const line = { offline: false, latency, downloadThroughput: speed, uploadThroughput: speed }
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  const began = performance.now()
  await page.goto(`${url}/console`, { waitUntil: 'commit' })
  await page.locator(`[data-ip="${addressOf(0)}"]`).waitFor({ state: 'attached' })
  const time = performance.now() - began
  await context.close()
  return time
}

export const slowLine: Measurement = {
  name: 'slow-line',
  sizes: [100],
  async run(bench, computers) {
    const lab = await startConsoleLab()
    bench.atEnd(() => lab.stop())
    await addComputers(lab, computers)
    const times = await repeat({ warm: 1, rounds: 5 }, () => timeToTiles(lab))
    const figure = `${count(computers)} tiles over a line of ${latency} ms and ${(speed * 8) / 1000} kbit/s, nothing cached`
    return [{ figure, measured: median(times), unit: 'ms', targets: atMost(3000) }]
  },
}
