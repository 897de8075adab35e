// Runs stages of the lab: starts the daemon and the computers that they need, and prints the time of each step.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, startProgram, stopPrograms } from '../../harness/daemon-process.ts'
import { type Api, createApi, endOf, fail, outputOf, until, untilLive } from './lab-api.ts'
import type { Lab } from './lab-images.ts'
import { clientOf, macOf } from './lab-network.ts'
import { stages } from './lab-stages.ts'
import { masterDisk } from './master-disk.ts'
import { type Firmware, makeDisk, startComputer, type VirtualComputer } from './virtual-computer.ts'

export interface LabOptions {
  folder: string
  config: string
  dnsmasq: string
  /** The names of the stages that run. */
  names: string[]
}

const firmwareOf = (number: number): Firmware => (number === 3 ? 'bios' : 'uefi')

/** Resolves to the exit code. */
export async function runLab(options: LabOptions): Promise<number> {
  const computers = new Map<number, VirtualComputer>()
  const step = createStep(computers)
  const lab = await startLab(options, computers, step.run)
  const needed = new Set(options.names.flatMap(name => stages[name]?.computers ?? []))
  try {
    await startComputers(lab, [...needed].sort())
    for (const name of options.names) {
      console.log(`${name}:`)
      await stages[name]?.run(lab)
    }
    console.log(`${step.failures()} steps failed`)
    return step.failures() === 0 ? 0 : 1
  } finally {
    for (const computer of computers.values()) computer.kill()
    await stopPrograms()
  }
}

async function startLab(
  { folder, config, dnsmasq }: LabOptions,
  computers: Map<number, VirtualComputer>,
  step: Lab['step'],
): Promise<Lab> {
  const start = async (): Promise<Program> => {
    const program = startProgram(folder, { text: readFileSync(config, 'utf8') })
    await program.waitFor(/agent port/)
    return program
  }
  let daemon = await start()
  const flags = ['--keep-in-foreground', '--log-facility=-', '--pid-file=', '--user=root', '--dhcp-leasefile=/dev/null']
  spawn('dnsmasq', [...flags, `--conf-file=${dnsmasq}`], { stdio: 'ignore' })
  const api = createApi(readFileSync(join(folder, 'data/api_token'), 'utf8').trim())
  return {
    api,
    folder,
    step,
    log: () => daemon.output() + daemon.errors(),
    async restartDaemon() {
      daemon.kill('SIGKILL')
      await daemon.ended
      daemon = await start()
    },
    async pullPlug(number) {
      computers.get(number)?.kill()
      await computers.get(number)?.ended
    },
    powerOn(number, firmware = firmwareOf(number)) {
      computers.set(number, startComputer(folder, number, firmware))
    },
  }
}

/** The pictures of a step are called after its number. A step that fails is not the last one. */
function createStep(computers: Map<number, VirtualComputer>) {
  let [number, failures] = [0, 0]
  const run: Lab['step'] = async (name, work) => {
    const start = Date.now()
    const error = await work().then(
      () => undefined,
      reason => reason,
    )
    if (error) failures += 1
    number += 1
    const seconds = String(Math.round((Date.now() - start) / 1000)).padStart(5)
    console.log(`${seconds} s  ${number}. ${name}${error ? `: FAILED: ${error}` : ''}`)
    const picture = `step-${String(number).padStart(2, '0')}`
    // One that is off has no screen.
    for (const computer of computers.values()) await computer.screenshot(picture).catch(() => {})
  }
  return { run, failures: () => failures }
}

/** Ends when they are in a live system, with records and partitions. */
async function startComputers(lab: Lab, numbers: number[]): Promise<void> {
  const { api, folder, step } = lab
  await api('POST /center/add', { name: 'Lab' })
  await api('POST /room/add', { name: 'Room 1', center: 1, netmask: '255.255.255.0' })
  // A computer without a record starts what is on its disk.
  await api('POST /client/add', { name: 'pc-1', ip: clientOf(1), mac: macOf(1), room: 1, boot: 'pxe' })
  for (const number of numbers) {
    makeDisk(folder, number, number === 1 ? masterDisk(folder) : undefined)
    lab.powerOn(number)
  }
  const ready = (number: number) =>
    number === 1
      ? step('pc-1, with a system on its disk, starts the live system by its record', () => untilLive(api, clientOf(1)))
      : adopt(lab, number).then(() => prepareDisk(lab, number))
  await Promise.all(numbers.map(ready))
}

async function adopt({ api, step }: Lab, number: number): Promise<void> {
  const client = clientOf(number)
  await step(
    `pc-${number} (${firmwareOf(number)}), with an empty disk and no record, is pending, and adopted`,
    async () => {
      await until(async () =>
        (await api('GET /pending')).pending.some((each: { client: string }) => each.client === client),
      )
      await api('POST /client/adopt', { clients: [client], room: 1, names: { [client]: `pc-${number}` } })
      await untilLive(api, client)
    },
  )
}

async function prepareDisk({ api, step }: Lab, number: number): Promise<void> {
  const client = clientOf(number)
  await step(`pc-${number}: a layout that does not fit is a failure with its reason`, () =>
    fail(setUp(api, number, 1_373_000), /KiB that are free/),
  )
  await step(`pc-${number}: its disk is partitioned, with four file systems`, async () => {
    const reason = await setUp(api, number, 1_000_000)
    if (reason !== 'success') throw new Error(reason)
    const types = await outputOf(api, client, 'lsblk -no FSTYPE /dev/vda | xargs')
    if (types.trim() !== 'vfat ext4 ntfs ext4') throw new Error(`expected vfat ext4 ntfs ext4, got ${types}`)
  })
}

/** `size`: KiB of the partition for Linux. Resolves to how it has ended. */
async function setUp(api: Api, number: number, size: number): Promise<string> {
  const partitions = [
    { code: 'EFI', filesystem: 'FAT32', size: 262_144, format: 1 },
    { code: 'LINUX', filesystem: 'EXT4', size, format: 1 },
    { code: 'NTFS', filesystem: 'NTFS', size: 61_440, format: 1 },
    { code: 'CACHE', filesystem: 'CACHE', size: 400_000, format: 1 },
  ]
  const job = await api('POST /setup', {
    clients: [clientOf(number)],
    type: firmwareOf(number) === 'bios' ? 'MSDOS' : 'GPT',
    disk: '1',
    cache: '0',
    cache_size: '0',
    partition_setup: partitions.map((partition, index) => ({ partition: index + 1, ...partition })),
  })
  return endOf(api, job)
}
