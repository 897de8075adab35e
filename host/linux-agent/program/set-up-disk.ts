// Partitions a disk and makes its file systems.
import { spawn } from 'node:child_process'
import { type DiskTable, type KeptPartition, makerOf, readLayout, sfdiskInput } from './disk-layout.ts'
import { readCache, readDisks } from './disk-list.ts'
import { runProgram, settleDevices, tryProgram } from './machine.ts'

/** `body`: that of the request. Rejects with the reason; a layout that does not fit has changed nothing. */
export async function setUpDisk(body: unknown, signal: AbortSignal): Promise<void> {
  const layout = readLayout(body)
  // Scripts leave it mounted.
  const cache = await readCache(signal)
  if (cache !== undefined) await tryProgram('umount', [cache], signal)
  const disk = (await readDisks(signal))[layout.disk - 1]
  if (!disk) throw new Error(`disk: expected one of this computer, got ${layout.disk}`)
  if (disk.mountPoints.length > 0)
    throw new Error(`disk ${layout.disk}: expected none that is in use, got ${disk.mountPoints.join(', ')}`)
  if (disk.sector !== 512)
    throw new Error(`disk ${layout.disk}: expected sectors of 512 bytes, got ${disk.sector}: not supported`)
  const device = `/dev/${disk.kname}`
  const input = sfdiskInput(layout, await readTable(device, disk.size, signal))
  await runSfdisk(['--no-act', device], input, signal)
  await runSfdisk(['--wipe', 'always', '--wipe-partitions', 'never', device], input, signal)
  await settleDevices(signal)
  for (const partition of layout.partitions.filter(({ isFormatted }) => isFormatted)) {
    const [program, ...args] = makerOf(partition)
    // On a large disk it takes as long as the request allows.
    await runProgram(program, [...args, partitionDevice(device, partition.partition)], signal, 0)
  }
  await settleDevices(signal)
}

/** `/dev/sda1`, `/dev/nvme0n1p1`. */
export const partitionDevice = (device: string, number: number): string =>
  /\d$/.test(device) ? `${device}p${number}` : `${device}${number}`

/** `bytes`: the size of the disk. It may have no table. */
async function readTable(device: string, bytes: number, signal: AbortSignal): Promise<DiskTable> {
  const dump = (await tryProgram('sfdisk', ['--dump', device], signal)) ?? ''
  return {
    size: Math.floor(bytes / 512),
    label: /^label: (\S+)$/m.exec(dump)?.[1] ?? '',
    id: /^label-id: (\S+)$/m.exec(dump)?.[1] ?? '',
    partitions: new Map(dump.split('\n').flatMap(toPartition)),
  }
}

/** `/dev/sda2 : start= 2048, size= 4096, type=7, uuid=…, name="Windows, C", bootable`. */
function toPartition(line: string): [number, KeptPartition][] {
  const [device = '', ...rest] = line.split(' : ')
  const [text, number] = [rest.join(' : '), Number(/[1-9]\d{0,2}$/.exec(device)?.[0])]
  const [start, size] = [/start= *(\d{1,20})/, /size= *(\d{1,20})/].map(field => Number(field.exec(text)?.[1]))
  if (!number || !start || !size) return []
  const attributes = [...text.matchAll(/, ((?:uuid|name|attrs)=(?:"[^"]*"|[^", ]+)|bootable)/g)]
  return [[number, { start, size, attributes: attributes.map(([, attribute = '']) => attribute) }]]
}

/** Rejects with its last line, which says what does not fit. */
async function runSfdisk(args: string[], input: string, signal: AbortSignal): Promise<void> {
  const child = spawn('sfdisk', args, {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
    signal,
    killSignal: 'SIGKILL',
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text
  })
  // It may have ended before it has read all: its exit code says more.
  child.stdin.on('error', () => {}).end(input)
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`sfdisk: ${errors.trim().split('\n').at(-1) || `ended with ${code}`}`)
}
