// Says in the log and in events which modules have come into service, gone, and failed.
import type { LoadedModule } from '../contract/loaded-module.ts'
import { inFile, type Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { forEachTimeSliced } from '../system/time-slices.ts'
import { describeModule } from './describe-module.ts'
import { namesakesOf } from './namesakes.ts'
import { tickMilliseconds } from './timing.ts'
import type { TrackedFile } from './tracked-file.ts'

interface Swap {
  files: readonly TrackedFile[]
  /** Of which another version is in service, or none. */
  changed: ReadonlyMap<TrackedFile, { wasServed: boolean }>
  removed: readonly TrackedFile[]
  /** At start, one line with the number of modules stands for all built-in files. */
  hasStarted: boolean
}

interface Reporting {
  log: Log
  events: Events
}

/** Thousands of files may have gone or failed at once: they are reported in parts. */
export async function reportSwap({ files, changed, removed, hasStarted }: Swap, reporting: Reporting): Promise<void> {
  const { log, events } = reporting
  await forEachTimeSliced(removed, tickMilliseconds, ({ file }) => {
    log.info('modules', `${file}: removed`)
    events.emit({ type: 'module-removed', file })
  })
  const inService = files.flatMap(({ served }) => served ?? [])
  await forEachTimeSliced(files, tickMilliseconds, tracked => {
    const { file, served, off, origin } = tracked
    const isLogged = hasStarted || origin !== 'built-in'
    const change = changed.get(tracked)
    if (tracked.notice !== undefined) log.info('modules', inFile(file, tracked.notice))
    tracked.notice = undefined
    if (change && served) reportLoaded(served, isLogged, reporting)
    const namesakes = change && !change.wasServed && served && namesakesOf(served, inService)
    if (namesakes !== undefined && isLogged) log.info('modules', `${file}: ${namesakes}`)
    if (change && off && isLogged)
      log.info('modules', `${file}: version ${off.version} is off, as the pack ${off.pack} is`)
    if (change?.wasServed && !served) events.emit({ type: 'module-removed', file })
    if (tracked.problem !== tracked.loggedProblem && tracked.missingSince === undefined)
      reportProblem(tracked, reporting)
  })
  if (changed.size > 0 || removed.length > 0) events.emit({ type: 'modules-changed' })
}

function reportLoaded(loaded: LoadedModule, isLogged: boolean, { log, events }: Reporting): void {
  const { file, name, version } = loaded
  if (isLogged) log.info('modules', `${file}: version ${version} of ${name} ${describeModule(loaded)}`)
  events.emit({ type: 'module-loaded', file, command: name })
}

function reportProblem(tracked: TrackedFile, { log, events }: Reporting): void {
  const { file, problem, served } = tracked
  tracked.loggedProblem = problem
  if (problem === undefined) return
  log.warn('modules', `${inFile(file, problem)}${served ? `; version ${served.version} stays in service` : ''}`)
  events.emit({ type: 'module-failed', file, reason: problem })
}
