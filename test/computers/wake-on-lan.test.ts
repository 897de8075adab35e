// Wake-on-LAN: the magic packets that are sent, and the list entries in state WOL_SENT.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { magicPacket } from '../../host/computers/packet-sender.ts'
import { broadcastOf } from '../../host/system/networks.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { startTestHost } from '../harness/test-host.ts'

const receiver = createSocket('udp4')
receiver.bind(0)
await once(receiver, 'listening')
const folder = mkdtempSync(join(tmpdir(), 'wake-'))
const neighbourTable = join(folder, 'arp')
const writeTable = (text = '') =>
  writeFileSync(neighbourTable, `IP address HW type Flags HW address Mask Device\n${text}`)
writeTable()
const clock = createManualClock()
const [wakePort, options] = [receiver.address().port, { wol: { interface: 'lo' } }]
const testHost = await startTestHost({ wakePort, neighbourTable, clock, options })
const jobs = followJobs(testHost)
await testHost.addComputer('127.0.6.1', { mac: '02:00:7f:00:06:01' })
await testHost.addComputer('127.0.6.2')

interface Entry {
  addr: string
  state: string
}

/** Resolves with the next `count` packets that the daemon sends. */
async function nextPackets(count: number): Promise<Buffer[]> {
  const packets: Buffer[] = []
  const full = new Promise<void>(resolve => {
    const take = (packet: Buffer) => {
      if (packets.push(packet) < count) return
      receiver.off('message', take)
      resolve()
    }
    receiver.on('message', take)
  })
  await full
  return packets
}

const entries = async (): Promise<Entry[]> => (await testHost.call('GET /clients')).json.clients

const test = suite('wake-on-LAN')

test('a magic packet is six times FF and sixteen times the hardware address', () => {
  const packet = magicPacket('001b210a0b0c')
  is(packet.length, 102)
  is(packet.toString('hex'), 'f'.repeat(12) + '001b210a0b0c'.repeat(16))
})

test('the broadcast address is ip | ~netmask', () => {
  is(broadcastOf('10.1.2.3', '255.255.255.0'), '10.1.2.255')
  is(broadcastOf('10.1.2.3', '255.255.252.0'), '10.1.3.255')
  is(broadcastOf('10.1.2.3', '255.255.255.255'), '10.1.2.3')
})

for (const type of ['unicast', '2']) {
  test(`type ${type} sends one packet to the address`, async () => {
    const arrived = nextPackets(1)
    is((await testHost.call('POST /wol', { clients: ['127.0.6.1'], type })).status, 200)
    equal(await arrived, [magicPacket('02007f000601')])
  })
}

for (const type of ['broadcast', '1', 'anything']) {
  test(`type ${type} sends to the broadcast address of wol.interface and to that of the room`, async () => {
    // 127.255.255.255 is the address of the interface; the room's network cannot be reached from the loopback interface.
    const arrived = nextPackets(1)
    is((await testHost.call('POST /wol', { clients: ['127.0.6.1'], type })).status, 200)
    equal((await arrived)[0], magicPacket('02007f000601'))
    if (type === 'anything') await testHost.logged(/wake 127\.0\.6\.1: unknown type anything, sent as broadcast/)
  })
}

test('a woken address is listed before connected agents: WOL_SENT, without speed, with an unknown result', async () => {
  await testHost.agent('127.0.6.9')
  await testHost.call('POST /wol', { clients: ['127.0.6.1', '127.0.6.2'], type: 'unicast' })
  const [first, second, third] = await entries()
  equal(
    [first, second],
    [
      { addr: '127.0.6.2', state: 'WOL_SENT', last_cmd: { result: 'unknown' } },
      { addr: '127.0.6.1', state: 'WOL_SENT', last_cmd: { result: 'unknown' } },
    ],
  )
  is(third?.addr, '127.0.6.9')
})

test('waking the same address again moves its entry to the front', async () => {
  await testHost.call('POST /wol', { clients: ['127.0.6.1'], type: 'unicast' })
  const woken = (await entries()).filter(({ state }) => state === 'WOL_SENT').map(({ addr }) => addr)
  equal(woken, ['127.0.6.1', '127.0.6.2'])
})

test('the entry is removed when the agent connects', async () => {
  await testHost.agent('127.0.6.2')
  equal(
    (await entries()).filter(({ addr }) => addr === '127.0.6.2').map(({ state }) => state),
    ['OPG'],
  )
})

test('a connected agent and an unknown computer get no entry and no packet', async () => {
  await testHost.agent('127.0.6.2')
  const arrived = nextPackets(1)
  const clients = ['127.0.6.2', '10.7.7.7']
  is((await testHost.call('POST /wol', { clients, type: 'unicast' })).status, 200)
  await testHost.call('POST /wol', { clients: ['127.0.6.1'], type: 'unicast' })
  equal(await arrived, [magicPacket('02007f000601')])
  equal(
    (await entries()).filter(({ state }) => state === 'WOL_SENT').map(({ addr }) => addr),
    ['127.0.6.1'],
  )
})

const wake = async (addr: string) => jobIdOf(await testHost.call('POST /wol', { clients: [addr], type: 'unicast' }))

test('the part of a wake-up is sent until the computer connects, then it is a success', async () => {
  await testHost.addComputer('127.0.6.3', { mac: '02:00:7f:00:06:03' })
  const job = await wake('127.0.6.3')
  equal(await jobs.states(job), ['sent'])
  const agent = await testHost.agent('127.0.6.3')
  equal(
    (await jobs.finished(job)).map(({ state, reason }) => [state, reason]),
    [['success', undefined]],
  )
  const gone = testHost.event('client-gone', { addr: '127.0.6.3' })
  agent.destroy()
  await gone
})

test('a computer that does not connect is a failure, with what was sent where and what is known of its address', async () => {
  const reasonOf = async (addr: string) => {
    const job = await wake(addr)
    await clock.advance(59_000)
    equal(await jobs.states(job), ['sent'])
    await clock.advance(1000)
    const [part] = await jobs.finished(job)
    is(part?.state, 'failure')
    return part?.reason ?? ''
  }
  is(
    await reasonOf('127.0.6.1'),
    'did not connect within 60 s; packets for 02007f000601 sent to 127.0.6.1 by lo; ' +
      'the neighbour table does not have it; it has never been woken',
  )
  await testHost.logged(/wake: 127\.0\.6\.1: did not connect within 60 s; packets/)
  const entry = (mac: string) => writeTable(`127.0.6.3 0x1 0x2 ${mac} * eth0\n`)
  entry('02:00:7f:00:06:03')
  match(await reasonOf('127.0.6.3'), /; the neighbour table has the same hardware address; last woken \d{4}-.*Z$/)
  entry('02:00:7f:00:06:99')
  match(await reasonOf('127.0.6.3'), /; the neighbour table has 02007f000699; last woken/)
})

test('a wake-up whose daemon ends fails with that reason', async () => {
  const keeper = await startTestHost({ clock, options: { store: { adapter: 'lowdb', path: './data' } }, wakePort })
  await keeper.addComputer('127.0.6.5')
  const job = jobIdOf(await keeper.call('POST /wol', { clients: ['127.0.6.5'], type: 'unicast' }))
  await keeper.stop('keep')
  const { folder } = keeper
  const next = await startTestHost({ clock, options: { store: { adapter: 'lowdb', path: './data' } }, folder })
  equal(await followJobs(next).outcomes(job), [['failure', 'daemon ended']])
  await next.stop()
})

test.after(async () => {
  receiver.close()
  rmSync(folder, { recursive: true })
  await testHost.stop()
})
test.run()
