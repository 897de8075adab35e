// Wake-on-LAN: entries in state WOL_SENT and the magic packets on the wire.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { broadcastOf, magicPacket } from '../../host/computers/magic-packet.ts'
import { startLab } from '../harness/test-host.ts'

const receiver = createSocket('udp4')
receiver.bind(0)
await once(receiver, 'listening')
const lab = await startLab({ wakePort: receiver.address().port, options: { wol: { interface: 'lo' } } })
await lab.addComputer('127.0.6.1', { mac: '02:00:7f:00:06:01' })
await lab.addComputer('127.0.6.2')

interface Entry {
  addr: string
  state: string
}

/** The packets of a wake-up: one a target, and the sender is the daemon. */
async function packets(count: number): Promise<Buffer[]> {
  const seen: Buffer[] = []
  const full = new Promise<void>(resolve => {
    const take = (packet: Buffer) => {
      if (seen.push(packet) < count) return
      receiver.off('message', take)
      resolve()
    }
    receiver.on('message', take)
  })
  await full
  return seen
}

const entries = async (): Promise<Entry[]> => (await lab.call('GET /clients')).json.clients

const test = suite('wake-on-LAN')

test('a packet is six times FF and sixteen times the hardware address', () => {
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
    const arrived = packets(1)
    is((await lab.call('POST /wol', { clients: ['127.0.6.1'], type })).status, 200)
    equal(await arrived, [magicPacket('02007f000601')])
  })
}

for (const type of ['broadcast', '1', 'anything']) {
  test(`type ${type} sends to the broadcast address of wol.interface and to that of the room`, async () => {
    // 127.255.255.255 is the interface's; the room's network is no network of the loopback interface.
    const arrived = packets(1)
    is((await lab.call('POST /wol', { clients: ['127.0.6.1'], type })).status, 200)
    equal((await arrived)[0], magicPacket('02007f000601'))
    if (type === 'anything') await lab.logged(/wake 127\.0\.6\.1: unknown type anything, sent as broadcast/)
  })
}

test('a woken address is shown as WOL_SENT, without speed, the result unknown, before connected agents', async () => {
  await lab.agent('127.0.6.9')
  await lab.call('POST /wol', { clients: ['127.0.6.1', '127.0.6.2'], type: 'unicast' })
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

test('waking the same address again refreshes its entry', async () => {
  await lab.call('POST /wol', { clients: ['127.0.6.1'], type: 'unicast' })
  const woken = (await entries()).filter(({ state }) => state === 'WOL_SENT').map(({ addr }) => addr)
  equal(woken, ['127.0.6.1', '127.0.6.2'])
})

test('the entry ends when the agent connects', async () => {
  await lab.agent('127.0.6.2')
  equal(
    (await entries()).filter(({ addr }) => addr === '127.0.6.2').map(({ state }) => state),
    ['OPG'],
  )
})

test('a connected agent gets neither entry nor packet, an unknown computer nothing', async () => {
  await lab.agent('127.0.6.2')
  const arrived = packets(1)
  const clients = ['127.0.6.2', '10.7.7.7']
  is((await lab.call('POST /wol', { clients, type: 'unicast' })).status, 200)
  await lab.call('POST /wol', { clients: ['127.0.6.1'], type: 'unicast' })
  equal(await arrived, [magicPacket('02007f000601')])
  equal(
    (await entries()).filter(({ state }) => state === 'WOL_SENT').map(({ addr }) => addr),
    ['127.0.6.1'],
  )
})

test.after(async () => {
  receiver.close()
  await lab.stop()
})
test.run()
