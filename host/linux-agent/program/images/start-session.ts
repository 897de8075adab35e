// Starts a system of the disk: Linux by kexec, Windows by the firmware's next start.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ActionContext } from '../../../agent-program/agent-system.ts'
import type { AgentReply } from '../../../agent-program/messages.ts'
import { readEfiPartition } from '../disk-list.ts'
import { runProgram } from '../machine.ts'
import { readInstalled } from '../partition-contents.ts'
import { findPartition, readPartitionRequest } from './copy-request.ts'
import { whileMounted } from './mounted.ts'

/** Rejects with the reason; otherwise the system starts when the reply was sent. */
export async function startSession(body: unknown, { signal }: ActionContext): Promise<AgentReply> {
  const request = readPartitionRequest(body)
  const { device, filesystem } = await findPartition(request, signal)
  const { os } = await readInstalled(device, filesystem, signal)
  if (os === '') throw new Error(`${device}: expected a system, got none`)
  const action = os === 'Windows' ? await prepareWindows(request.disk, signal) : await prepareLinux(device, signal)
  return { status: 200, afterwards: () => void runProgram('systemctl', [action]).catch(() => process.exit(1)) }
}

/** One of the kernel, and its initial file system, with the parameters that they are started with. */
interface Kernel {
  kernel: string
  initrd: string
  parameters: string
}

async function prepareLinux(device: string, signal: AbortSignal): Promise<'kexec'> {
  const uuid = (await runProgram('lsblk', ['--noheadings', '--output', 'UUID', device], signal)).trim()
  await whileMounted(device, 'ro', signal, async root => {
    const { kernel, initrd, parameters } = (await readGrub(root)) ?? (await newestKernel(root, uuid))
    // With the system call that checks signatures: Secure Boot demands it.
    const files = ['--load', join(root, kernel), `--initrd=${join(root, initrd)}`, `--append=${parameters}`]
    await runProgram('kexec', ['--kexec-file-syscall', ...files], signal)
  })
  return 'kexec'
}

/** What GRUB of that system would start by default. */
async function readGrub(root: string): Promise<Kernel | undefined> {
  const text = await readFile(join(root, 'boot/grub/grub.cfg'), 'utf8').catch(() => '')
  const [, kernel = '', parameters = ''] = /^[ \t]*linux(?:16|efi)?[ \t]+(\/\S+)[ \t]+([^\n]+)$/m.exec(text) ?? []
  const [, initrd = ''] = /^[ \t]*initrd(?:16|efi)?[ \t]+(\/\S+)/m.exec(text) ?? []
  const isThere = kernel !== '' && [kernel, initrd].every(file => existsSync(join(root, file)))
  return isThere ? { kernel, initrd, parameters } : undefined
}

async function newestKernel(root: string, uuid: string): Promise<Kernel> {
  const files: string[] = await readdir(join(root, 'boot')).catch(() => [])
  const versions = files.flatMap(file => /^vmlinuz-(.+)$/.exec(file)?.[1] ?? [])
  const [version] = versions
    .filter(each => files.includes(`initrd.img-${each}`))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  if (version === undefined) throw new Error('expected a kernel with its initrd in /boot of the system, got none')
  return {
    kernel: `/boot/vmlinuz-${version}`,
    initrd: `/boot/initrd.img-${version}`,
    parameters: `root=UUID=${uuid} ro quiet`,
  }
}

const entryName = 'Fleet session'

/** An entry of its own, which is in no order: the computer goes on to start from the network. */
async function prepareWindows(disk: string, signal: AbortSignal): Promise<'reboot'> {
  if (!existsSync('/sys/firmware/efi')) throw new Error('Windows is started by UEFI only, and this computer has BIOS')
  const efi = await readEfiPartition(Number(disk), signal)
  if (!efi) throw new Error(`disk ${disk}: expected an EFI partition, got none`)
  const idOf = (text: string) => new RegExp(`^Boot([0-9A-F]{4})\\*? ${entryName}\\b`, 'm').exec(text)?.[1]
  const former = idOf(await runProgram('efibootmgr', [], signal))
  if (former !== undefined) await runProgram('efibootmgr', ['--bootnum', former, '--delete-bootnum'], signal)
  const place = ['--disk', efi.disk, '--part', efi.partition]
  const loader = ['--loader', '\\EFI\\Microsoft\\Boot\\bootmgfw.efi', '--label', entryName]
  const id = idOf(await runProgram('efibootmgr', ['--create-only', ...place, ...loader], signal))
  if (id === undefined) throw new Error('efibootmgr: expected a new entry, got none')
  await runProgram('efibootmgr', ['--bootnext', id], signal)
  return 'reboot'
}
