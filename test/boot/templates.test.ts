// Boot templates: the values inserted into them, the list of modes, and modes that cannot be used.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { BootSubject } from '../../host/boot/template.ts'
import { type BootFolder, menuPath, numberedSubject, openBootFolder, subjectOf } from '../harness/boot-folder.ts'

const templates = suite('boot templates')

/** The rendered text of a template, without the line of the marker. */
async function menuOf(
  text: string,
  computer: Partial<BootSubject['computer']> = {},
  room: Partial<BootSubject['room']> = {},
): Promise<string> {
  const folder = openBootFolder()
  folder.template('own', `##BOOT-TEMPLATE own\n${text}`)
  const files = await folder.preview(subjectOf('own', computer, room))
  return typeof files === 'string' ? files : (files[0]?.content.replace('##BOOT-TEMPLATE own\n', '') ?? '')
}

const plainParameters =
  ' LANG=es_ES.UTF-8 ip=10.1.1.20:10.1.1.1:10.1.1.254:255.255.255.0:pc-20:eth0:none group=Lab ogrepo=10.1.1.2' +
  ' oglive=10.1.1.1 oglog=10.1.1.1 ogshare=10.1.1.1 oglivedir=ogLive ogprof=false vga=788'
const withoutLivedir = plainParameters.replace(' oglivedir=ogLive', '')

const texts: Record<string, [string, string]> = {
  'every INFOHOST is replaced': ['a INFOHOST b\nINFOHOST', `a ${plainParameters} b\n${plainParameters}`],
  'vga= with digits is removed': ['kernel k vga=791 roINFOHOST vga=1', `kernel k  ro${plainParameters} `],
  'vga= with another value stays': ['vga=ask svga=2 vga=0x317', 'vga=ask svga=2 vga=0x317'],
  'oglivedir= of the template stays': ['k oglivedir=mine INFOHOST', `k oglivedir=mine ${withoutLivedir}`],
  'a longer name that ends with oglivedir= is another parameter': [
    'xoglivedir=1INFOHOST',
    `xoglivedir=1${plainParameters}`,
  ],
  'each set ISODIR= gets the live directory': [
    '  set ISODIR=ogOther\nset  ISODIR="a b" # why\nset ISODIR=; x\nset ISODIR=',
    '  set ISODIR=ogLive\nset  ISODIR=ogLive # why\nset ISODIR=ogLive; x\nset ISODIR=ogLive',
  ],
  'CRLF line ends stay': ['set ISODIR=x\r\nINFOHOST\r\n', `set ISODIR=ogLive\r\n${plainParameters}\r\n`],
}

for (const [name, [text, files]] of Object.entries(texts)) {
  templates(name, async () => is(await menuOf(text), files))
}

templates('empty values keep their fields', async () => {
  const empty = { name: '', netmask: '', netiface: '', livedir: '' }
  is(
    await menuOf('set ISODIR=x\nINFOHOST', empty, { name: '', gateway: '' }),
    'set ISODIR=\n LANG=es_ES.UTF-8 ip=10.1.1.20:10.1.1.1:::::none group= ogrepo=10.1.1.2 oglive=10.1.1.1' +
      ' oglog=10.1.1.1 ogshare=10.1.1.1 oglivedir= ogprof=false vga=788',
  )
})

templates('hardprofile, ogntp and ogdns are rendered only when they are set', async () => {
  const folder = openBootFolder()
  folder.template('own', '##BOOT-TEMPLATE own\nINFOHOST')
  const subject = { ...subjectOf('own', {}, { ntp: '10.1.1.3', dns: 'fe80::1' }), hardprofile: 'Dell 1' }
  const files = await folder.preview(subject)
  match(JSON.stringify(files), ' ogprof=false hardprofile=Dell_1 ogntp=10.1.1.3 ogdns=fe80::1 vga=788')
})

templates('a slot, parameter or replacement pattern inside a value is inserted as text', async () => {
  match(await menuOf('INFOHOST', { name: 'INFOHOST' }), ':INFOHOST:eth0')
  match(await menuOf('INFOHOST', {}, { name: "$& $' vga=1 oglivedir=2" }), ' group=__vga1_oglivedir2 ogrepo')
})

templates('the marker of existing sites is valid and stays in the boot file', async () => {
  const folder = openBootFolder()
  folder.template('old', '##NO-TOCAR-ESTA-LINEA old\nINFOHOST\n')
  equal(await folder.preview(subjectOf('old')), [
    { path: menuPath, content: `##NO-TOCAR-ESTA-LINEA old\n${plainParameters}\n` },
  ])
})

templates('only regular files and links to them are listed', async () => {
  const folder = openBootFolder()
  mkdirSync(join(folder.templates, 'folder'))
  symlinkSync('nowhere', join(folder.templates, 'dangling'))
  for (const name of ['b', 'a', 'B']) folder.template(name, 'no marker')
  symlinkSync('a', join(folder.templates, 'link'))
  equal(await folder.modes(), ['B', 'a', 'b', 'link'])
})

templates('without a folder of templates there are no modes, and the log has a warning', async () => {
  const lines: string[] = []
  const log = { info() {}, warn: (where: string, what: string) => lines.push(`${where}: ${what}`), error() {} }
  const missing = join(openBootFolder().templates, 'missing')
  const folder = openBootFolder({ templates: missing, log })
  equal(await folder.modes(), [])
  is(await folder.unusable('pxe'), 'mode: expected a boot template, got unknown mode "pxe"')
  equal(lines, [`boot: ${missing}: folder not found, there are no boot modes`])
})

templates.run()

const unusable = suite('unusable boot modes')

const cases: Record<string, [mode: string, reason: RegExp]> = {
  'no such file': ['pxee', /^mode: expected pxe, got unknown mode "pxee"$/],
  'no marker': ['bare', /^boot template bare: expected ##BOOT-TEMPLATE bare in the first line, got "kernel k"$/],
  'a marker without a name': ['nameless', /expected ##BOOT-TEMPLATE/],
  'a marker with spaces for a name': ['blank', /expected ##BOOT-TEMPLATE/],
  'a name in the next line': ['next', /expected ##BOOT-TEMPLATE/],
  'a marker in the second line': ['second', /expected ##BOOT-TEMPLATE/],
  'a marker without a space': ['joined', /expected ##BOOT-TEMPLATE/],
  'an empty file': ['empty', /expected ##BOOT-TEMPLATE/],
  'a directory': ['folder', /^boot template folder: expected a regular file, got a folder$/],
  'the folder of the twins': ['uefi', /expected a regular file, got a folder/],
  'a broken link': ['dangling', /expected a regular file, got a broken link/],
  'a twin without a marker': ['bad-twin', /^boot template uefi\/bad-twin: expected ##BOOT-TEMPLATE/],
  'a twin that is a directory': [
    'folder-twin',
    /^boot template uefi\/folder-twin: expected a regular file, got a folder$/,
  ],
  'a twin that is a broken link': ['dangling-twin', /expected a regular file, got a broken link/],
  'a twin without a template': ['only-twin', /got unknown mode/],
  'a path out of the folder': ['../x', /^mode: expected a file name, got "..\/x"$/],
  'a path into the folder': ['uefi/pxe', /expected a file name/],
  'a path with a backslash': ['..\\x', /expected a file name/],
  'an empty name': ['', /expected a file name/],
  'the folder itself': ['.', /expected a file name/],
  'the folder above': ['..', /expected a file name/],
  'a NUL': ['pxe\0', /expected a file name/],
  'a name that is too long for a file': ['x'.repeat(300), /got unknown mode/],
}

function withUnusableModes(): BootFolder {
  const folder = openBootFolder()
  const marked = '##BOOT-TEMPLATE x\n'
  writeFileSync(join(folder.templates, '../x'), marked)
  for (const name of ['pxe', 'uefi/pxe', 'bad-twin', 'folder-twin', 'dangling-twin', 'uefi/only-twin']) {
    folder.template(name, marked)
  }
  folder.template('bare', 'kernel k\n')
  folder.template('nameless', '##BOOT-TEMPLATE\n')
  folder.template('blank', '##BOOT-TEMPLATE  \t\r\nx')
  folder.template('next', '##BOOT-TEMPLATE \nx')
  folder.template('second', `\n${marked}`)
  folder.template('joined', '##BOOT-TEMPLATEx\n')
  folder.template('empty', '')
  folder.template('uefi/bad-twin', 'menu\n')
  for (const name of ['folder', 'uefi/folder-twin']) mkdirSync(join(folder.templates, name))
  for (const name of ['dangling', 'uefi/dangling-twin']) symlinkSync('nowhere', join(folder.templates, name))
  return folder
}

for (const [name, [mode, reason]] of Object.entries(cases)) {
  unusable(`${name} is an unusable mode, and no file is written`, async () => {
    const folder = withUnusableModes()
    await folder.render([numberedSubject('pxe', 1)])
    const before = folder.files()
    match(String(await folder.unusable(mode)), reason)
    match(String(await folder.render([numberedSubject('pxe', 1, 'other'), numberedSubject(mode, 2)])), reason)
    match(String(await folder.preview(numberedSubject(mode, 2))), reason)
    equal(folder.files(), before)
  })
}

unusable('for a usable mode there is no reason', async () => is(await withUnusableModes().unusable('pxe'), undefined))

unusable('an invalid hardware address is refused, and no file is written', async () => {
  const folder = withUnusableModes()
  const reason = await folder.render([
    numberedSubject('pxe', 1),
    subjectOf('pxe', { mac: '../../x' }),
    numberedSubject('pxe', 3),
  ])
  is(reason, 'pc-20: mac: expected 12 hex digits, got "../../x"')
  ok(!readdirSync(join(folder.output, '..')).includes('output'))
})

unusable.run()
