// Reports in the log and as events which command files were put in service, and which could not.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { inFile, type Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import type { TrackedFile } from './tracked-file.ts'

export interface ReportDeps {
  log: Log
  events: Events
}

export function reportLoaded(
  { file, name, version, command }: LoadedCommand,
  isLogged: boolean,
  { log, events }: ReportDeps,
): void {
  if (isLogged) log.info('modules', `${file}: version ${version} of ${name} serves ${command.route}`)
  events.emit({ type: 'module-loaded', file, command: name })
}

/** Reports the problem that the file has now, if it has one, and remembers that it did. */
export function reportProblem(tracked: TrackedFile, { log, events }: ReportDeps): void {
  const { file, problem, served } = tracked
  tracked.loggedProblem = problem
  if (problem === undefined) return
  log.warn('modules', `${inFile(file, problem)}${served ? `; version ${served.version} stays in service` : ''}`)
  events.emit({ type: 'module-failed', file, reason: problem })
}
