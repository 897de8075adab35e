// A page of another origin sends all that it can to the daemon, in a real browser that knows the token.
import { chromiumProgram, startChromium } from '../../harness/chromium.ts'
import { attackFromForeignPage, type Origins } from '../../harness/foreign-page.ts'
import { token } from '../../harness/rest-call.ts'
import type { Attack } from './attack.ts'
import { textUntil } from './peers.ts'

const reads = ['/clients', '/events', '/scopes', '/client/export']

/** Routes that change something or reach agents, with payloads that the daemon would take. */
function commandsFor(addr: string): Record<string, object> {
  const clients = [addr]
  const computer = { name: 'forged', ip: '127.60.9.9', mac: '026000000909', room: 1 }
  return {
    'POST /shell/run': { clients, run: 'id', echo: true },
    'POST /clients': { clients },
    'POST /poweroff': { clients },
    'POST /reboot': { clients },
    'POST /refresh': { clients },
    'POST /stop': { clients },
    'POST /wol': { type: 'broadcast', clients },
    'POST /hardware': { clients },
    'POST /software': { clients, disk: '1', partition: '1' },
    'POST /session': { clients, disk: '1', partition: '1' },
    'POST /mode': { clients, mode: 'pxe' },
    'POST /client/add': computer,
    'POST /client/delete': { clients },
    'POST /center/add': { name: 'forged' },
    'POST /center/delete': { id: '1' },
    'POST /room/add': { name: 'forged', netmask: '255.0.0.0', center: 1 },
    'POST /room/delete': { id: '1' },
    'POST /procedure/add': { center: '1', name: 'forged', steps: [] },
    'POST /repository/add': { name: 'forged', ip: '127.60.9.10' },
    'POST /job/cancel': { id: '1' },
  }
}

const places: Origins[] = [
  { daemon: '127.0.0.1', page: '127.0.0.1' },
  { daemon: '127.0.0.1', page: 'foreign.example' },
  { daemon: 'fleet.example', page: 'other.fleet.example' },
]

export default {
  name: 'foreign-page',
  summary: 'a page of another origin in a browser that has shown /docs (needs chromium)',
  seconds: 60,
  missing: chromiumProgram === undefined ? 'chromium' : undefined,
  async run(target) {
    const addr = target.absent[0] ?? ''
    const agent = await target.agent(addr)
    await textUntil(agent, '/refresh', 2000)
    agent.write('HTTP/1.0 200 OK\r\n\r\n')
    const received: Buffer[] = []
    agent.on('data', bytes => received.push(bytes))
    const browser = await startChromium()
    const problems: string[] = []
    let requests = 0
    try {
      for (const origins of places) {
        const findings = await attackFromForeignPage({
          browser,
          origins,
          port: target.ports.rest,
          token,
          commands: commandsFor(addr),
          paths: reads,
          metrics: async () => (await target.call('GET /metrics')).text,
          log: target.log,
        })
        requests += findings.requests
        const name = `the page ${origins.page} of the daemon ${origins.daemon}`
        problems.push(...findings.problems.map(problem => `${name}: ${problem}`))
      }
    } finally {
      await browser.close()
    }
    if (received.length > 0) problems.push(`an agent received ${Buffer.concat(received).toString('latin1')}`)
    return { figures: `${requests} requests of the page`, problems }
  },
} satisfies Attack
