// What the pack dhcp writes, previews, shows, and leaves alone.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { addComputer, moveComputer, rowsOf, statesOf, syncOf, withDhcpLab as withLab } from '../harness/dhcp-lab.ts'

const test = suite('reservations of DHCP servers')

test('the text for dnsmasq has a line for each computer; names that are none are left out', () =>
  withLab(async lab => {
    for (const [index, name] of ['10h', 'infinite', 'a b,c', 'lab.site.example'].entries())
      await addComputer(lab, { name, ip: `10.77.0.3${index}`, mac: `0200000000a${index}`.toUpperCase() })
    const { text, headers } = await lab.get('/dhcp/dnsmasq')
    match(String(headers['content-type']), /^text\/plain/)
    equal(text.trimEnd().split('\n').slice(1), [
      '02:00:00:00:00:01,10.77.0.11,pc-1',
      '02:00:00:00:00:02,10.77.0.12,pc-2',
      '02:00:00:00:00:a0,10.77.0.30',
      '02:00:00:00:00:a1,10.77.0.31',
      '02:00:00:00:00:a2,10.77.0.32',
      '02:00:00:00:00:a3,10.77.0.33,lab.site.example',
    ])
    const boot = [{ room: 1, next_server: '10.0.0.1', efi64: 'a.efi' }, { bios: 'pxe.0' }]
    is((await lab.set({ boot, where: 'name:pc-1' })).reason, '')
    equal((await lab.get('/dhcp/dnsmasq')).text.trimEnd().split('\n').length, 2)
    equal((await lab.get('/dhcp/dnsmasq?part=options')).text.trimEnd().split('\n').slice(1), [
      'tag:fleet-room-1,option:server-ip-address,10.0.0.1',
      'tag:fleet-room-1,tag:fleet-efi64,option:bootfile-name,a.efi',
      'tag:!fleet-room-1,tag:fleet-bios,option:bootfile-name,pxe.0',
    ])
  }))

test('a preview says what a sync would add, change and remove, and writes nothing', () =>
  withLab(async lab => {
    const hosts_file = join(lab.folder, 'hosts')
    await lab.set({ dnsmasq: { hosts_file } })
    equal((await syncOf(lab, '/dhcp/sync?dry_run=1'))[0].added, 2)
    equal(await statesOf(lab), ['to be synced', 'to be added 10.77.0.11', 'to be added 10.77.0.12'])
    await syncOf(lab)
    await moveComputer(lab)
    await lab.accepted('/client/delete', { clients: ['10.77.0.12'] })
    await addComputer(lab, { ip: '10.77.0.13' })
    const before = readFileSync(hosts_file, 'utf8')
    const preview = (await lab.accepted('/dhcp/sync', { dry_run: true })).json.servers
    equal(
      preview[0].rows.map(({ action, ip, from }: Record<string, string>) => [action, ip, from]),
      [
        ['change', '10.77.0.21', '10.77.0.11'],
        ['remove', '10.77.0.12', undefined],
        ['add', '10.77.0.13', undefined],
      ],
    )
    is(readFileSync(hosts_file, 'utf8'), before)
    const [{ added, changed, removed }] = await syncOf(lab)
    equal([added, changed, removed], [1, 1, 1])
    is(readFileSync(hosts_file, 'utf8'), (await lab.get('/dhcp/dnsmasq')).text)
    equal(await statesOf(lab), ['in step'])
  }))

test('a file of somebody else is not overwritten', () =>
  withLab(async lab => {
    const hosts_file = join(lab.folder, 'hosts')
    writeFileSync(hosts_file, '02:00:00:00:00:aa,10.77.0.9\n')
    match((await lab.set({ dnsmasq: { hosts_file } })).reason, /expected a file of this pack/)
    is(readFileSync(hosts_file, 'utf8'), '02:00:00:00:00:aa,10.77.0.9\n')
  }))

test('a process that is no dnsmasq gets no signal, and the sync is repeated', () =>
  withLab(async lab => {
    const pid_file = join(lab.folder, 'pid')
    writeFileSync(pid_file, `${process.pid}\n`)
    await lab.set({ dnsmasq: { hosts_file: join(lab.folder, 'hosts'), pid_file } })
    for (let times = 0; times < 2; times += 1) match((await syncOf(lab))[0].problem, /expected the number of a dnsmasq/)
    const [row] = await rowsOf(lab)
    is(row.state, 'problem')
    match(row.detail, /expected the number of a dnsmasq/)
  }))

test('addresses that others have, or two records, are conflicts, and the rest is written', () =>
  withLab(async lab => {
    const others = join(lab.folder, 'static.conf')
    writeFileSync(
      others,
      '# by hand\ndhcp-host=02:00:00:00:00:77,10.77.0.11,printer # 1\ndhcp-host=02-00-00-00-00-78,10.77.0.78\n',
    )
    await addComputer(lab, { ip: '10.77.0.41' })
    await addComputer(lab, { ip: '10.77.0.42' })
    await lab.set({ dnsmasq: { hosts_file: join(lab.folder, 'hosts'), others: [others] } })
    const [{ added, conflicts }] = await syncOf(lab)
    is(added, 1)
    equal(
      conflicts.map(({ ip, reason }: Record<string, string>) => `${ip}: ${reason}`),
      [
        '10.77.0.41: 10.77.0.42 has the same hardware address',
        '10.77.0.42: 10.77.0.41 has the same hardware address',
        '10.77.0.11: an entry of others keeps the address for 02:00:00:00:00:77',
      ],
    )
    match((await statesOf(lab)).join('\n'), /without a record 10\.77\.0\.77|without a record 10\.77\.0\.78/)
  }))

test('settings that cannot work are refused', () =>
  withLab(async lab => {
    const reasonOf = async (settings: object) => (await lab.set(settings)).reason
    match(await reasonOf({ where: 'rom:x' }), /there is no field rom/)
    match(await reasonOf({ boot: [{ room: 9, bios: 'x' }] }), /there is no room 9/)
    match(await reasonOf({ boot: [{ room: 1 }, { room: 1 }] }), /one line for room 1/)
    match(await reasonOf({ boot: [{ room: 0 }, {}] }), /one line for room 0/)
    match(await reasonOf({ boot: [{ room: 1, bios: 'a,b' }] }), /bios/)
    match(await reasonOf({ kea: { urls: ['http://user:secret@127.0.0.1/'] } }), /without a login/)
    match(await reasonOf({ kea: { urls: ['http://127.0.0.1:9/'] } }), /Kea http:.*: /)
    match(await reasonOf({ dnsmasq: { hosts_file: '/nowhere/hosts' } }), /nowhere is no folder/)
  }))

test.run()
