// What the pack dhcp sends to Kea, and what becomes of its refusals.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { addComputer, macOf, moveComputer, rowsOf, statesOf, syncOf } from '../harness/dhcp-lab.ts'
import { withKea } from '../harness/kea-stand-in.ts'

const test = suite('commands to Kea')

test('both servers of a pair get the reservations; when one is away, the other one does', () =>
  withKea([{}, { isDirect: true }], async (lab, one, other) => {
    await lab.set({ kea: { urls: [one?.url, other?.url], user: 'fleet', password: 'very-secret' } })
    await syncOf(lab)
    for (const kea of [one, other])
      equal(
        kea?.config.subnet4[0].reservations.map((entry: Record<string, string>) => entry['ip-address']),
        ['10.77.0.11', '10.77.0.12'],
      )
    is(one?.authorization, `Basic ${Buffer.from('fleet:very-secret').toString('base64')}`)
    await one?.close()
    await moveComputer(lab)
    const [away, reached] = await syncOf(lab)
    match(away.problem, /ECONNREFUSED/)
    equal([reached.problem, reached.changed], [undefined, 1])
    is((await rowsOf(lab))[0].state, 'problem')
    not.match(`${(await lab.get('/packs')).text}${lab.log.join('\n')}`, 'very-secret')
  }))

test('status 200 with result 1 is a failure, shown in the words of Kea', () =>
  withKea([{}], async (lab, kea) => {
    if (kea) kea.refusals['config-test'] = 'There is already a reservation'
    is((await syncOf(lab))[0].problem, 'config-test: There is already a reservation')
    not.ok(kea?.commands.includes('config-set'))
    equal((await rowsOf(lab))[0].detail, 'config-test: There is already a reservation')
    if (kea) kea.refusals = { 'config-write': 'Unable to open file' }
    match((await syncOf(lab))[0].problem, /^in force until Kea starts again.*Unable to open file$/)
    if (kea) kea.refusals = {}
    await syncOf(lab)
    is(kea?.commands.at(-1), 'config-write')
    equal(await statesOf(lab), ['in step'])
  }))

test('with host commands and a hosts database only reservations are sent, and those of others stay', () =>
  withKea([{ hasDatabase: true }], async (lab, kea) => {
    kea?.hosts.push({ 'subnet-id': 7, 'hw-address': '02:00:00:00:00:99', 'ip-address': '10.77.0.99' })
    await addComputer(lab, { ip: '10.78.1.5' })
    await addComputer(lab, { ip: '10.99.0.1', mac: macOf(4) })
    const [{ added, conflicts }] = await syncOf(lab)
    equal(
      [added, conflicts.map(({ reason }: { reason: string }) => reason)],
      [3, ['the server has no subnet with this address']],
    )
    // Two computers exchange their addresses.
    const text = `name,ip,mac\npc-1,10.77.0.12,${macOf(1)}\npc-2,10.77.0.11,${macOf(2)}\n`
    await lab.accepted('/client/import', { format: 'csv', update: true, text })
    is((await syncOf(lab))[0].problem, undefined)
    equal(kea?.hosts.map(host => `${host['subnet-id']} ${host['ip-address']} ${host['hw-address'].slice(-2)}`).sort(), [
      '7 10.77.0.11 02',
      '7 10.77.0.12 01',
      '7 10.77.0.99 99',
      '8 10.78.1.5 03',
    ])
    not.ok(kea?.commands.includes('config-set'))
    await lab.set({ kea: { urls: [kea?.url] }, where: 'name:none' })
    await syncOf(lab)
    equal(
      kea?.hosts.map(host => host['ip-address']),
      ['10.77.0.99'],
    )
  }))

test('reservations move from the configuration to a hosts database that Kea has since got', () =>
  withKea([{}], async (lab, kea) => {
    await syncOf(lab)
    if (kea) kea.config['hosts-databases'] = [{ type: 'mysql' }]
    is((await syncOf(lab))[0].problem, undefined)
    equal([kea?.config.subnet4[0].reservations.length, kea?.hosts.length], [0, 2])
    equal(await statesOf(lab), ['in step'])
  }))

test('automatic: changes of records are written soon, and what a server has lost within minutes', () =>
  withKea([{}], async (lab, kea) => {
    await moveComputer(lab)
    await lab.advance('6 minutes')
    not.ok(kea?.commands.includes('config-set'))
    await lab.set({ automatic: true, kea: { urls: [kea?.url] } })
    await lab.advance('6 minutes')
    is(kea?.config.subnet4[0].reservations.length, 2)
    if (kea) kea.commands.length = 0
    for (const number of [3, 4]) await addComputer(lab, { ip: `10.77.0.1${number}`, mac: macOf(number) })
    await lab.advance('6 seconds')
    equal(
      kea?.commands.filter(command => command === 'config-set'),
      ['config-set'],
    )
    is(kea?.config.subnet4[0].reservations.length, 4)
    if (kea) kea.config.subnet4[0].reservations = []
    await lab.advance('6 minutes')
    is(kea?.config.subnet4[0].reservations.length, 4)
  }))

test('disabled, nothing is served or written, and purged, nothing is kept', () =>
  withKea([{}], async (lab, kea) => {
    await syncOf(lab)
    await lab.set({ automatic: true, kea: { urls: [kea?.url] } })
    await lab.accepted('/pack/disable', { pack: 'dhcp' })
    if (kea) kea.commands.length = 0
    await moveComputer(lab)
    await lab.advance('10 minutes')
    equal([kea?.commands, (await lab.get('/dhcp/dnsmasq')).status], [[], 404])
    await lab.accepted('/pack/purge', { pack: 'dhcp' })
    const { packs } = (await lab.get('/packs')).json
    is(packs.find(({ name }: { name: string }) => name === 'dhcp').documents, 0)
  }))

test.run()
