// Boot files follow the records of computers and rooms: changed records, and deleted ones.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { pathsOf } from '../harness/lab-boot.ts'

const testHost = await startLab({ boot: true })
const { status, files, info, ok } = testHost

const ipOf = (n: number) => `10.1.1.${10 + n}`
const macOf = (n: number) => `02000000000${n}`
const five = [1, 2, 3, 4, 5].map(ipOf)
const menuOf = (n: number) => files()[pathsOf(macOf(n)).menu]
const grubOf = (n: number) => files()[pathsOf(macOf(n)).grub]
const pathsOfAll = (...ns: number[]) => ns.flatMap(n => Object.values(pathsOf(macOf(n)))).sort()

const changed = suite('boot files of changed records')
changed.before(async () => {
  for (const n of [1, 2, 3, 4, 5]) await testHost.addComputer(ipOf(n), { mac: macOf(n), boot: '12' })
})

changed('client/update writes the changed values of a computer', async () => {
  await ok('POST /client/update', { ip: ipOf(1), name: 'renamed', netiface: 'eno1', netmask: '255.255.0.0' })
  for (const text of [menuOf(1), grubOf(1)]) match(text ?? '', ' ip=10.1.1.11:10.1.1.1::255.255.0.0:renamed:eno1:none ')
})

changed('client/update writes the new mode, live directory and repository', async () => {
  await ok('POST /repository/add', { name: 'second', ip: '10.1.1.2' })
  await ok('POST /client/update', { ip: ipOf(1), boot: '11', livedir: 'ogLive-noble', repo_id: 2 })
  match(grubOf(1) ?? '', /^##BOOT-TEMPLATE 11\n/)
  match(grubOf(1) ?? '', ' ogrepo=10.1.1.2 ')
  match(grubOf(1) ?? '', ' oglivedir=ogLive-noble ')
})

changed('a new hardware address renames the boot files', async () => {
  const text = menuOf(1)
  await ok('POST /client/update', { ip: ipOf(1), mac: '02:00:00:00:00:0A' })
  equal([menuOf(1), grubOf(1), files()['menu.lst/01-02-00-00-00-00-0A']], [undefined, undefined, text])
  is((await info(ipOf(1))).mac, '02000000000A')
  await ok('POST /client/update', { ip: ipOf(1), mac: macOf(1) })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
})

changed('another notation of the same hardware address renames no file', async () => {
  await ok('POST /client/update', { ip: ipOf(1), mac: '02-00-00-00-00-01' })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
})

changed('a computer gets its own boot files again when another record no longer has its hardware address', async () => {
  const before = files()
  await ok('POST /client/update', { ip: ipOf(1), mac: macOf(2) })
  match(menuOf(2) ?? '', ' ip=10.1.1.11:')
  await ok('POST /client/update', { ip: ipOf(1), mac: macOf(1) })
  equal(files(), before)
  await testHost.addComputer('10.1.1.99', { mac: macOf(2) })
  await ok('POST /client/delete', { clients: ['10.1.1.99'] })
  equal(files(), before)
})

changed('a mode without a usable template removes the boot files', async () => {
  await ok('POST /client/update', { ip: ipOf(1), boot: 'none' })
  equal(Object.keys(files()), pathsOfAll(2, 3, 4, 5))
  await ok('POST /client/update', { ip: ipOf(1), boot: '11' })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
})

changed('a refused change changes no file', async () => {
  const before = files()
  for (const wrong of [{ room: 99 }, { repo_id: 99 }, { mac: '02' }, { ip: '10.9.9.9' }]) {
    is(await status('POST /client/update', { ip: ipOf(1), name: 'x', mac: macOf(9), boot: 'pxe', ...wrong }), 400)
  }
  equal(files(), before)
  is((await info(ipOf(1))).name, 'renamed')
})

changed('room/update writes the boot files of the computers of that room only', async () => {
  await ok('POST /room/add', { name: 'Other', netmask: '255.255.255.0', center: 1, gateway: '10.2.2.254' })
  await ok('POST /client/update', { ip: ipOf(5), room: 2 })
  match(grubOf(5) ?? '', ':10.2.2.254:255.255.255.0:pc-10.1.1.15:eth0:none group=Other ')
  const before = grubOf(5)
  const change = { name: 'Sala 1', gateway: '10.1.1.254', ntp: '10.1.1.3', dns: '10.1.1.4' }
  await ok('POST /room/update', { room: 1, ...change })
  for (const n of [1, 2, 3, 4]) {
    match(grubOf(n) ?? '', ':10.1.1.254:')
    match(grubOf(n) ?? '', ' group=Sala_1 ')
    match(grubOf(n) ?? '', ' ogntp=10.1.1.3 ogdns=10.1.1.4 ')
  }
  is(grubOf(5), before)
})

changed('a refused room change changes no file, and a failed write of files changes no room', async () => {
  const before = files()
  is(await status('POST /room/update', { room: 1, name: 'Other' }), 400)
  equal(files(), before)
  const path = join(testHost.bootOutput, pathsOf(macOf(3)).menu)
  rmSync(path)
  mkdirSync(path)
  is(await status('POST /room/update', { room: 1, gateway: '10.1.1.253' }), 500)
  is((await testHost.call('GET /room/info', { room: 1 })).json.gateway, '10.1.1.254')
  rmSync(path, { recursive: true })
  await ok('POST /mode', { clients: [ipOf(3)], mode: '12' })
  equal(files(), before)
})

changed('oglive/set stores the live directory and writes the files of each computer in its own mode', async () => {
  await ok('POST /oglive/set', { clients: [ipOf(1), ipOf(2), '10.9.9.9'], name: 'ogLive-5' })
  equal([(await info(ipOf(1))).livedir, (await info(ipOf(2))).livedir], ['ogLive-5', 'ogLive-5'])
  match(grubOf(1) ?? '', /^##BOOT-TEMPLATE 11\n/)
  match(grubOf(2) ?? '', /^##BOOT-TEMPLATE 12\n/)
  for (const n of [1, 2]) match(grubOf(n) ?? '', ' oglivedir=ogLive-5 ')
  match(grubOf(3) ?? '', ' oglivedir=ogLive ')
})

changed('oglive/set with the name default stores ogLive, the live system of new computers', async () => {
  await ok('POST /oglive/set', { clients: [ipOf(1)], name: 'default' })
  is((await testHost.call('GET /client/info', { client: [ipOf(1)] })).json.livedir, 'ogLive')
})

changed('oglive/set refuses other keys and an empty name', async () => {
  const before = files()
  is(await status('POST /oglive/set', { clients: five, name: 'x', mode: 'pxe' }), 400)
  is(await status('POST /oglive/set', { clients: five, name: '' }), 400)
  is(await status('POST /oglive/set', { name: 'x' }), 400)
  equal(files(), before)
})

changed('oglive/set changes nothing when a file of the third of five cannot be written', async () => {
  const path = join(testHost.bootOutput, pathsOf(macOf(3)).grub)
  rmSync(path)
  mkdirSync(path)
  const before = files()
  is(await status('POST /oglive/set', { clients: five, name: 'ogLive-6' }), 500)
  equal(files(), before)
  for (const ip of five) not.equal((await info(ip)).livedir, 'ogLive-6')
  rmSync(path, { recursive: true })
  await ok('POST /mode', { clients: [ipOf(3)], mode: '12' })
})

changed('concurrent requests all take effect, and the boot files match the records', async () => {
  const changes = ['10', '11', '12', '13', 'pxe'].map(mode => testHost.call('POST /mode', { clients: five, mode }))
  const others = [
    testHost.call('POST /room/update', { room: 1, gateway: '10.1.1.250' }),
    testHost.call('POST /room/update', { room: 1, ntp: '10.1.1.251' }),
    testHost.call('POST /oglive/set', { clients: five, name: 'ogLive-7' }),
    testHost.call('POST /client/update', { ip: ipOf(1), name: 'last' }),
  ]
  for (const response of await Promise.all([...others, ...changes])) is(response.status, 200)
  for (const n of [1, 2, 3, 4]) {
    const { boot, livedir, name } = await info(ipOf(n))
    const { json } = await testHost.call('GET /mode/preview', { clients: [ipOf(n)], mode: boot })
    equal(
      json.files.map(({ content }: { content: string }) => content),
      [menuOf(n), grubOf(n)],
    )
    is(livedir, 'ogLive-7')
    is(name, n === 1 ? 'last' : `pc-${ipOf(n)}`)
  }
  const { gateway, ntp } = (await testHost.call('GET /room/info', { room: 1 })).json
  equal([gateway, ntp], ['10.1.1.250', '10.1.1.251'])
})

changed.run()

const deleted = suite('boot files of deleted records')
deleted.after(() => testHost.stop())

deleted('deleting a room removes the boot files of its computers', async () => {
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
  await ok('POST /room/delete', { id: '2' })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4))
})

deleted('deleting a center removes the boot files of its computers', async () => {
  await ok('POST /center/add', { name: 'Another' })
  await ok('POST /room/add', { name: 'Far', netmask: '255.255.255.0', center: 2 })
  await ok('POST /client/update', { ip: ipOf(4), room: 3 })
  await ok('POST /center/delete', { id: '1' })
  equal(Object.keys(files()), pathsOfAll(4))
})

deleted('files that are already missing are ignored', async () => {
  for (const path of pathsOfAll(4)) rmSync(join(testHost.bootOutput, path))
  await ok('POST /client/delete', { clients: [ipOf(4)] })
  equal(files(), {})
})

deleted.run()
