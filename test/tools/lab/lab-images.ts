// What all stages of the lab have in common: the images, where they are, and the comparison of their files.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Api, outputOf } from './lab-api.ts'
import { address, clientOf } from './lab-network.ts'
import type { Firmware } from './virtual-computer.ts'

export interface Lab {
  api: Api
  folder: string
  /** One line of output, with the time that it takes. Also takes a picture of all screens. */
  step(name: string, run: () => Promise<unknown>): Promise<void>
  /** Kills the daemon, and starts it again. */
  restartDaemon(): Promise<void>
  /** As when its plug is pulled and, after some time, plugged in again. */
  pullPlug(number: number): Promise<void>
  /** `firmware`: by default as always. */
  powerOn(number: number, firmware?: Firmware): void
  /** What the daemon has logged since its last start. */
  log(): string
}

export interface Stage {
  /** The numbers of the computers that it needs. */
  computers: number[]
  run(lab: Lab): Promise<void>
}

export const [first = '', second = '', third = ''] = [1, 2, 3].map(clientOf)

export const place = (name: string, partition: string) => ({ disk: '1', partition, name, repository: address, id: '0' })
export const linux = place('debian', '2')
export const windows = place('windows', '3')

export const restoreOf = (clients: string[], where: object, type = 'UNICAST') => ({
  clients,
  ...where,
  type,
  profile: '0',
})

/** A digest of all files, and their number, without those that each computer has for itself. */
const listFiles = (partition: string) => `mount -o ro /dev/vda${partition} /mnt && cd /mnt || exit 1
find . -xdev -type f ! -path ./etc/hostname ! -path ./etc/hosts ! -path ./etc/machine-id | sort > /tmp/files
xargs -d '\\n' sha256sum < /tmp/files | sha256sum
wc -l < /tmp/files
cd / && umount /mnt`

/** What `listFiles` printed of the computer of which the image was made. */
const filesOf = (folder: string, image: string) => join(folder, `${image}-files`)

export async function keepFiles(
  { api, folder }: Lab,
  client: string,
  { name, partition }: typeof linux,
): Promise<void> {
  const files = await outputOf(api, client, listFiles(partition))
  if (!/^[0-9a-f]{64} {2}-\n\d+\n$/.test(files)) throw new Error(`expected a digest and a number, got ${files}`)
  writeFileSync(filesOf(folder, name), files)
}

export async function compareFiles(
  { api, folder }: Lab,
  client: string,
  { name, partition }: typeof linux,
): Promise<void> {
  const [expected, got] = [
    readFileSync(filesOf(folder, name), 'utf8'),
    await outputOf(api, client, listFiles(partition)),
  ]
  if (got !== expected) throw new Error(`${client}: expected the files ${expected}, got ${got}`)
}

/** Known files: what they contain does not get smaller when it is compressed. */
export const fillWindows = `mount -t ntfs-3g /dev/vda3 /mnt && mkdir -p /mnt/Windows/System32 || exit 1
for file in 1 2 3 4; do head -c 6000000 /dev/urandom > /mnt/Windows/System32/$file.dll; done
umount /mnt`
