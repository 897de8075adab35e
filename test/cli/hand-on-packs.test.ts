// `fleet pack pack|add|lock|remove`: archives of packs, written, and put into the folder of a running daemon.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startSite, textCommand } from '../harness/site-folder.ts'
import { type TarEntry, toTar } from '../harness/tar-archive.ts'

export const runs = { seconds: 15 }

const packFile = (version = '1.0.0') => `export default { contract: 3, summary: 'Doors', version: '${version}' }\n`

const site = await startSite({ commands_locked: true })
const { lab, folder } = site
const shell = openShellOf(lab)
const config = shell.write('options.json', JSON.stringify({ commands: [folder] }))
const packs = suite('packs that are handed on')
const before = process.cwd()
process.chdir(shell.folder)
packs.after(async () => {
  process.chdir(before)
  shell.remove()
  await site.stop()
})

const fleetPack = (...args: string[]) => shell.fleet('pack', ...args)
const addPack = (file: string, ...args: string[]) => fleetPack('add', file, '--config', config, '--yes', ...args)

/** Writes the files of the pack `door`; resolves with the path of its archive. */
async function archiveOf(version: string, text: string): Promise<string> {
  shell.write('door/pack.ts', packFile(version))
  shell.write('door/door-text.ts', textCommand(text, 'GET /door'))
  const { code, error } = await fleetPack('pack', 'door')
  equal([code, error], [0, ''])
  return join(shell.folder, `door-${version}.tgz`)
}

/** An archive of any entries. */
const writeTar = (...tar: Parameters<typeof toTar>) => writeBytes(toTar(...tar))

function writeBytes(tar: Buffer): string {
  const file = join(shell.folder, 'hostile.tgz')
  writeFileSync(file, gzipSync(tar))
  return file
}

const doorText = async () => (await lab.call('GET /door')).json?.text

packs('an archive has the same bytes whatever times and modes its files have, and no hidden file', async () => {
  const first = readFileSync(await archiveOf('1.0.0', 'first'))
  shell.write('door/.env', 'secret')
  chmodSync(join(shell.folder, 'door/pack.ts'), 0o600)
  equal(readFileSync(await archiveOf('1.0.0', 'first')), first)
})

packs('a pack with problems, or with a link in it, is not packed', async () => {
  shell.write('bad/pack.ts', packFile())
  shell.write('bad/typo.ts', "export default { summary: 'x', route: 'GET /typo', anwser() {} }\n")
  const refused = await fleetPack('pack', 'bad')
  equal([refused.code, refused.out], [1, ''])
  match(refused.error, /^fleet: pack pack: bad\/typo\.ts:1: command: expected answer, got unknown key "anwser"\n$/)
  rmSync(join(shell.folder, 'bad/typo.ts'))
  symlinkSync('/etc/passwd', join(shell.folder, 'bad/list.txt'))
  match(
    (await fleetPack('pack', 'bad')).error,
    /bad\/list\.txt: expected a file or a folder, got a link or a device\n$/,
  )
  mkdirSync(join(shell.folder, 'empty'))
  match((await fleetPack('pack', 'empty')).error, /expected a folder with a file pack\.ts, got empty\n$/)
  equal(
    readdirSync(shell.folder).filter(name => name.startsWith('bad-')),
    [],
  )
})

packs('a pack is shown, asked for, and in service with its entry in pack.lock', async () => {
  const file = await archiveOf('1.0.0', 'first')
  const asked = await fleetPack('add', file, '--config', config)
  match(asked.out, /^door 1\.0\.0: Doors \(contract 3\)\n {2}door-text\.ts: command that serves GET \/door\n/)
  match(asked.error, /expected --yes, as there is no terminal to ask on: Put door 1\.0\.0 into/)
  equal(readdirSync(folder), [])
  const loaded = site.nextEvent('door/door-text.ts', 'module-loaded')
  match((await addPack(file)).out, /door: door 1\.0\.0 is in place, and in pack\.lock\n$/)
  await loaded
  is(await doorText(), 'first')
  match(
    readFileSync(site.path('pack.lock'), 'utf8'),
    /^\{\n {2}"door": \{"version":"1\.0\.0","digest":"sha256-\w{64}"\}\n\}\n$/,
  )
})

packs('a pack that exists is replaced only with --replace, as a whole and without a gap', async () => {
  const file = await archiveOf('1.1.0', 'second')
  match((await addPack(file)).error, /door exists; --replace replaces it\n$/)
  const loaded = site.nextEvent('door/door-text.ts', 'module-loaded')
  is((await addPack(file, '--replace')).code, 0)
  await loaded
  is(await doorText(), 'second')
  equal(readdirSync(folder).sort(), ['door', 'pack.lock'])
  equal(readdirSync(site.path('door')).sort(), ['door-text.ts', 'pack.ts'])
})

const pack: TarEntry = { path: 'evil/pack.ts', text: packFile() }
const hostile: [string, () => string, RegExp][] = [
  ['a path outside', () => writeTar([pack, { path: 'evil/../../x.ts' }]), /"evil\/\.\.\/\.\.\/x\.ts": expected a path/],
  ['an absolute path', () => writeTar([pack, { path: '/tmp/x.ts' }]), /"\/tmp\/x\.ts": expected a path/],
  ['a second folder', () => writeTar([pack, { path: 'other/x.ts' }]), /expected one folder with the name of a pack/],
  ['a hidden file', () => writeTar([pack, { path: 'evil/.x.ts' }]), /"evil\/\.x\.ts": expected a path/],
  [
    'a link',
    () => writeTar([pack, { path: 'evil/x.ts', type: 'SymbolicLink' }]),
    /expected a file .*, got SymbolicLink/,
  ],
  ['a hard link', () => writeTar([pack, { path: 'evil/x.ts', type: 'Link' }]), /expected a file .*, got Link/],
  ['a device', () => writeTar([pack, { path: 'evil/x', type: 'CharacterDevice' }]), /got CharacterDevice/],
  ['a pipe', () => writeTar([pack, { path: 'evil/x', type: 'FIFO' }]), /got FIFO/],
  ['a file twice', () => writeTar([pack, pack]), /expected each file once/],
  ['a file below a file', () => writeTar([pack, { path: 'evil/pack.ts/x.ts' }]), /ENOTDIR|EEXIST/],
  ['a name that is no pack', () => writeTar([{ ...pack, path: 'Evil/pack.ts' }]), /expected one folder with the name/],
  ['the name of a built-in command', () => writeTar([{ ...pack, path: 'wol/pack.ts' }]), /commands\/wol\.ts exists/],
  ['no pack.ts', () => writeTar([{ path: 'evil/readme.md' }]), /expected a folder with a file pack\.ts/],
  ['a broken file', () => writeTar([pack, { path: 'evil/x.ts', text: 'export default {,' }]), /evil\/x\.ts:1: /],
  [
    'too many files',
    () => writeTar(Array.from({ length: 1001 }, (_, n) => ({ path: `evil/${n}.ts` }))),
    /at most 1000 files/,
  ],
  ['too many bytes', () => writeBytes(Buffer.alloc(40_000_000)), /larger than|buffer/i],
  ['an archive in an archive', () => writeBytes(gzipSync(Buffer.alloc(1000))), /expected a tar archive/],
  ['no end', () => writeTar([pack], { isWhole: false }), /expected the end of the archive/],
  [
    'half a file',
    () => writeBytes(readTar(writeTar([{ ...pack, text: packFile().repeat(30) }])).subarray(0, 1200)),
    /Trunc/,
  ],
  ['damage', () => writeBytes(readTar(writeTar([pack])).fill(7, 0, 20)), /checksum/],
  ['no archive', () => shell.write('hostile.tgz', 'text'), /incorrect header check/],
]

function readTar(file: string): Buffer {
  return gunzipSync(readFileSync(file))
}

for (const [what, write, reason] of hostile)
  packs(`an archive with ${what} is refused with one line and leaves nothing`, async () => {
    const { code, out, error } = await addPack(write())
    equal([code, out, error.trim().split('\n').length], [1, '', 1])
    match(error, /^fleet: pack add: /)
    match(error, reason)
    equal(readdirSync(folder).sort(), ['door', 'pack.lock'])
  })

packs(
  'a folder that is missing or cannot be written, no folder, and a damaged pack.lock are one line each',
  async () => {
    const file = await archiveOf('1.1.0', 'second')
    const addTo = async (commands: string[]) => {
      const other = shell.write('other.json', JSON.stringify({ commands }))
      const { code, error } = await fleetPack('add', file, '--config', other, '--yes')
      return [code, error.replaceAll(shell.folder, '')]
    }
    equal(await addTo(['missing']), [1, 'fleet: pack add: /missing: expected a folder, got none\n'])
    equal(await addTo([]), [2, 'fleet: pack add: --config: expected options with folders in "commands", got none\n'])
    match(String((await addTo(['/sys']))[1]), /^fleet: pack add: E\w+: .*\n$/)
    shell.write('damaged/pack.lock', '[]')
    match(String((await addTo(['damaged']))[1]), /^fleet: pack add: \/damaged\/pack\.lock: expected \{.*\n$/)
    equal(readdirSync(join(shell.folder, 'damaged')), ['pack.lock'])
  },
)

packs('a removed pack is gone with its entry', async () => {
  const removed = site.nextEvent('door/pack.ts', 'module-removed')
  match((await fleetPack('remove', '../door', '--config', config, '--yes')).error, /pack remove: expected a pack in/)
  is((await fleetPack('remove', 'door', '--config', config, '--yes')).code, 0)
  await removed
  equal([existsSync(site.path('door')), readFileSync(site.path('pack.lock'), 'utf8')], [false, '{}\n'])
})

packs.run()
