// Gives a restored Linux what only one computer may have: its name, its machine id and its SSH host keys.
import { lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../machine.ts'
import { whileMounted } from './mounted.ts'

/** `name`: of the computer; undefined for one without a record, which keeps that of the image. Other systems stay as they are. */
export async function personalise(
  device: string,
  filesystem: string,
  name: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!/^(ext[234]|xfs|btrfs)$/.test(filesystem)) return
  await whileMounted(device, 'rw', signal, root => personaliseRoot(root, name, signal))
}

/** `root`: the folder in which it is mounted. */
export async function personaliseRoot(root: string, name: string | undefined, signal: AbortSignal): Promise<void> {
  // Links of the image could lead out of it.
  for (const folder of ['etc', 'etc/ssh', 'var', 'var/lib', 'var/lib/dbus'])
    if (await isLink(join(root, folder))) return
  if (!(await isFile(join(root, 'etc/hostname')))) return
  if (name !== undefined) await setName(root, name)
  await renewMachineId(root)
  await renewHostKeys(root, signal)
}

const isFile = (path: string) =>
  lstat(path).then(
    stats => stats.isFile(),
    () => false,
  )
const isLink = (path: string) =>
  lstat(path).then(
    stats => stats.isSymbolicLink(),
    () => false,
  )
const isFolder = (path: string) =>
  lstat(path).then(
    stats => stats.isDirectory(),
    () => false,
  )

async function setName(root: string, name: string): Promise<void> {
  const [file, hosts] = [join(root, 'etc/hostname'), join(root, 'etc/hosts')]
  const former = (await readFile(file, 'utf8')).trim()
  await writeFile(file, `${name}\n`)
  if (former === '' || former === 'localhost' || !(await isFile(hosts))) return
  const text = await readFile(hosts, 'utf8')
  await writeFile(
    hosts,
    text
      .split('\n')
      .map(line => replaceName(line, former, name))
      .join('\n'),
  )
}

/** `127.0.1.1 image.example.org image`. */
function replaceName(line: string, former: string, name: string): string {
  if (line.trimStart().startsWith('#')) return line
  const renamed = (word: string) =>
    word === former || word.startsWith(`${former}.`) ? name + word.slice(former.length) : word
  return line.split(/(\s+)/).map(renamed).join('')
}

/** An empty one is filled at the next start. */
async function renewMachineId(root: string): Promise<void> {
  const file = join(root, 'etc/machine-id')
  if (await isFile(file)) await writeFile(file, '')
  const ofDbus = join(root, 'var/lib/dbus/machine-id')
  if (await isFile(ofDbus)) await rm(ofDbus)
}

/** No Debian makes new ones by itself: its own program does so. */
async function renewHostKeys(root: string, signal: AbortSignal): Promise<void> {
  const folder = join(root, 'etc/ssh')
  if (!(await isFolder(folder))) return
  const keys = (await readdir(folder)).filter(file => /^ssh_host_.*_key(\.pub)?$/.test(file))
  if (keys.length === 0) return
  for (const key of keys) await rm(join(folder, key))
  await runProgram('chroot', [root, 'ssh-keygen', '-A'], signal)
}
