// Puts Debian's boot loaders, those for UEFI as it has signed them, with their configuration, into the folder of a TFTP server.
import { execFile } from 'node:child_process'
import { chmod, lchown, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isNotFound, makePublicFolder } from '../system/file-system.ts'
import { httpImage, makeHttpImage } from './http-image.ts'
import { replaceLink } from './live-folder.ts'
import { isInstalled } from './run-program.ts'

export interface BootLoaderRequest {
  /** The folder of the TFTP server, where the boot files of computers are. */
  output: string
  /** Those of all live systems, in the data folder. */
  liveFolder: string
  /** The menu for computers without boot files. */
  menu: string
  /** The server's address, which computers reach. */
  address: string
  /** Where Debian's packages put the boot loaders: `/usr/lib`. */
  library: string
}

/** UEFI loads the first one, which loads the second one: by their names there. */
const loaders = {
  'shimx64.efi': { file: 'shim/shimx64.efi.signed', from: 'shim-signed' },
  'grubx64.efi': { file: 'grub/x86_64-efi-signed/grubnetx64.efi.signed', from: 'grub-efi-amd64-signed' },
}

/** What computers with BIOS load: one file, which is made of GRUB's modules. */
const biosLoader = 'grub.pxe'
const biosModules = { folder: 'grub/i386-pc', from: 'grub-pc-bin' }

/** For the network, the disks, and what boot files contain. */
const biosModuleNames = [
  ...['pxe', 'tftp', 'biosdisk', 'part_gpt', 'part_msdos', 'ext2', 'fat', 'ntfs', 'xfs', 'btrfs'],
  ...['normal', 'configfile', 'echo', 'ls', 'probe', 'search', 'sleep', 'test', 'true'],
  ...['linux', 'chain', 'boot', 'halt', 'reboot'],
]

/** Others may enter the folder, but not list it. */
const othersEntry = 0o011

/** Run it again after an update of the loaders' packages. Rejects when a loader is missing: then nothing is written. */
export async function writeBootLoaders(request: BootLoaderRequest): Promise<void> {
  const { output, liveFolder, menu, library, address } = request
  await requireLoaders(library)
  const dataFolder = dirname(liveFolder)
  const { uid, gid, mode } = await stat(dataFolder)
  // The daemon writes boot files there.
  for (const folder of [output, join(output, 'grub')]) {
    const isThere = await stat(folder).catch(ignoreNotFound)
    makePublicFolder(folder)
    if (!isThere) await lchown(folder, uid, gid)
  }
  for (const [name, { file }] of Object.entries(loaders))
    await replaceFile(join(output, name), await readFile(join(library, file)))
  await makeFile(join(output, biosLoader), folder => makeBiosLoader(folder, join(library, biosModules.folder)))
  await makeFile(join(output, httpImage), folder => makeHttpImage(folder, output, address))
  await replaceFile(join(output, 'grub/grub.cfg'), configuration(menu))
  // Kernels that are loaded through a link are those of the last build.
  await replaceLink(output, 'live', liveFolder)
  await chmod(dataFolder, (mode & 0o7777) | othersEntry)
}

async function requireLoaders(library: string): Promise<void> {
  const missing: string[] = []
  for (const { file, from } of [...Object.values(loaders), { file: biosModules.folder, from: biosModules.from }])
    if (!(await stat(join(library, file)).catch(ignoreNotFound))) missing.push(from)
  if (!isInstalled('mcopy')) missing.push('mtools')
  if (missing.length > 0)
    throw new Error(`expected Debian's boot loaders, got none: apt-get install ${missing.join(' ')}`)
}

/** No firmware checks it. */
async function makeBiosLoader(folder: string, modules: string): Promise<string> {
  const made = join(folder, biosLoader)
  const options = ['--format=i386-pc-pxe', `--directory=${modules}`, '--prefix=/grub', `--output=${made}`]
  await promisify(execFile)('grub-mkimage', [...options, ...biosModuleNames])
  return made
}

/** `make`: makes it in an empty folder, and returns its path there. */
async function makeFile(path: string, make: (folder: string) => Promise<string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-boot-'))
  try {
    await replaceFile(path, await readFile(await make(folder)))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Computers may be loading the file that is there. No link of the daemon's user is followed: root may run this. */
async function replaceFile(path: string, content: Buffer | string): Promise<void> {
  const unfinished = `${path}.unfinished`
  await rm(unfinished, { force: true })
  const file = await open(unfinished, 'wx')
  try {
    await file.writeFile(content)
    await file.chmod(0o644)
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}

/** The menu is shown when the boot file of the computer is missing, or has started nothing. HTTP boot has set the address. */
const configuration = (menu: string): string => `# Written by fleet boot setup.
set fleet_live=yes
export fleet_live
if [ -z "$fleet_mac" ]; then
  set fleet_mac=$net_default_mac
fi
configfile /grub/01-$fleet_mac
${menu}`

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}
