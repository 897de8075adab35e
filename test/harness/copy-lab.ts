// A daemon with a repository, and computers in a live system whose disks are files: partclone and zstd are the real ones.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endPrograms, type Program } from './daemon-process.ts'
import { freePort } from './free-port.ts'
import { startLinuxAgent } from './linux-agent.ts'
import { createLinuxFixture, type LinuxFixture } from './linux-fixture.ts'
import { startTestHost } from './test-host.ts'

export const serverAddress = '10.9.9.9'

/** `lsblk` of a computer with one disk, whose partition 1 is the file `disk1`. */
const lsblk = (folder: string, kname: string, size: number) => `#!/bin/sh
part=${folder}/disk1
type=$(blkid --probe --output value --match-tag TYPE "$part")
[ -d ${folder}/cache ] && cache=', {"name": "cache", "kname": "..${folder}/cache", "type": "part", "size": ${size}, "fstype": "ext4",
  "label": "CACHE", "parttype": "0fc63daf-8483-4772-8e79-3d69d8477de4", "pttype": "gpt"}'
case "$*" in
  *--json*) cat <<END
{"blockdevices": [{"name": "disk", "kname": "${kname}", "type": "disk", "size": ${2 * size}, "rm": false, "log-sec": 512,
  "pttype": "gpt", "children": [{"name": "disk1", "kname": "${kname}1", "type": "part", "size": ${size}, "fstype": "$type",
  "parttype": "0fc63daf-8483-4772-8e79-3d69d8477de4", "pttype": "gpt"}$cache]}]}
END
  ;;
  *disk2) exit 1 ;;
  *SIZE*) echo ${size} ;;
esac
`

export interface CopyComputer {
  addr: string
  /** The file that is its partition. */
  device: string
  agent: Program
  /** Its programs. */
  fixture: LinuxFixture
}

/** The programs of a computer whose only partition is the file `disk1` in the folder. `bytes`: of that. */
export function createCopyFixture(folder: string, bytes: number): Pick<CopyComputer, 'device' | 'fixture'> {
  const fixture = createLinuxFixture()
  const device = join(folder, 'disk1')
  writeFileSync(device, '')
  truncateSync(device, bytes)
  fixture.program('lsblk', lsblk(folder, `..${folder}/disk`, bytes))
  // It writes to a file that is there only when it is told so.
  const restore = '#!/bin/sh\nexec /usr/sbin/partclone.restore --source - --overwrite "$4" --logfile /dev/null\n'
  fixture.program('partclone.restore', restore)
  // Of the files of a partition no test changes any: that takes a mount. The cache, where there is one, is a folder.
  const isCache = `[ -d ${folder}/cache ] || exit 0`
  fixture.program('mount', `#!/bin/sh\n${isCache}\ncase $3 in *cache) rmdir "$4" && ln -s "$3" "$4" ;; esac\n`)
  fixture.program('umount', '#!/bin/sh\n[ ! -L "$1" ] || { rm "$1" && mkdir "$1"; }\n')
  return { device, fixture }
}

/** `multicast`: the options of it. */
export async function startCopyLab(multicast = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-copies-'))
  const port = await freePort()
  const options = { boot: { server: serverAddress }, images: { transfer: { port, multicast } } }
  const lab = await startTestHost({ options })
  const fixtures: ReturnType<typeof createLinuxFixture>[] = []
  return {
    ...lab,
    port,
    /** A file in the repository. */
    image: (file: string) => join(lab.folder, 'images', file),
    /** Below the folder that has the partition of a computer. */
    folderOf: (addr: string, name: string) => join(folder, addr, name),
    /** Its agent has reported its disk. `bytes`: of its partition. */
    async computer(addr: string, bytes: number): Promise<CopyComputer> {
      const own = join(folder, addr)
      mkdirSync(own)
      const { device, fixture } = createCopyFixture(own, bytes)
      fixtures.push(fixture)
      await lab.addComputer(addr)
      const ready = lab.event('client-ready', { addr })
      const agent = startLinuxAgent({ port: lab.host.ports.agents, addr, fixture, more: { live: 'yes' } })
      await ready
      return { addr, device, agent, fixture }
    },
    /** Makes a file system with one file of this content. */
    fill(device: string, content: string) {
      const root = mkdtempSync(join(folder, 'root-'))
      mkdirSync(join(root, 'etc'))
      writeFileSync(join(root, 'etc/os-release'), 'PRETTY_NAME="Debian 12"\n')
      writeFileSync(join(root, 'content'), content)
      execFileSync('mkfs.ext4', ['-q', '-F', '-d', root, device])
    },
    async stop() {
      await endPrograms()
      await lab.stop()
      for (const fixture of fixtures) fixture.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Of a file of an ext4. */
export const contentOf = (device: string, file: string): string =>
  execFileSync('debugfs', ['-R', `cat ${file}`, device], {
    ...{ stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8', maxBuffer: 2 ** 28 },
  })
