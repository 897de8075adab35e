// Measures what open consoles cost the daemon: readers of the event stream as the page opens it, at a rate of state changes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { startTestHost, type TestHost, token } from '../../../harness/test-host.ts'
import { atMost, type Measurement } from '../measurement.ts'

/** State changes a second, of so many computers. */
const rate = 1_000
const computers = 2_000
const tick = 10 // ms between two bursts of changes

const addressOf = (index: number) => `127.1.${Math.floor(index / 200)}.${(index % 200) + 1}`

/** In a process of its own: reading costs processor time too. */
const reader = (consoles: number) => `
const { get } = require('node:http')
let bytes = 0
for (let index = 0; index < ${consoles}; index += 1) {
  const headers = { Authorization: ${JSON.stringify(token)} }
  get({ host: '127.0.0.1', port: Number(process.argv[1]), path: '/events?coalesce=250', agent: false, headers }, response => {
    if (index === ${consoles - 1}) console.log('open')
    response.on('data', chunk => (bytes += chunk.length))
    response.on('error', () => {})
  })
}
process.on('disconnect', () => process.exit())
process.on('message', () => process.send(bytes))
`

/** The processor time of the daemon, which is this process, in percent of one core. */
async function load({ host }: TestHost, seconds: number): Promise<number> {
  const [before, began] = [process.cpuUsage(), performance.now()]
  const end = began + seconds * 1000
  let due = 0
  while (performance.now() < end) {
    due += (rate * tick) / 1000
    for (; due >= 1; due -= 1) {
      const addr = addressOf(Math.floor(Math.random() * computers))
      const isBusy = Math.random() < 0.5
      host.events.emit({ type: 'client-state', addr, state: isBusy ? 'BSY' : 'OPG', status: 'oglive' })
    }
    await wait(tick)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 10 / (performance.now() - began)
}

export const openConsoles: Measurement = {
  name: 'open-consoles',
  sizes: [20],
  async run(bench, consoles, { seconds = 10 }) {
    const lab = await startTestHost()
    bench.atEnd(() => lab.stop())
    const without = await load(lab, seconds)
    const child = spawn(process.execPath, ['-e', reader(consoles), String(lab.host.ports.rest)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    bench.atEnd(() => child.disconnect())
    await once(child.stdout ?? child, 'data')
    const measured = await load(lab, seconds)
    child.send('bytes')
    const [bytes] = await once(child, 'message')
    const name = `${consoles} open consoles, ${rate} state changes a second`
    const sent = bytes / consoles / seconds / 1000
    return [
      { figure: `${name}: CPU`, measured, unit: '%', baseline: without, targets: atMost(100) },
      { figure: `${name}: sent to each`, measured: sent, unit: 'kB/s' },
    ]
  },
}
