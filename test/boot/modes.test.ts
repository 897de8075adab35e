// Boot modes: setting and previewing them, and boot files that follow whatever is told of their computers.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { pathsOf, startBootLab } from '../harness/boot-host.ts'

const lab = await startBootLab()
const { status, files, info } = lab
const ok = async (route: string, payload: unknown) => is(await status(route, payload), 200, lab.log.at(-1))

const ipOf = (n: number) => `10.1.1.${10 + n}`
const macOf = (n: number) => `02000000000${n}`
const five = [1, 2, 3, 4, 5].map(ipOf)
const menuOf = (n: number) => files()[pathsOf(macOf(n)).menu]
const grubOf = (n: number) => files()[pathsOf(macOf(n)).grub]
const bootsOf = async (ips: string[]) => (await Promise.all(ips.map(info))).map(({ boot }) => boot)
const pathsOfAll = (...ns: number[]) => ns.flatMap(n => Object.values(pathsOf(macOf(n)))).sort()

const shipped = ['00unknown', '10', '11', '12', '13', '19pxeADMIN', 'pxe']

const listed = suite('listed modes')

listed('these are the names of the template files, sorted', async () => {
  equal((await lab.call('GET /mode')).json, { modes: shipped })
})

listed('a template that is put there is listed at once, one that is taken away no more', async () => {
  const path = join(lab.templates, '05own')
  writeFileSync(path, '##BOOT-TEMPLATE own\n')
  equal((await lab.call('GET /mode')).json.modes.slice(0, 2), ['00unknown', '05own'])
  rmSync(path)
  equal((await lab.call('GET /mode')).json, { modes: shipped })
})

listed.run()

const added = suite('added computers')

added('client/add writes the boot files of the mode pxe when none is given', async () => {
  await lab.addComputer(ipOf(1), { mac: macOf(1), name: 'pc 1' })
  equal(Object.keys(files()), pathsOfAll(1))
  match(menuOf(1) ?? '', /^##BOOT-TEMPLATE pxe\n/)
  const parameters =
    ' LANG=C ip=10.1.1.11:10.1.1.1::255.255.255.0:pc_1:eth0:none group=Room ogrepo=10.1.1.1 oglive=10.1.1.1' +
    ' oglog=10.1.1.1 ogshare=10.1.1.1 oglivedir=ogLive ogprof=false vga=788'
  await ok('POST /mode', { clients: [ipOf(1)], mode: '11' })
  for (const text of [menuOf(1), grubOf(1)]) is(text?.includes(parameters), true, text)
})

added('client/add writes the files of the mode that is given', async () => {
  await lab.addComputer(ipOf(2), { mac: macOf(2), boot: '10' })
  match(grubOf(2) ?? '', /^##BOOT-TEMPLATE 10\n/)
})

added('a computer whose mode names no usable template is stored without boot files', async () => {
  await lab.addComputer(ipOf(3), { mac: macOf(3), boot: '../pxe' })
  is((await info(ipOf(3))).boot, '../pxe')
  equal(Object.keys(files()), pathsOfAll(1, 2))
  await ok('POST /client/delete', { clients: [ipOf(3)] })
})

added('a computer that is refused gets no boot files, and those of the one in its way stay', async () => {
  const before = files()
  for (const wrong of [{ room: 99 }, { repo_id: 99 }, { ip: ipOf(1) }, { ip: ipOf(1), mac: macOf(1) }]) {
    is(await status('POST /client/add', { name: 'x', ip: ipOf(9), mac: macOf(9), room: 1, ...wrong }), 400)
  }
  equal(files(), before)
})

added('deleting a computer removes its boot files', async () => {
  await ok('POST /client/delete', { clients: [ipOf(2)] })
  equal(Object.keys(files()), pathsOfAll(1))
})

added.run()

const set = suite('setting a mode')
set.before(() => {
  writeFileSync(join(lab.templates, '../x'), '##BOOT-TEMPLATE x\n')
  writeFileSync(join(lab.templates, 'bare'), 'timeout 0\n##BOOT-TEMPLATE bare\n')
  writeFileSync(join(lab.templates, 'nameless'), '##BOOT-TEMPLATE \n')
  mkdirSync(join(lab.templates, 'folder'))
  symlinkSync('nowhere', join(lab.templates, 'dangling'))
})

set('the files and the stored mode of all listed computers change', async () => {
  for (const n of [2, 3, 4, 5]) await lab.addComputer(ipOf(n), { mac: macOf(n) })
  await ok('POST /mode', { clients: five, mode: '12' })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
  for (const text of Object.values(files())) match(text, /^##BOOT-TEMPLATE 12\n/)
  equal(await bootsOf(five), ['12', '12', '12', '12', '12'])
})

set('addresses without a computer record are skipped, repeated ones count once', async () => {
  await ok('POST /mode', { clients: ['10.9.9.9', ipOf(2), ipOf(2), '10.9.9.8'], mode: '13' })
  equal(await bootsOf(five), ['12', '13', '12', '12', '12'])
  match(menuOf(2) ?? '', /^##BOOT-TEMPLATE 13\n/)
  await ok('POST /mode', { clients: ['10.9.9.9'], mode: 'pxe' })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
})

set("a mode without a twin removes the client's UEFI file", async () => {
  writeFileSync(join(lab.templates, 'old'), '##NO-TOCAR-ESTA-LINEA old\nINFOHOST\n')
  await ok('POST /mode', { clients: [ipOf(2)], mode: 'old' })
  match(menuOf(2) ?? '', /^##NO-TOCAR-ESTA-LINEA old\n LANG=C ip=10\.1\.1\.12:/)
  is(grubOf(2), undefined)
  await ok('POST /mode', { clients: [ipOf(2)], mode: '12' })
  match(grubOf(2) ?? '', /^##BOOT-TEMPLATE 12\n/)
})

for (const kind of ['menu', 'grub'] as const) {
  set(`a ${kind} file that cannot be written for the third of five: no file and no stored mode changes`, async () => {
    const path = pathsOf(macOf(3))[kind]
    rmSync(join(lab.output, path))
    mkdirSync(join(lab.output, path))
    const before = files()
    is(await status('POST /mode', { clients: five, mode: '11' }), 500)
    equal(files(), before)
    equal(await bootsOf(five), ['12', '12', '12', '12', '12'])
    rmSync(join(lab.output, path), { recursive: true })
    await ok('POST /mode', { clients: [ipOf(3)], mode: '12' })
  })
}

const unusable: Record<string, string> = {
  'an unknown mode': 'pxee',
  'a mode without a marker': 'bare',
  'a mode without a name after the marker': 'nameless',
  'a directory': 'folder',
  'the folder of the twins': 'uefi',
  'a dangling link': 'dangling',
  'a path out of the folder': '../x',
  'a path into the folder': 'uefi/pxe',
  'no name': '',
  'a name with a NUL': 'pxe\0',
}

for (const [name, mode] of Object.entries(unusable)) {
  set(`${name}: 400, and nothing is written or stored`, async () => {
    const before = files()
    is(await status('POST /mode', { clients: five, mode }), 400)
    is(await status('POST /mode', { clients: ['10.9.9.9'], mode }), 400)
    is(await status('GET /mode/preview', { clients: [ipOf(1)], mode }), 400)
    equal(files(), before)
    equal(await bootsOf(five), ['12', '12', '12', '12', '12'])
  })
}

set('any other key than clients and mode is a failure', async () => {
  is(await status('POST /mode', { clients: five, mode: 'pxe', force: true }), 400)
  is(await status('POST /mode', { mode: 'pxe' }), 400)
  is(await status('POST /mode', { clients: five }), 400)
  equal(await bootsOf(five), ['12', '12', '12', '12', '12'])
})

set.run()

const preview = suite('previewing a mode')

preview('shows the files that setting it writes, and writes nothing', async () => {
  const before = files()
  const { json } = await lab.call('GET /mode/preview', { clients: [ipOf(1)], mode: '10' })
  equal(files(), before)
  await ok('POST /mode', { clients: [ipOf(1)], mode: '10' })
  const { menu, grub } = pathsOf(macOf(1))
  equal(json, {
    files: [
      { path: menu, content: files()[menu] },
      { path: grub, content: files()[grub] },
    ],
  })
})

preview('a mode without a twin has one file', async () => {
  const { json } = await lab.call('GET /mode/preview', { clients: [ipOf(1)], mode: 'old' })
  equal(
    json.files.map(({ path }: { path: string }) => path),
    [pathsOf(macOf(1)).menu],
  )
})

preview('is for exactly one address, which has a record', async () => {
  for (const clients of [[], [ipOf(1), ipOf(2)], ['10.9.9.9'], [1], ipOf(1)]) {
    is(await status('GET /mode/preview', { clients, mode: 'pxe' }), 400)
  }
})

preview.run()

const follows = suite('boot files follow')

follows('what client/update changes of a computer', async () => {
  await ok('POST /client/update', { ip: ipOf(1), name: 'renamed', netiface: 'eno1', netmask: '255.255.0.0' })
  for (const text of [menuOf(1), grubOf(1)]) match(text ?? '', ' ip=10.1.1.11:10.1.1.1::255.255.0.0:renamed:eno1:none ')
})

follows('the mode, the live directory and the repository that client/update gives', async () => {
  await ok('POST /repository/add', { name: 'second', ip: '10.1.1.2' })
  await ok('POST /client/update', { ip: ipOf(1), boot: '11', livedir: 'ogLive-noble', repo_id: 2 })
  match(grubOf(1) ?? '', /^##BOOT-TEMPLATE 11\n/)
  match(grubOf(1) ?? '', ' ogrepo=10.1.1.2 ')
  match(grubOf(1) ?? '', ' oglivedir=ogLive-noble ')
})

follows('a changed hardware address: the files have its name, the old ones are gone', async () => {
  const text = menuOf(1)
  await ok('POST /client/update', { ip: ipOf(1), mac: '02:00:00:00:00:0A' })
  equal([menuOf(1), grubOf(1), files()['menu.lst/01-02-00-00-00-00-0A']], [undefined, undefined, text])
  is((await info(ipOf(1))).mac, '02000000000A')
  await ok('POST /client/update', { ip: ipOf(1), mac: macOf(1) })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
})

follows('the same hardware address in another notation changes no name', async () => {
  await ok('POST /client/update', { ip: ipOf(1), mac: '02-00-00-00-00-01' })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
})

follows(
  'a hardware address that another computer has: its files are its own again when the mistake is mended',
  async () => {
    const before = files()
    await ok('POST /client/update', { ip: ipOf(1), mac: macOf(2) })
    match(menuOf(2) ?? '', ' ip=10.1.1.11:')
    await ok('POST /client/update', { ip: ipOf(1), mac: macOf(1) })
    equal(files(), before)
    await lab.addComputer('10.1.1.99', { mac: macOf(2) })
    await ok('POST /client/delete', { clients: ['10.1.1.99'] })
    equal(files(), before)
  },
)

follows('a mode without a usable template leaves no file to boot from', async () => {
  await ok('POST /client/update', { ip: ipOf(1), boot: 'none' })
  equal(Object.keys(files()), pathsOfAll(2, 3, 4, 5))
  await ok('POST /client/update', { ip: ipOf(1), boot: '11' })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
})

follows('a change that is refused changes no file', async () => {
  const before = files()
  for (const wrong of [{ room: 99 }, { repo_id: 99 }, { mac: '02' }, { ip: '10.9.9.9' }]) {
    is(await status('POST /client/update', { ip: ipOf(1), name: 'x', mac: macOf(9), boot: 'pxe', ...wrong }), 400)
  }
  equal(files(), before)
  is((await info(ipOf(1))).name, 'renamed')
})

follows('room/update: of the computers of that room alone', async () => {
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

follows('a room that cannot be changed changes no file, files that cannot be written change no room', async () => {
  const before = files()
  is(await status('POST /room/update', { room: 1, name: 'Other' }), 400)
  equal(files(), before)
  const path = join(lab.output, pathsOf(macOf(3)).menu)
  rmSync(path)
  mkdirSync(path)
  is(await status('POST /room/update', { room: 1, gateway: '10.1.1.253' }), 500)
  is((await lab.call('GET /room/info', { room: 1 })).json.gateway, '10.1.1.254')
  rmSync(path, { recursive: true })
  await ok('POST /mode', { clients: [ipOf(3)], mode: '12' })
  equal(files(), before)
})

follows('oglive/set stores the live directory and writes it, each computer in its mode', async () => {
  await ok('POST /oglive/set', { clients: [ipOf(1), ipOf(2), '10.9.9.9'], name: 'ogLive-5' })
  equal([(await info(ipOf(1))).livedir, (await info(ipOf(2))).livedir], ['ogLive-5', 'ogLive-5'])
  match(grubOf(1) ?? '', /^##BOOT-TEMPLATE 11\n/)
  match(grubOf(2) ?? '', /^##BOOT-TEMPLATE 12\n/)
  for (const n of [1, 2]) match(grubOf(n) ?? '', ' oglivedir=ogLive-5 ')
  match(grubOf(3) ?? '', ' oglivedir=ogLive ')
})

follows('oglive/set refuses any other key, and an empty name', async () => {
  const before = files()
  is(await status('POST /oglive/set', { clients: five, name: 'x', mode: 'pxe' }), 400)
  is(await status('POST /oglive/set', { clients: five, name: '' }), 400)
  is(await status('POST /oglive/set', { name: 'x' }), 400)
  equal(files(), before)
})

follows('oglive/set for all or none: the third of five cannot be written', async () => {
  const path = join(lab.output, pathsOf(macOf(3)).grub)
  rmSync(path)
  mkdirSync(path)
  const before = files()
  is(await status('POST /oglive/set', { clients: five, name: 'ogLive-6' }), 500)
  equal(files(), before)
  for (const ip of five) not.equal((await info(ip)).livedir, 'ogLive-6')
  rmSync(path, { recursive: true })
  await ok('POST /mode', { clients: [ipOf(3)], mode: '12' })
})

follows('all of several requests at once, whichever is done first', async () => {
  const changes = ['10', '11', '12', '13', 'pxe'].map(mode => lab.call('POST /mode', { clients: five, mode }))
  const others = [
    lab.call('POST /room/update', { room: 1, gateway: '10.1.1.250' }),
    lab.call('POST /room/update', { room: 1, ntp: '10.1.1.251' }),
    lab.call('POST /oglive/set', { clients: five, name: 'ogLive-7' }),
    lab.call('POST /client/update', { ip: ipOf(1), name: 'last' }),
  ]
  for (const answer of await Promise.all([...others, ...changes])) is(answer.status, 200)
  for (const n of [1, 2, 3, 4]) {
    const { boot, livedir, name } = await info(ipOf(n))
    const { json } = await lab.call('GET /mode/preview', { clients: [ipOf(n)], mode: boot })
    equal(
      json.files.map(({ content }: { content: string }) => content),
      [menuOf(n), grubOf(n)],
    )
    is(livedir, 'ogLive-7')
    is(name, n === 1 ? 'last' : `pc-${ipOf(n)}`)
  }
  const { gateway, ntp } = (await lab.call('GET /room/info', { room: 1 })).json
  equal([gateway, ntp], ['10.1.1.250', '10.1.1.251'])
})

follows.run()

const gone = suite('what is deleted')
gone.after(() => lab.stop())

gone('has no boot files: computers of a room', async () => {
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4, 5))
  await ok('POST /room/delete', { id: '2' })
  equal(Object.keys(files()), pathsOfAll(1, 2, 3, 4))
})

gone('has no boot files: computers of a center', async () => {
  await ok('POST /center/add', { name: 'Another' })
  await ok('POST /room/add', { name: 'Far', netmask: '255.255.255.0', center: 2 })
  await ok('POST /client/update', { ip: ipOf(4), room: 3 })
  await ok('POST /center/delete', { id: '1' })
  equal(Object.keys(files()), pathsOfAll(4))
})

gone('files that are missing already are no failure', async () => {
  for (const path of pathsOfAll(4)) rmSync(join(lab.output, path))
  await ok('POST /client/delete', { clients: [ipOf(4)] })
  equal(files(), {})
})

gone.run()
