// Boot files: the shipped modes, what templates and records may hold, and that all files change or none.
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok, unreachable } from 'uvu/assert'
import { type Boot, type BootDeps, createBoot } from '../../host/boot/boot-files.ts'
import { replaceFiles } from '../../host/boot/replace-files.ts'
import type { BootSubject } from '../../host/boot/template.ts'

const folder = mkdtempSync(join(tmpdir(), 'boot-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

const shipped = join(import.meta.dirname, '../../boot-templates')
const silent = { info() {}, warn() {}, error() {} }

interface Site extends Boot {
  templates: string
  output: string
  /** Writes a template; `uefi/x` is the twin of `x`. */
  template(name: string, text: string): void
  /** What lies below the output folder, path → text, also what is hidden. */
  files(): Record<string, string>
}

let sites = 0

function openSite(parts: Partial<BootDeps> = {}): Site {
  const base = join(folder, String(++sites))
  const given = { templates: join(base, 'templates'), output: join(base, 'output'), ...parts }
  mkdirSync(join(base, 'templates/uefi'), { recursive: true })
  return {
    ...given,
    ...createBoot({ server: '10.1.1.1', lang: 'es_ES.UTF-8', log: silent, ...given }),
    template: (name, text) => writeFileSync(join(given.templates, name), text),
    files: () => filesBelow(given.output),
  }
}

function filesBelow(output: string): Record<string, string> {
  const found = ['menu.lst', 'grub'].flatMap(name => {
    const names = readdirSync(output, { withFileTypes: true }).some(entry => entry.name === name)
      ? readdirSync(join(output, name), { withFileTypes: true })
      : []
    return names.filter(entry => entry.isFile()).map(entry => `${name}/${entry.name}`)
  })
  return Object.fromEntries(found.sort().map(path => [path, readFileSync(join(output, path), 'utf8')]))
}

type Part<Key extends 'computer' | 'room'> = Partial<BootSubject[Key]>

function subject(boot: string, computer: Part<'computer'> = {}, room: Part<'room'> = {}): BootSubject {
  return {
    computer: {
      name: 'pc-20',
      ip: '10.1.1.20',
      mac: '001B210a0B0c',
      netmask: '255.255.255.0',
      netiface: 'eth0',
      livedir: 'ogLive',
      boot,
      ...computer,
    },
    room: { name: 'Lab', gateway: '10.1.1.254', ntp: '', dns: '', ...room },
    repository: '10.1.1.2',
    hardprofile: '',
  }
}

const nth = (boot: string, index: number, name = `pc-${index}`) =>
  subject(boot, { name, ip: `10.1.1.${index}`, mac: index.toString(16).padStart(12, '0') })

const [menu, grub] = ['menu.lst/01-00-1B-21-0A-0B-0C', 'grub/01-00:1b:21:0a:0b:0c']

const rendered = suite('the shipped modes')

/** Every field holds what must not reach the file. */
const wild: BootSubject = {
  computer: {
    name: 'Señal "1" $(reboot);\nÀ\u2028`x`',
    ip: '10.1.1.20',
    mac: '001B210a0B0c',
    netmask: '255.255.255.0\r\n',
    netiface: 'eth0:1 | x',
    livedir: "../ogLive-5'",
    boot: '',
  },
  room: { name: "Aula 'Ñandú'\nn.º 1 {a}", gateway: '10.1.1.254 "é"\n}', ntp: '10.1.1.3,10.1.1.4', dns: '' },
  repository: "10.1.1.2\n'ü' && x",
  hardprofile: 'Perfil nº 2 <i7> #1 %ISODIR% 50\\50',
}

const infohost =
  ' LANG=es_ES.UTF-8 ip=10.1.1.20:10.1.1.1:10.1.1.254_e:255.255.255.0:Senal_1_rebootAx:eth01__x:none' +
  ' group=Aula_Nandun._1_a ogrepo=10.1.1.2u__x oglive=10.1.1.1 oglog=10.1.1.1 ogshare=10.1.1.1' +
  ' oglivedir=..ogLive-5 ogprof=false hardprofile=Perfil_n_2_i7_1_ISODIR_5050 ogntp=10.1.1.3,10.1.1.4 vga=788'

const liveMenu = `title Live system
set ISODIR=..ogLive-5
kernel (pd)/%ISODIR%/ogvmlinuz ro boot=oginit og2nd=sqfs ogprotocol=smb ogtmpfs=15 ogactiveadmin=false ${infohost}
initrd (pd)/%ISODIR%/oginitrd.img
boot
`

const liveGrub = `menuentry "Live system" {
  linux (\${network})/\${ISODIR}/ogvmlinuz ro boot=oginit og2nd=sqfs ogprotocol=smb ogtmpfs=15 ogactiveadmin=false ${infohost}
  initrd (\${network})/\${ISODIR}/oginitrd.img
}
`

const diskMenu = `title First disk
rootnoverify (hd0)
chainloader (hd0)+1
boot

`

const diskGrub = `menuentry "First disk" {
  for part in 1 2 3 4; do
    if [ -f "(hd0,\${part})/EFI/BOOT/BOOTX64.EFI" ]; then
      set root=hd0,\${part}
      chainloader /EFI/BOOT/BOOTX64.EFI
      boot
    fi
  done
  # A disk without that loader: the firmware's boot order knows where the installed system is.
  if probe --set=map --partmap (hd0); then
    exit
  fi
}

`

const partition = (n: number, ordinal: string) => ({
  menu: `##BOOT-TEMPLATE 1${n}
# The ${ordinal.toLowerCase()} partition of the first disk; the live system when that cannot be started.
default 0
fallback 1
timeout 0

title ${ordinal} partition of the first disk
rootnoverify (hd0,${n - 1})
chainloader (hd0,${n - 1})+1
boot

${liveMenu}`,
  grub: `##BOOT-TEMPLATE 1${n}
# The ${ordinal.toLowerCase()} partition of the first disk; the live system when that cannot be started.
set default=0
set fallback=1
set timeout=0
insmod part_gpt
insmod part_msdos
set network=\${root}
set ISODIR=..ogLive-5

menuentry "${ordinal} partition of the first disk" {
  # Where restored systems keep the loader of each partition.
  for part in 1 2 3 4; do
    if [ -f "(hd0,\${part})/EFI/Part-01-0${n}/Boot/ogloader.efi" ]; then
      set root=hd0,\${part}
      chainloader /EFI/Part-01-0${n}/Boot/ogloader.efi
      boot
    fi
  done
  set root=hd0,${n}
  if [ -f /EFI/BOOT/BOOTX64.EFI ]; then
    chainloader /EFI/BOOT/BOOTX64.EFI
  elif [ -f /boot/grub/grub.cfg ]; then
    configfile /boot/grub/grub.cfg
  fi
}

${liveGrub}`,
})

const expected: Record<string, { menu: string; grub: string }> = {
  '00unknown': {
    menu: `##BOOT-TEMPLATE 00unknown
# A menu for computers that nobody has registered: their own disk, unless somebody chooses otherwise.
default 0
fallback 4
timeout 10

${diskMenu}title First partition of the first disk
rootnoverify (hd0,0)
chainloader (hd0,0)+1
boot

title Second partition of the first disk
rootnoverify (hd0,1)
chainloader (hd0,1)+1
boot

title Third partition of the first disk
rootnoverify (hd0,2)
chainloader (hd0,2)+1
boot

${liveMenu}
title Restart
reboot

title Power off
halt
`,
    grub: `##BOOT-TEMPLATE 00unknown
# A menu for computers that nobody has registered: their own disk, unless somebody chooses otherwise.
set default=0
set fallback=1
set timeout=10
insmod part_gpt
insmod part_msdos
set network=\${root}
set ISODIR=..ogLive-5

${diskGrub}${liveGrub}
menuentry "Settings of the firmware" {
  fwsetup
}

menuentry "Restart" {
  reboot
}

menuentry "Power off" {
  halt
}
`,
  },
  '10': {
    menu: `##BOOT-TEMPLATE 10
# The boot record of the first disk; the live system when that cannot be started.
default 0
fallback 1
timeout 0

${diskMenu}${liveMenu}`,
    grub: `##BOOT-TEMPLATE 10
# The boot loader of the first disk; the live system when there is no disk.
set default=0
set fallback=1
set timeout=0
insmod part_gpt
insmod part_msdos
set network=\${root}
set ISODIR=..ogLive-5

${diskGrub}${liveGrub}`,
  },
  '11': partition(1, 'First'),
  '12': partition(2, 'Second'),
  '13': partition(3, 'Third'),
  '19pxeADMIN': {
    menu: `##BOOT-TEMPLATE 19pxeADMIN
# The live system in administrator mode, loaded over the network.
default 0
timeout 0

title Live system, administrator
set ISODIR=..ogLive-5
kernel (pd)/%ISODIR%/ogvmlinuz ro boot=oginit og2nd=sqfs ogprotocol=smb ogtmpfs=15 ogactiveadmin=true ${infohost}
initrd (pd)/%ISODIR%/oginitrd.img
boot
`,
    grub: `##BOOT-TEMPLATE 19pxeADMIN
# The live system in administrator mode, loaded over the network.
set default=0
set timeout=0
set ISODIR=..ogLive-5

menuentry "Live system, administrator" {
  linux /\${ISODIR}/ogvmlinuz ro boot=oginit og2nd=sqfs ogprotocol=smb ogtmpfs=15 ogactiveadmin=true ${infohost}
  initrd /\${ISODIR}/oginitrd.img
}
`,
  },
  pxe: {
    menu: `##BOOT-TEMPLATE pxe
# The live system, loaded over the network.
default 0
timeout 0

${liveMenu}`,
    grub: `##BOOT-TEMPLATE pxe
# The live system, loaded over the network.
set default=0
set timeout=0
set ISODIR=..ogLive-5

menuentry "Live system" {
  linux /\${ISODIR}/ogvmlinuz ro boot=oginit og2nd=sqfs ogprotocol=smb ogtmpfs=15 ogactiveadmin=false ${infohost}
  initrd /\${ISODIR}/oginitrd.img
}
`,
  },
}

for (const [mode, files] of Object.entries(expected)) {
  rendered(`${mode}: both files, and nothing of what stored values may hold`, async () => {
    const site = openSite({ templates: shipped })
    const one = { ...wild, computer: { ...wild.computer, boot: mode } }
    is(await site.render([one]), undefined)
    equal(site.files(), { [grub]: files.grub, [menu]: files.menu })
    equal(await site.preview(one), [
      { path: menu, content: files.menu },
      { path: grub, content: files.grub },
    ])
  })
}

rendered('these seven are listed, sorted', async () => {
  equal(await openSite({ templates: shipped }).modes(), Object.keys(expected).sort())
})

rendered.run()

const templates = suite('templates')

/** What a template and a computer become, without the marker's line. */
async function menuOf(text: string, computer: Part<'computer'> = {}, room: Part<'room'> = {}): Promise<string> {
  const site = openSite()
  site.template('own', `##BOOT-TEMPLATE own\n${text}`)
  const files = await site.preview(subject('own', computer, room))
  return typeof files === 'string' ? files : (files[0]?.content.replace('##BOOT-TEMPLATE own\n', '') ?? '')
}

const plainParameters =
  ' LANG=es_ES.UTF-8 ip=10.1.1.20:10.1.1.1:10.1.1.254:255.255.255.0:pc-20:eth0:none group=Lab ogrepo=10.1.1.2' +
  ' oglive=10.1.1.1 oglog=10.1.1.1 ogshare=10.1.1.1 oglivedir=ogLive ogprof=false vga=788'
const withoutLivedir = plainParameters.replace(' oglivedir=ogLive', '')

const texts: Record<string, [string, string]> = {
  'every INFOHOST is replaced': ['a INFOHOST b\nINFOHOST', `a ${plainParameters} b\n${plainParameters}`],
  'vga= with digits goes': ['kernel k vga=791 roINFOHOST vga=1', `kernel k  ro${plainParameters} `],
  'vga= with something else stays': ['vga=ask svga=2 vga=0x317', 'vga=ask svga=2 vga=0x317'],
  'oglivedir= of the template stays': ['k oglivedir=mine INFOHOST', `k oglivedir=mine ${withoutLivedir}`],
  'a longer name than oglivedir= is another one': ['xoglivedir=1INFOHOST', `xoglivedir=1${plainParameters}`],
  'each set ISODIR= gets the live directory': [
    '  set ISODIR=ogOther\nset  ISODIR="a b" # why\nset ISODIR=; x\nset ISODIR=',
    '  set ISODIR=ogLive\nset  ISODIR=ogLive # why\nset ISODIR=ogLive; x\nset ISODIR=ogLive',
  ],
  'CRLF line ends stay': ['set ISODIR=x\r\nINFOHOST\r\n', `set ISODIR=ogLive\r\n${plainParameters}\r\n`],
}

for (const [name, [text, files]] of Object.entries(texts)) {
  templates(name, async () => is(await menuOf(text), files))
}

templates('fields that are empty stay fields', async () => {
  const empty = { name: '', netmask: '', netiface: '', livedir: '' }
  is(
    await menuOf('set ISODIR=x\nINFOHOST', empty, { name: '', gateway: '' }),
    'set ISODIR=\n LANG=es_ES.UTF-8 ip=10.1.1.20:10.1.1.1:::::none group= ogrepo=10.1.1.2 oglive=10.1.1.1' +
      ' oglog=10.1.1.1 ogshare=10.1.1.1 oglivedir= ogprof=false vga=788',
  )
})

templates('hardprofile, ogntp and ogdns are there when they are set', async () => {
  const site = openSite()
  site.template('own', '##BOOT-TEMPLATE own\nINFOHOST')
  const one = { ...subject('own', {}, { ntp: '10.1.1.3', dns: 'fe80::1' }), hardprofile: 'Dell 1' }
  const files = await site.preview(one)
  match(JSON.stringify(files), ' ogprof=false hardprofile=Dell_1 ogntp=10.1.1.3 ogdns=fe80::1 vga=788')
})

templates('a value that reads like a part of a template is only a value', async () => {
  match(await menuOf('INFOHOST', { name: 'INFOHOST' }), ':INFOHOST:eth0')
  match(await menuOf('INFOHOST', {}, { name: "$& $' vga=1 oglivedir=2" }), ' group=__vga1_oglivedir2 ogrepo')
})

templates('the marker of existing sites is one too, and stays', async () => {
  const site = openSite()
  site.template('old', '##NO-TOCAR-ESTA-LINEA old\nINFOHOST\n')
  equal(await site.preview(subject('old')), [
    { path: menu, content: `##NO-TOCAR-ESTA-LINEA old\n${plainParameters}\n` },
  ])
})

templates('listed are regular files only, and links to such', async () => {
  const site = openSite()
  mkdirSync(join(site.templates, 'folder'))
  symlinkSync('nowhere', join(site.templates, 'dangling'))
  for (const name of ['b', 'a', 'B']) site.template(name, 'no marker')
  symlinkSync('a', join(site.templates, 'link'))
  equal(await site.modes(), ['B', 'a', 'b', 'link'])
})

templates('without their folder there are no modes, and the log says why', async () => {
  const lines: string[] = []
  const log = { ...silent, warn: (where: string, what: string) => lines.push(`${where}: ${what}`) }
  const site = openSite({ templates: join(folder, 'nowhere'), log })
  equal(await site.modes(), [])
  is(await site.unusable('pxe'), 'mode: there is no such template, got "pxe"')
  equal(lines, [`boot: ${join(folder, 'nowhere')}: there is no such folder, so there are no boot modes`])
})

templates.run()

const refused = suite('a mode that cannot be used')

const unusable: Record<string, [string, RegExp]> = {
  'no such file': ['pxee', /^mode: there is no such template, expected pxe, got "pxee"$/],
  'no marker': ['bare', /^boot template bare: no marker with a name .*got "kernel k"; ##BOOT-TEMPLATE bare would be/],
  'a marker without a name': ['nameless', /no marker with a name/],
  'a marker with spaces for a name': ['blank', /no marker with a name/],
  'a name in the next line': ['next', /no marker with a name/],
  'a marker in the second line': ['second', /no marker with a name/],
  'a marker without a space': ['joined', /no marker with a name/],
  'an empty file': ['empty', /no marker with a name/],
  'a directory': ['folder', /^boot template folder: no regular file$/],
  'the folder of the twins': ['uefi', /no regular file/],
  'a dangling link': ['dangling', /no regular file/],
  'a twin without a marker': ['bad-twin', /^boot template uefi\/bad-twin: no marker/],
  'a twin that is a directory': ['folder-twin', /^boot template uefi\/folder-twin: no regular file$/],
  'a twin that is a dangling link': ['dangling-twin', /no regular file/],
  'a twin alone': ['only-twin', /no such template/],
  'a path out of the folder': ['../x', /^mode: no file name, got "..\/x"$/],
  'a path into the folder': ['uefi/pxe', /no file name/],
  'a path with a backslash': ['..\\x', /no file name/],
  'no name': ['', /no file name/],
  'the folder itself': ['.', /no file name/],
  'the folder above': ['..', /no file name/],
  'a NUL': ['pxe\0', /no file name/],
  'a name longer than names are': ['x'.repeat(300), /no such template/],
}

function withUnusable(): Site {
  const site = openSite()
  const marked = '##BOOT-TEMPLATE x\n'
  writeFileSync(join(site.templates, '../x'), marked)
  for (const name of ['pxe', 'uefi/pxe', 'bad-twin', 'folder-twin', 'dangling-twin', 'uefi/only-twin']) {
    site.template(name, marked)
  }
  site.template('bare', 'kernel k\n')
  site.template('nameless', '##BOOT-TEMPLATE\n')
  site.template('blank', '##BOOT-TEMPLATE  \t\r\nx')
  site.template('next', '##BOOT-TEMPLATE \nx')
  site.template('second', `\n${marked}`)
  site.template('joined', '##BOOT-TEMPLATEx\n')
  site.template('empty', '')
  site.template('uefi/bad-twin', 'menu\n')
  for (const name of ['folder', 'uefi/folder-twin']) mkdirSync(join(site.templates, name))
  for (const name of ['dangling', 'uefi/dangling-twin']) symlinkSync('nowhere', join(site.templates, name))
  return site
}

for (const [name, [mode, reason]] of Object.entries(unusable)) {
  refused(`${name}: nothing is written`, async () => {
    const site = withUnusable()
    await site.render([nth('pxe', 1)])
    const before = site.files()
    match(String(await site.unusable(mode)), reason)
    match(String(await site.render([nth('pxe', 1, 'other'), nth(mode, 2)])), reason)
    match(String(await site.preview(nth(mode, 2))), reason)
    equal(site.files(), before)
  })
}

refused('a usable one has no reason', async () => is(await withUnusable().unusable('pxe'), undefined))

refused('nor is anything written for a hardware address that is none', async () => {
  const site = withUnusable()
  const reason = await site.render([nth('pxe', 1), subject('pxe', { mac: '../../x' }), nth('pxe', 3)])
  is(reason, 'pc-20: mac: expected 12 hex digits, got "../../x"')
  ok(!readdirSync(join(site.output, '..')).includes('output'))
})

refused.run()

const whole = suite('all or nothing')

/** Five clients with files of mode `a`; `b` has no twin. */
async function withFive(): Promise<Site & { five(boot: string): BootSubject[]; before: Record<string, string> }> {
  const site = openSite()
  for (const name of ['a', 'uefi/a', 'b', 'c', 'uefi/c']) site.template(name, `##BOOT-TEMPLATE ${name}\nINFOHOST\n`)
  const five = (boot: string) => [1, 2, 3, 4, 5].map(index => nth(boot, index))
  is(await site.render(five('a')), undefined)
  return { ...site, five, before: site.files() }
}

async function fails(work: Promise<unknown>, reason: RegExp): Promise<void> {
  await work.then(
    () => unreachable(),
    error => match(String(error), reason),
  )
}

for (const [kind, path] of [
  ['menu', 'menu.lst/01-00-00-00-00-00-03'],
  ['grub', 'grub/01-00:00:00:00:00:03'],
] as const) {
  whole(`the third client's ${kind} file cannot be written: no file changes`, async () => {
    const { output, five, before, render, files } = await withFive()
    rmSync(join(output, path))
    mkdirSync(join(output, path))
    const { [path]: _, ...others } = before
    for (const mode of ['b', 'c']) await fails(render(five(mode)), /EISDIR|ENOTSUP|EPERM|EINVAL/)
    equal(files(), others)
  })
}

whole('a file that cannot take its place after others did: these are put back', async () => {
  const folder = openSite().templates
  const path = (name: string) => join(folder, name)
  const inTheWay = () => {
    rmSync(path('c'))
    mkdirSync(path('c'))
    return 'new'
  }
  for (const name of ['a', 'b', 'c', 'e']) writeFileSync(path(name), 'old')
  const changes = [
    { path: path('a'), content: () => 'new' },
    { path: path('b') },
    { path: path('n'), content: () => 'new' },
    { path: path('c'), content: () => 'new' },
    { path: path('d'), content: inTheWay },
    { path: path('e'), content: () => 'new' },
  ]
  await fails(replaceFiles(changes), /EISDIR/)
  equal(readdirSync(folder), ['a', 'b', 'c', 'e', 'uefi'])
  for (const name of ['a', 'b', 'e']) is(readFileSync(path(name), 'utf8'), 'old')
})

whole('what belongs to it says no: no file changes, and those that were new are gone', async () => {
  const { five, before, render, files } = await withFive()
  is(await render([...five('b'), nth('c', 6)], async () => 'the address is taken'), 'the address is taken')
  equal(files(), before)
})

whole('what belongs to it fails: no file changes', async () => {
  const { five, before, render, files } = await withFive()
  await fails(
    render(five('b'), () => Promise.reject(new Error('disk full'))),
    /disk full/,
  )
  equal(files(), before)
})

whole('what belongs to it sees the files in their places', async () => {
  const { five, render, files } = await withFive()
  let seen = {}
  await render(five('c'), async () => {
    seen = Object.fromEntries(Object.entries(files()).filter(([path]) => !path.includes('/.')))
    return undefined
  })
  equal(files(), seen)
  match(JSON.stringify(seen), /^(?!.*BOOT-TEMPLATE a)/)
})

whole("a mode without a twin takes the client's UEFI file away", async () => {
  const { five, render, files } = await withFive()
  is(await render(five('b').slice(0, 2)), undefined)
  equal(
    Object.keys(files()).filter(path => path.startsWith('grub/')),
    ['grub/01-00:00:00:00:00:03', 'grub/01-00:00:00:00:00:04', 'grub/01-00:00:00:00:00:05'],
  )
})

whole('each client gets the mode that it has', async () => {
  const { render, files } = await withFive()
  is(await render([nth('c', 1), nth('b', 2)]), undefined)
  match(files()['menu.lst/01-00-00-00-00-00-01'] ?? '', '##BOOT-TEMPLATE c\n')
  match(files()['menu.lst/01-00-00-00-00-00-02'] ?? '', '##BOOT-TEMPLATE b\n')
})

whole('two records with one hardware address: the last one counts', async () => {
  const { render, files } = await withFive()
  is(await render([nth('c', 1, 'first'), nth('c', 1, 'last')]), undefined)
  match(files()['menu.lst/01-00-00-00-00-00-01'] ?? '', ':last:eth0:')
})

whole("what a killed daemon has left beside the files is in nobody's way", async () => {
  const { output, five, render, files } = await withFive()
  const beside = (path: string) => join(output, path)
  linkSync(beside('menu.lst/01-00-00-00-00-00-01'), beside('menu.lst/.01-00-00-00-00-00-01.former'))
  writeFileSync(beside('menu.lst/.01-00-00-00-00-00-02.former'), 'rubbish')
  writeFileSync(beside('grub/.01-00:00:00:00:00:02.next'), 'rubbish')
  const before = Object.fromEntries(Object.entries(files()).filter(([path]) => !path.includes('/.')))
  is(await render(five('c'), async () => 'no'), 'no')
  equal(files(), before)
  is(await render(five('c')), undefined)
  is(Object.keys(files()).length, 10)
  ok(!JSON.stringify(files()).match(/rubbish|BOOT-TEMPLATE a/))
})

whole('of two at the same time one is done after the other', async () => {
  const { five, render, files } = await withFive()
  const order: string[] = []
  const ends = (mode: string) => async () => {
    order.push(mode)
    return undefined
  }
  await Promise.all([render(five('c'), ends('c')), render(five('b'), ends('b')), render(five('a'), async () => 'no')])
  equal(order, ['c', 'b'])
  equal(
    Object.values(files()).map(text => text.split('\n', 1)[0]),
    Array.from({ length: 5 }, () => '##BOOT-TEMPLATE b'),
  )
})

whole('a failure does not stop those who wait', async () => {
  const { five, render, files } = await withFive()
  const failed = fails(
    render(five('c'), () => Promise.reject(new Error('no'))),
    /no/,
  )
  is(await render(five('b')), undefined)
  await failed
  is(Object.keys(files()).length, 5)
})

whole('two thousand computers', async () => {
  const site = openSite({ templates: shipped })
  const all = (mode: string) => Array.from({ length: 2000 }, (_, index) => nth(mode, index))
  for (const mode of ['pxe', '11']) {
    is(await site.render(all(mode)), undefined)
    const files = Object.values(site.files())
    is(files.length, 4000)
    ok(files.every(text => text.startsWith(`##BOOT-TEMPLATE ${mode}\n`)))
  }
})

whole.run()

const removed = suite('removing')

removed('both files go, those of others stay, missing ones are no failure', async () => {
  const { remove, files } = await withFive()
  await remove([{ mac: '000000000001' }, { mac: '000000000003' }, { mac: '0000000000FF' }, { mac: 'none' }])
  const left = ['02', '04', '05']
  equal(Object.keys(files()), [
    ...left.map(end => `grub/01-00:00:00:00:00:${end}`),
    ...left.map(end => `menu.lst/01-00-00-00-00-00-${end}`),
  ])
})

removed('without an output folder there is nothing to remove', async () => {
  await openSite().remove([{ mac: '000000000001' }])
})

removed.run()
