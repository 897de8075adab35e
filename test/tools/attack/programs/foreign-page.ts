// A page of another origin sends all that it can to the daemon, in a real browser that knows the token.
import { chromiumProgram, startChromium } from '../../../harness/chromium.ts'
import { attackFromForeignPage, pageOrigins } from '../../../harness/foreign-page.ts'
import { token } from '../../../harness/rest-call.ts'
import type { Attack } from '../attack.ts'
import { connectClient } from '../peers.ts'

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

export const foreignPage: Attack = {
  name: 'foreign-page',
  summary: 'a page of another origin in a browser that has shown /docs (needs chromium)',
  seconds: 60,
  missing: chromiumProgram === undefined ? 'chromium' : undefined,
  async run(target) {
    const [addr = ''] = target.absent
    const agent = await connectClient(target, addr)
    let received = ''
    agent.on('data', bytes => {
      received += bytes.toString('latin1')
    })
    const browser = await startChromium()
    const problems: string[] = []
    let requests = 0
    try {
      for (const [name, origins] of Object.entries(pageOrigins)) {
        const findings = await attackFromForeignPage({
          ...{ browser, origins, port: target.ports.rest, token, commands: commandsFor(addr) },
          paths: ['/clients', '/events', '/scopes', '/client/export'],
          metrics: async () => (await target.call('GET /metrics')).text,
          log: target.log,
        })
        requests += findings.requests
        problems.push(...findings.problems.map(problem => `a page ${name}: ${problem}`))
      }
    } finally {
      await browser.close()
    }
    if (received !== '') problems.push(`an agent received ${received}`)
    return { figures: `${requests} requests of the page`, problems }
  },
}
