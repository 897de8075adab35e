// What can be said of the server itself: ports, clock, disks, database, certificate.
import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Store } from '../../stores/store.ts'
import { type Certificate, warningDays } from '../config/certificate.ts'
import type { Options } from '../config/options.ts'
import type { DoctorFinding, HealthService } from '../contract/services.ts'
import { isMulticast } from '../images/transfer/multicast.ts'
import { defaultLiveName, liveFolderOf } from '../live-system/live-folder.ts'
import { isInstalled } from '../live-system/run-program.ts'
import { message } from '../log/log.ts'
import { describeStore } from '../store/open-store.ts'
import type { Clock } from '../system/clock.ts'
import { type DiskSpace, describeDisk, nearlyFull, writtenFolders } from '../system/disk-space.ts'
import { isLoopback } from '../system/networks.ts'
import { fine, problem, statsOf, timeText, warning } from './finding.ts'

export interface ServerDeps {
  options: Options
  store: Pick<Store, 'jobs' | 'rooms' | 'computers'>
  clock: Clock
  health: Pick<HealthService, 'problems' | 'notes'>
  disks: Pick<DiskSpace, 'read'>
  certificate: Pick<Certificate, 'days'> | undefined
  /** See `ObservedStore`. */
  probe(): Promise<void>
  /** Whether the system's clock is set by a server of time; undefined when nobody knows. Tests have another one. */
  isClockSet?: () => Promise<boolean | undefined>
}

export function checkPorts({ options: { rest, agents } }: ServerDeps): DoctorFinding[] {
  const restText = `the REST API is on ${rest.ip}:${rest.port}`
  const agentText = `agents connect to ${agents.ip}:${agents.port}`
  const advice = 'write "agents": { "ip": "0.0.0.0" } into the options file and restart the daemon'
  return [
    fine(
      'ports',
      isLoopback(rest.ip) ? `${restText}: only this server itself, such as a proxy on it, reaches it` : restText,
    ),
    isLoopback(agents.ip)
      ? warning('ports', `${agentText}, which other computers cannot reach`, advice)
      : fine('ports', agentText),
  ]
}

const minute = 60_000

export async function checkClock({ clock, store, isClockSet = readClockState }: ServerDeps): Promise<DoctorFinding> {
  const now = clock.now()
  const [newest] = await store.jobs.list({ limit: 1 })
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const text = `the clock says ${timeText(now)}, schedules run in the time zone ${timeZone}`
  const advice = 'set the clock, for example with systemd-timesyncd: timedatectl set-ntp true'
  if (newest && newest.created > now + minute)
    return problem('clock', `${text}; the newest job is of ${timeText(newest.created)}: the clock was set back`, advice)
  if ((await isClockSet()) === false) return warning('clock', `${text}; no server of time sets it`, advice)
  return fine('clock', text)
}

/** What systemd reads from the kernel, whichever program sets the clock. */
async function readClockState(): Promise<boolean | undefined> {
  const query = ['show', '--property=NTPSynchronized', '--value']
  const { stdout } = await promisify(execFile)('timedatectl', query, { timeout: 1000 }).catch(() => ({ stdout: '' }))
  return { yes: true, no: false }[stdout.trim()]
}

/** Percent from which writes may fail at any time. */
const full = 98

export async function checkDisks({ options, disks }: ServerDeps): Promise<DoctorFinding[]> {
  const advice = 'delete what is not needed, such as older versions of images (fleet images), or make the disk larger'
  const space = (await disks.read()).map(disk => {
    const text = describeDisk(disk)
    if (disk.percent < nearlyFull) return fine('disk', text)
    return disk.percent < full ? warning('disk', text, advice) : problem('disk', text, advice)
  })
  const closed = await Promise.all(Object.entries(writtenFolders(options)).map(checkFolder))
  return [...space, ...closed.flat()]
}

async function checkFolder([option, folder]: [string, string]): Promise<DoctorFinding[]> {
  // The daemon makes the others when it needs them.
  if (!(await statsOf(folder))) return []
  const reason = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(() => undefined, message)
  if (reason === undefined) return []
  const user = process.getuid?.() ?? ''
  return [problem('disk', `${option}: the daemon cannot write ${folder}: ${reason}`, `chown -R ${user} ${folder}`)]
}

/** Milliseconds. */
const slow = 500

export async function checkStore({ options, probe }: ServerDeps): Promise<DoctorFinding> {
  const began = performance.now()
  const name = await describeStore(options.store)
  try {
    await probe()
  } catch (error) {
    return problem(
      'store',
      `${name} cannot be written: ${message(error)}`,
      'see docs/troubleshooting.md, “A request is 500”',
    )
  }
  const milliseconds = Math.ceil(performance.now() - began)
  const text = `${name}: a write took ${milliseconds} ms`
  if (milliseconds < slow) return fine('store', text)
  return warning('store', text, 'look for what else uses its disk or server')
}

export function checkCertificate({ options: { rest }, certificate }: ServerDeps): DoctorFinding {
  const { days } = certificate ?? {}
  if (days === undefined) {
    if (isLoopback(rest.ip)) return fine('certificate', 'the API is plain HTTP, and only this server itself reaches it')
    const text = 'the API is plain HTTP: tokens and passwords can be read on the network'
    return warning(
      'certificate',
      text,
      'set rest.tls (docs/operating.md), or put a proxy with TLS in front (docs/proxy.md)',
    )
  }
  const advice = `renew ${rest.tls?.cert}; the daemon reads it by itself`
  if (days < 0) return problem('certificate', `it expired ${-days} days ago`, advice)
  const text = `it expires in ${days} days`
  return days < warningDays ? warning('certificate', text, advice) : fine('certificate', text)
}

/** What the other checks do not say already: draining, descriptors, modules, membership, the audit log. */
export async function checkHealth({ health }: ServerDeps): Promise<DoctorFinding[]> {
  const problems = (await health.problems()).filter(line => !line.startsWith('store: '))
  const notes = health.notes().filter(line => !line.startsWith('disk: '))
  const advice = 'see docs/troubleshooting.md, “/readyz is 503”'
  return [
    ...problems.map(line => problem('health', line, advice)),
    ...notes.map(line => warning('health', line, 'see docs/operating.md, “Monitoring”')),
  ]
}

/** The newest jobs, of which those that ask for it count. */
const jobsForMulticast = 100

export async function checkMulticast({ options, store }: ServerDeps): Promise<DoctorFinding[]> {
  if (options.images.transfer.multicast.wait_seconds === 0 || isInstalled('udp-sender')) return []
  // Those of the family do not ask this server for images.
  if (!existsSync(join(liveFolderOf(options.store.path), defaultLiveName))) return []
  const jobs = await store.jobs.list({ limit: jobsForMulticast })
  if (!jobs.some(({ steps }) => steps.some(({ payload }) => isMulticast(payload)))) return []
  const text =
    'jobs ask for multicast, but udp-sender is not installed: live systems of this server get each image alone'
  return [warning('multicast', text, 'apt-get install udpcast')]
}
