// Measures what open consoles cost the daemon: readers of the event stream as the page opens it, at a rate of state changes.
//
//   node --import tsx test/tools/bench/open-consoles.ts [--consoles 20] [--rate 1000] [--computers 2000] [--seconds 10]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startTestHost, type TestHost, token } from '../../harness/test-host.ts'

const { values } = parseArgs({
  options: {
    consoles: { type: 'string', default: '20' },
    rate: { type: 'string', default: '1000' },
    computers: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '10' },
  },
})
const consoles = Number(values.consoles)
const rate = Number(values.rate)
const computers = Number(values.computers)
const seconds = Number(values.seconds)
const tick = 10 // ms between two bursts of changes
const addressOf = (index: number) => `127.1.${Math.floor(index / 200)}.${(index % 200) + 1}`

/** In a process of its own: reading costs processor time too. */
const reader = `
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

/** The processor time of the daemon, which is this process, as a share of one core. */
async function load({ host }: TestHost): Promise<number> {
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
  return (user + system) / 1000 / (performance.now() - began)
}

const percent = (share: number) => `${Math.round(share * 100)} % of one core`

const lab = await startTestHost()
const without = await load(lab)
const child = spawn(process.execPath, ['-e', reader, String(lab.host.ports.rest)], {
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
})
try {
  await once(child.stdout ?? child, 'data')
  const withReaders = await load(lab)
  child.send('bytes')
  const [bytes] = await once(child, 'message')
  console.log(`${rate} state changes a second, without a console   ${percent(without)}`)
  console.log(`the same with ${consoles} open consoles                ${percent(withReaders)}`)
  console.log(`sent to each of them                            ${Math.round(bytes / consoles / seconds / 1000)} kB/s`)
} finally {
  child.disconnect()
  await lab.stop()
}
