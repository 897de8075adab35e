// Boot modes: listing, setting and previewing them, and the boot files of new computers.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'
import { pathsOf } from '../harness/lab-boot.ts'

const testHost = await startLab({ boot: true })
const { status, files, info, ok } = testHost

const ipOf = (n: number) => `10.1.1.${10 + n}`
const macOf = (n: number) => `02000000000${n}`
const five = [1, 2, 3, 4, 5].map(ipOf)
const menuOf = (n: number) => files()[pathsOf(macOf(n)).menu]
const grubOf = (n: number) => files()[pathsOf(macOf(n)).grub]
const bootsOf = async (ips: string[]) => (await Promise.all(ips.map(info))).map(({ boot }) => boot)
const pathsOfAll = (...ns: number[]) => ns.flatMap(n => Object.values(pathsOf(macOf(n)))).sort()

const shipped = ['00unknown', '10', '11', '12', '13', '19pxeADMIN', 'pxe']

const listed = suite('list of boot modes')

listed('the modes are the names of the template files, sorted', async () => {
  equal((await testHost.call('GET /mode')).json, { modes: shipped })
})

listed('a new template is listed at once, a deleted one is not listed any more', async () => {
  const path = join(testHost.templates, '05own')
  writeFileSync(path, '##BOOT-TEMPLATE own\n')
  equal((await testHost.call('GET /mode')).json.modes.slice(0, 2), ['00unknown', '05own'])
  rmSync(path)
  equal((await testHost.call('GET /mode')).json, { modes: shipped })
})

listed('with descriptions in the query the modes have the words of the second line of their templates', async () => {
  const path = join(testHost.templates, '05own')
  writeFileSync(path, '##BOOT-TEMPLATE own\ntimeout 0\n')
  const { modes, descriptions } = (await testHost.call('GET /mode?descriptions=1')).json
  equal([modes.length, descriptions.length], [shipped.length + 1, shipped.length])
  equal(descriptions.at(-1), { mode: 'pxe', description: 'The live system, loaded over the network.' })
  rmSync(path)
})

listed.run()

const added = suite('boot files of new computers')

added('client/add writes the boot files of the mode pxe when none is given', async () => {
  await testHost.addComputer(ipOf(1), { mac: macOf(1), name: 'pc 1' })
  equal(Object.keys(files()), pathsOfAll(1))
  match(menuOf(1) ?? '', /^##BOOT-TEMPLATE pxe\n/)
  const parameters =
    ' LANG=C ip=10.1.1.11:10.1.1.1::255.255.255.0:pc_1:eth0:none group=Room ogrepo=10.1.1.1 oglive=10.1.1.1' +
    ' oglog=10.1.1.1 ogshare=10.1.1.1 oglivedir=ogLive ogprof=false vga=788'
  await ok('POST /mode', { clients: [ipOf(1)], mode: '11' })
  for (const text of [menuOf(1), grubOf(1)]) is(text?.includes(parameters), true, text)
})

added('client/add writes the boot files of the mode in the payload', async () => {
  await testHost.addComputer(ipOf(2), { mac: macOf(2), boot: '10' })
  match(grubOf(2) ?? '', /^##BOOT-TEMPLATE 10\n/)
})

added('a computer whose mode has no usable template is stored without boot files', async () => {
  await testHost.addComputer(ipOf(3), { mac: macOf(3), boot: '../pxe' })
  is((await info(ipOf(3))).boot, '../pxe')
  equal(Object.keys(files()), pathsOfAll(1, 2))
  await ok('POST /client/delete', { clients: [ipOf(3)] })
})

added('a refused computer gets no boot files, and those of other computers stay', async () => {
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

const set = suite('setting a boot mode')
set.before(() => {
  writeFileSync(join(testHost.templates, '../x'), '##BOOT-TEMPLATE x\n')
  writeFileSync(join(testHost.templates, 'bare'), 'timeout 0\n##BOOT-TEMPLATE bare\n')
  writeFileSync(join(testHost.templates, 'nameless'), '##BOOT-TEMPLATE \n')
  mkdirSync(join(testHost.templates, 'folder'))
  symlinkSync('nowhere', join(testHost.templates, 'dangling'))
})

set('the boot files and the stored mode of all listed computers change', async () => {
  for (const n of [2, 3, 4, 5]) await testHost.addComputer(ipOf(n), { mac: macOf(n) })
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
  writeFileSync(join(testHost.templates, 'old'), '##NO-TOCAR-ESTA-LINEA old\nINFOHOST\n')
  await ok('POST /mode', { clients: [ipOf(2)], mode: 'old' })
  match(menuOf(2) ?? '', /^##NO-TOCAR-ESTA-LINEA old\n LANG=C ip=10\.1\.1\.12:/)
  is(grubOf(2), undefined)
  await ok('POST /mode', { clients: [ipOf(2)], mode: '12' })
  match(grubOf(2) ?? '', /^##BOOT-TEMPLATE 12\n/)
})

for (const kind of ['menu', 'grub'] as const) {
  set(`no file and no stored mode changes when the ${kind} file of the third of five cannot be written`, async () => {
    const path = pathsOf(macOf(3))[kind]
    rmSync(join(testHost.bootOutput, path))
    mkdirSync(join(testHost.bootOutput, path))
    const before = files()
    is(await status('POST /mode', { clients: five, mode: '11' }), 500)
    equal(files(), before)
    equal(await bootsOf(five), ['12', '12', '12', '12', '12'])
    rmSync(join(testHost.bootOutput, path), { recursive: true })
    await ok('POST /mode', { clients: [ipOf(3)], mode: '12' })
  })
}

const unusableModes: Record<string, string> = {
  'an unknown mode': 'pxee',
  'a mode without a marker': 'bare',
  'a mode without a name after the marker': 'nameless',
  'a directory': 'folder',
  'the folder of the twins': 'uefi',
  'a broken link': 'dangling',
  'a path out of the folder': '../x',
  'a path into the folder': 'uefi/pxe',
  'an empty name': '',
  'a name with a NUL': 'pxe\0',
}

for (const [name, mode] of Object.entries(unusableModes)) {
  set(`${name} is refused with 400, and nothing is written or stored`, async () => {
    const before = files()
    is(await status('POST /mode', { clients: five, mode }), 400)
    is(await status('POST /mode', { clients: ['10.9.9.9'], mode }), 400)
    is(await status('GET /mode/preview', { clients: [ipOf(1)], mode }), 400)
    equal(files(), before)
    equal(await bootsOf(five), ['12', '12', '12', '12', '12'])
  })
}

set('a key other than clients and mode is refused with 400', async () => {
  is(await status('POST /mode', { clients: five, mode: 'pxe', force: true }), 400)
  is(await status('POST /mode', { mode: 'pxe' }), 400)
  is(await status('POST /mode', { clients: five }), 400)
  equal(await bootsOf(five), ['12', '12', '12', '12', '12'])
})

set.run()

const preview = suite('preview of a boot mode')
preview.after(() => testHost.stop())

preview('the preview has the files that setting the mode writes, and writes nothing', async () => {
  const before = files()
  const { json } = await testHost.call('GET /mode/preview', { clients: [ipOf(1)], mode: '10' })
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

preview('the preview of a mode without a twin has one file', async () => {
  const { json } = await testHost.call('GET /mode/preview', { clients: [ipOf(1)], mode: 'old' })
  equal(
    json.files.map(({ path }: { path: string }) => path),
    [pathsOf(macOf(1)).menu],
  )
})

preview('the preview takes exactly one address, which has a record', async () => {
  for (const clients of [[], [ipOf(1), ipOf(2)], ['10.9.9.9'], [1], ipOf(1)]) {
    is(await status('GET /mode/preview', { clients, mode: 'pxe' }), 400)
  }
})

preview.run()
