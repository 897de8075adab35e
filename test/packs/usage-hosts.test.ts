// Several hosts count a log-in once, also when the host dies to which the computer is connected.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { connectAgent } from '../../host/test-kit/simulated-agent.ts'
import { inFleet } from '../harness/fleet-processes.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 25 }

if (postgresPrograms === undefined) skipFile('postgresql')

const test = suite('usage of several hosts')

test('log-ins on two hosts are counted once each, and not again when one of these dies', () =>
  inFleet({ count: 2 }, async ({ hosts: [a, b] }) => {
    if (!a || !b) throw new Error('expected two hosts')
    const post = async (path: string, payload: object) => is((await a.call(`POST ${path}`, payload)).status, 200, path)
    await post('/pack/enable', { pack: 'usage' })
    await post('/center/add', { name: 'Center' })
    await post('/room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
    const [first, second] = ['127.88.3.1', '127.88.3.2'] as const
    for (const [index, ip] of [first, second].entries())
      await post('/client/add', { name: `pc-${index}`, ip, mac: `02000000000${index}`, room: 1 })
    for (const host of [a, b])
      await pollUntil(async () => JSON.stringify((await host.call('GET /hooks')).json).includes('count-events'))
    const sessions = async () => (await a.call('GET /sessions')).json.sessions.length
    const counts = async () => {
      const [row] = (await a.call('GET /usage?by=month')).json.usage
      return [row?.logins ?? 0, row?.boots ?? 0]
    }
    const one = await connectAgent({ port: a.agents, addr: first })
    const two = await connectAgent({ port: b.agents, addr: second })
    // Those that are reported right after a connection are of before.
    for (const agent of [one, two]) agent.event('start', 'anna')
    await pollUntil(async () => (await sessions()) === 2)
    for (const agent of [one, two]) {
      agent.event('stop', 'anna')
      agent.event('start', 'berta')
    }
    await pollUntil(async () => (await counts())[0] === 2)
    b.program.kill('SIGKILL')
    await b.program.ended
    const again = await connectAgent({ port: a.agents, addr: second })
    again.event('start', 'berta')
    await pollUntil(async () => (await sessions()) === 2)
    // Until a host has taken the hook over, nobody counts.
    await pollUntil(async () => (await a.call('GET /hosts')).json.hosts[0].name === a.name)
    one.event('stop', 'berta')
    one.event('start', 'carla')
    await pollUntil(async () => (await counts())[0] === 3)
    equal(await counts(), [3, 0])
  }))

test.run()
