// What a restored Linux has of its own: a name, a machine id and SSH host keys.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { personaliseRoot } from '../../host/linux-agent/program/images/personalise.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleet-personalise-'))
const { signal } = new AbortController()
const formerPath = process.env.PATH

// Makes keys in the folder as the system's own program would.
writeFileSync(
  join(folder, 'chroot'),
  '#!/bin/sh\n[ "$2 $3" = "ssh-keygen -A" ] && echo new > "$1/etc/ssh/ssh_host_rsa_key"\n',
)
chmodSync(join(folder, 'chroot'), 0o755)
process.env.PATH = `${folder}:${formerPath}`

const test = suite('personalise')
test.after(() => {
  process.env.PATH = formerPath
  rmSync(folder, { recursive: true, force: true })
})

function createRoot(files: Record<string, string>) {
  const root = mkdtempSync(join(folder, 'root-'))
  for (const name of ['etc/ssh', 'var/lib/dbus']) mkdirSync(join(root, name), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  return { root, read: (path: string) => readFileSync(join(root, path), 'utf8') }
}

const files = {
  'etc/hostname': 'master\n',
  'etc/hosts': '127.0.0.1 localhost\n127.0.1.1\tmaster.example.org master\n# master\n10.0.0.1 masters\n',
  'etc/machine-id': '0123\n',
  'var/lib/dbus/machine-id': '0123\n',
  'etc/ssh/ssh_host_rsa_key': 'old\n',
  'etc/ssh/ssh_host_dsa_key.pub': 'old\n',
  'etc/ssh/sshd_config': 'kept\n',
}

test('it has the name of its record, a machine id at its next start, and new keys', async () => {
  const { root, read } = createRoot(files)
  await personaliseRoot(root, 'pc-7', signal)
  is(read('etc/hostname'), 'pc-7\n')
  is(read('etc/hosts'), '127.0.0.1 localhost\n127.0.1.1\tpc-7.example.org pc-7\n# master\n10.0.0.1 masters\n')
  equal([read('etc/machine-id'), existsSync(join(root, 'var/lib/dbus/machine-id'))], ['', false])
  equal([read('etc/ssh/ssh_host_rsa_key'), read('etc/ssh/sshd_config')], ['new\n', 'kept\n'])
  is(existsSync(join(root, 'etc/ssh/ssh_host_dsa_key.pub')), false)
})

test('without a record it keeps its name, and without host keys it gets none', async () => {
  const { root, read } = createRoot({ 'etc/hostname': 'master\n', 'etc/machine-id': '0123\n' })
  await personaliseRoot(root, undefined, signal)
  equal([read('etc/hostname'), read('etc/machine-id')], ['master\n', ''])
  is(existsSync(join(root, 'etc/ssh/ssh_host_rsa_key')), false)
})

test('nothing is written where a link could lead out of the partition, or no system is', async () => {
  const outside = createRoot(files)
  const { root } = createRoot({})
  rmSync(join(root, 'etc'), { recursive: true })
  symlinkSync(join(outside.root, 'etc'), join(root, 'etc'))
  await personaliseRoot(root, 'pc-7', signal)
  is(outside.read('etc/hostname'), 'master\n')
  const data = createRoot({ 'etc/machine-id': '0123\n' })
  await personaliseRoot(data.root, 'pc-7', signal)
  is(data.read('etc/machine-id'), '0123\n')
})

test.run()
