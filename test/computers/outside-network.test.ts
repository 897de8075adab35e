// Warnings of addresses that are not in the network of a room: add, update, move, and `fleet computer edit`.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const { fleet, remove } = openShellOf(lab)
await lab.call('POST /center/add', { name: 'Center' })
const room = { netmask: '255.255.255.128', center: 1 }
await lab.call('POST /room/add', { ...room, name: 'Open' })
await lab.call('POST /room/add', { ...room, name: 'Closed', gateway: '10.1.1.126' })

const test = suite('addresses outside of the network of a room')
test.after(async () => {
  remove()
  await lab.stop()
})

const [inside, ip] = ['10.1.1.1', '10.1.1.129']
const outside = `ip: ${ip} is not in 10.1.1.0/25, the network of room Closed (gateway 10.1.1.126)`

async function warningOf(route: string, payload: object) {
  const { status, headers } = await lab.call(route, payload)
  is(status, 200)
  return headers['x-warning']
}

test('a computer that gets into a room with a gateway and is not in its network is stored with a warning', async () => {
  const pc = { name: 'pc-1', mac: '001b210a0b0c', room: 2 }
  is(await warningOf('POST /client/add', { ...pc, ip }), outside)
  is(await warningOf('POST /client/add', { ...pc, name: 'pc-2', mac: '001b210a0b0d', ip: inside }), undefined)
  is(await warningOf('POST /client/update', { ip, boot: 'none' }), undefined)
  is(await warningOf('POST /client/update', { ip, room: 1 }), undefined)
  is(await warningOf('POST /client/update', { ip, room: 2 }), outside)
  is(await warningOf('POST /client/move', { clients: [inside, ip], room: 1 }), undefined)
  is(await warningOf('POST /client/move', { clients: [inside, ip], room: 2 }), outside)
})

test('the address of the network, its broadcast address and that of the gateway are warned of, too', async () => {
  const add = (ip: string, id: number) =>
    warningOf('POST /client/add', { name: `pc-9${id}`, mac: `001b210a0b9${id}`, room: 2, ip })
  const wrong = 'is no address of a computer in 10.1.1.0/25, the network of room Closed'
  is(await add('10.1.1.0', 0), `ip: 10.1.1.0 ${wrong}`)
  is(await add('10.1.1.127', 1), `ip: 10.1.1.127 ${wrong}`)
  is(await add('10.1.1.126', 2), 'ip: 10.1.1.126 is the gateway of room Closed')
})

test('fleet computer add and edit print the warning, and an address that is right is printed without one', async () => {
  const added = await fleet('computer', 'add', 'pc-3', '--ip', '10.9.1.1', '--mac', '001b210a0b0e', '--room', 'Closed')
  const warning = `fleet: warning: ${outside.replace(ip, '10.9.1.1')}\n`
  equal([added.code, added.error], [0, warning])
  is((await fleet('computer', 'edit', 'pc-3', '--ip', '10.1.1.2')).error, '')
  is((await fleet('computer', 'edit', 'pc-3', '--ip', '10.9.1.1')).error, warning)
})

test.run()
