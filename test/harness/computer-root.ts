// A computer for tests of the installation: a root of its own with this system's programs, in namespaces of its own.
//
// systemd does not run in it: `stand-ins/systemctl` starts and stops the service, `stand-ins/loginctl` lists the logins.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'

/** Whether this process may make namespaces and mount file systems. */
export function canMakeComputers(): boolean {
  const test = ['--mount', '--pid', '--fork', '--kill-child', 'mount', '-t', 'tmpfs', 'test', '/mnt']
  return process.getuid?.() === 0 && spawnSync('unshare', test).status === 0
}

const folders = [
  'dev',
  'etc/pam.d',
  'etc/systemd/system/multi-user.target.wants',
  'home/ana',
  'opt',
  'proc',
  'root',
  'run',
]
const moreFolders = [
  'run/systemd/system',
  'run/systemd/sessions',
  'stand-ins',
  'sys',
  'tmp',
  'usr/local/bin',
  'usr/local/sbin',
  'var/log',
]

const files = {
  'etc/passwd': 'root:x:0:0::/root:/bin/sh\nana:x:1234:1234::/home/ana:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n',
  'etc/group': 'root:x:0:\nana:x:1234:\nnogroup:x:65534:\n',
  'etc/hosts': '127.0.0.1 localhost\n',
  'etc/os-release': 'PRETTY_NAME="Test Linux 1"\n',
  'etc/login.defs': '',
  'etc/pam.d/login':
    'auth sufficient pam_permit.so\naccount required pam_permit.so\nsession required pam_exec.so /stand-ins/session\n',
}

/**
 * The first process: mounts what the root lacks, then waits for the end of its input, which comes with that of the test.
 * When it ends, so do all others.
 */
const firstProcess = `
set -e
cd "$1"
for folder in bin lib lib64 sbin; do
  if [ -d "/usr/$folder" ]; then
    mkdir -p "usr/$folder"
    mount --bind "/usr/$folder" "usr/$folder"
    mount -o remount,bind,ro "usr/$folder"
  fi
done
mount --bind "$2" usr/local/bin/node
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
hostname pc-20
exec chroot . /bin/bash -c 'echo ready; read -r _'
`

const environment = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', 'HOME=/root', 'TERM=dumb']

export async function startComputerRoot() {
  const root = mkdtempSync(join(tmpdir(), 'computer-'))
  makeFiles(root)
  const flags = ['--mount', '--pid', '--fork', '--uts', '--kill-child', '--propagation', 'private']
  const namespaces = spawn('unshare', [...flags, 'sh', '-c', firstProcess, 'sh', root, process.execPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(namespaces, 'exit')
  const ready = once(namespaces.stdout, 'data')
  await Promise.race([ready, ended.then(() => Promise.reject(new Error('computer: the namespaces could not be made')))])
  const [first = ''] = readFileSync(`/proc/${namespaces.pid}/task/${namespaces.pid}/children`, 'utf8').split(' ')
  const enter = [
    '--target',
    first,
    '--mount',
    '--pid',
    '--uts',
    '--root',
    '--wd',
    'env',
    '-i',
    ...environment,
    'sh',
    '-c',
  ]
  const start = (script: string) => spawn('nsenter', [...enter, script])
  return {
    /** Starts a script whose input stays open. */
    start,
    /** Runs a script as root; `input` is what it reads. */
    async run(script: string, input = '') {
      const child = start(script)
      const closed = once(child, 'close')
      // A script may end without having read its input.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
      const [code]: (number | null)[] = await closed
      return { code, out, error }
    },
    /** A file, '' when there is none. */
    read: (path: string): string => spawnSync('cat', [join(root, path)], { encoding: 'utf8' }).stdout,
    write: (path: string, content: string, mode = 0o644) => writeFileSync(join(root, path), content, { mode }),
    /** One line for each file: path, mode, owner and content. The system's programs, `/proc` and the like are left out. */
    listing: () => listFiles(root, root),
    /** The command lines of all processes. */
    async processes(): Promise<string[]> {
      const { stdout } = spawnSync('nsenter', [...enter, 'cat /proc/[0-9]*/cmdline | tr "\\0" " "'], {
        encoding: 'utf8',
      })
      return stdout.split('\n')
    },
    async stop() {
      namespaces.stdin.end()
      await ended
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function makeFiles(root: string): void {
  chmodSync(root, 0o755)
  for (const folder of [...folders, ...moreFolders]) mkdirSync(join(root, folder), { recursive: true })
  for (const folder of ['bin', 'lib', 'lib64', 'sbin']) symlinkSync(`usr/${folder}`, join(root, folder))
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content)
  cpSync(join(import.meta.dirname, 'stand-ins'), join(root, 'stand-ins'), { recursive: true })
  mkdirSync(join(root, 'stand-ins/state'))
  for (const name of ['systemctl', 'loginctl']) symlinkSync(`/stand-ins/${name}`, join(root, 'usr/local/sbin', name))
  writeFileSync(join(root, 'usr/local/bin/node'), '')
}

/** What is mounted is another file system: its entries are not those of the root. */
function listFiles(folder: string, root: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap(name => {
      const path = join(folder, name)
      const shown = `/${relative(root, path)}`
      if (shown === '/stand-ins/state') return []
      const { mode, uid, gid } = lstatSync(path)
      const about = `${shown} ${mode.toString(8)} ${uid}:${gid}`
      if ((mode & 0o170_000) === 0o040_000) return [about, ...listFiles(path, root)]
      if ((mode & 0o170_000) === 0o120_000) return [`${about} ${readlinkSync(path)}`]
      return [`${about} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`]
    })
}
