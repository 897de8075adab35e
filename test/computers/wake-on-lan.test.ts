// Wake-on-LAN: the magic packets that are sent, and the list entries in state WOL_SENT.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { broadcastOf, magicPacket } from '../../host/computers/wake-on-lan.ts'
import { startTestHost } from '../harness/test-host.ts'

const receiver = createSocket('udp4')
receiver.bind(0)
await once(receiver, 'listening')
const testHost = await startTestHost({ wakePort: receiver.address().port, options: { wol: { interface: 'lo' } } })
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

test.after(async () => {
  receiver.close()
  await testHost.stop()
})
test.run()
