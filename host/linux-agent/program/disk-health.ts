// What the disks say of themselves, by smartctl, and how full the file systems are. Nothing of it is judged here.
import { type AgentLog, messageOf } from '../../agent-program/agent-log.ts'
import { outputOf, tryProgram } from './machine.ts'

/** Milliseconds for all disks together: one that does not respond must not keep the agent busy. */
const longestRead = 45_000
const [mostDisks, mostFileSystems] = [16, 64]
/** Characters of one disk: the daemon takes messages of 128 KiB. */
const longestDisk = 7000

/** The rest of the output of smartctl, such as logs of self-tests, is left out. */
const keys = [
  'model_name',
  'scsi_model_name',
  'serial_number',
  'user_capacity',
  'rotation_rate',
  'smart_support',
  'smart_status',
  'power_on_time',
  'temperature',
  'endurance_used',
  'nvme_smart_health_information_log',
  'scsi_grown_defect_list',
  'scsi_percentage_used_endurance_indicator',
  'scsi_error_counter_log',
]

/** An exit status that smartctl has for nothing else: the disk is in standby, and was not woken. */
const standbyStatus = 3

type Values = Record<string, unknown>

/** Rejects when `signal` is aborted. */
export async function readDiskHealth(log: AgentLog, signal: AbortSignal): Promise<object> {
  const limit = new AbortController()
  const end = () => limit.abort()
  const timer = setTimeout(end, longestRead)
  signal.addEventListener('abort', end)
  try {
    const [disks, filesystems] = await Promise.all([readDisks(limit.signal), listFileSystems(limit.signal)])
    signal.throwIfAborted()
    return { ...disks, filesystems }
  } catch (error) {
    signal.throwIfAborted()
    log.error(`disk health: ${messageOf(error)}`)
    return { disks: [], filesystems: [], reason: 'the computer did not respond in time' }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

async function readDisks(signal: AbortSignal): Promise<{ disks: Values[]; reason?: string }> {
  const text = await outputOf('smartctl', ['--json=c', '--scan'], signal)
  if (text === 'missing') return { disks: [], reason: 'smartmontools is not installed' }
  const scan = parse(text)
  if (!scan) return { disks: [], reason: 'smartctl is too old: expected version 7 or newer' }
  const devices = listOf(scan.devices).slice(0, mostDisks)
  return { disks: await Promise.all(devices.map(device => readDisk(device, signal))) }
}

async function readDisk({ name, type }: Values, signal: AbortSignal): Promise<Values> {
  const path = String(name)
  // The scan calls all that the kernel calls SCSI so, also SATA disks; smartctl then finds out more without a type.
  const typed = typeof type === 'string' && !/^(scsi|ata|nvme)$/.test(type) ? ['-d', type] : []
  const args = ['--json=c', '-n', `standby,${standbyStatus}`, ...typed, '-a', path]
  const all = parse(await outputOf('smartctl', args, signal))
  const own = { name: path.replace('/dev/', ''), ...(typed.length > 0 && { type }) }
  if (!all) return { ...own, problem: 'smartctl gave no answer' }
  const smartctl = toValues(all.smartctl)
  if (smartctl.exit_status === standbyStatus) return { ...own, standby: true }
  const [problem] = listOf(smartctl.messages).flatMap(({ severity, string }) => (severity === 'error' ? [string] : []))
  const facts = Object.fromEntries(keys.flatMap(key => (all[key] === undefined ? [] : [[key, all[key]]])))
  const table = listOf(toValues(all.ata_smart_attributes).table).map(toAttribute)
  const disk = {
    ...own,
    ...facts,
    ...(table.length > 0 && { attributes: table }),
    ...(problem !== undefined && { problem }),
  }
  if (JSON.stringify(disk).length <= longestDisk) return disk
  return { ...own, problem: 'the answer of smartctl is too long' }
}

const toAttribute = ({ id, name, value, thresh, when_failed, flags, raw }: Values): Values => ({
  id,
  name,
  value,
  thresh,
  when_failed,
  prefailure: toValues(flags).prefailure,
  raw: toValues(raw).string,
})

/** Sizes in KiB; without those in memory and those of images, which are always full. */
async function listFileSystems(signal: AbortSignal): Promise<object[]> {
  const without = ['tmpfs', 'devtmpfs', 'squashfs', 'iso9660', 'overlay', 'efivarfs'].flatMap(type => ['-x', type])
  const text = await tryProgram('df', ['-P', '-k', '-l', ...without], signal)
  const rows = (text ?? '').split('\n').flatMap(line => {
    const [, device, used, free, mount] = /^(\S+) +\d+ +(\d+) +(\d+) +\d+% +(\S.*)$/.exec(line) ?? []
    return mount === undefined ? [] : [{ device, mount: mount.slice(0, 200), used: Number(used), free: Number(free) }]
  })
  // The first of those that are mounted twice.
  const first = rows.filter(({ device }, index) => rows.findIndex(row => row.device === device) === index)
  return first.slice(0, mostFileSystems).map(({ mount, used, free }) => ({ mount, used, free }))
}

function parse(text: string): Values | undefined {
  try {
    return toValues(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Its keys are looked at one by one. */
const toValues = (value: unknown): Values => (value instanceof Object ? { ...value } : {})

const listOf = (value: unknown): Values[] => (Array.isArray(value) ? value.map(toValues) : [])
