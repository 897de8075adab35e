// Who has deliberately stopped a part that ended as a failure.
import { stopperOf } from '../../../stores/rules/stopped-parts.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'

export type FindCommand = (name: string) => LoadedCommand | undefined

/** '' when that is not known; undefined also of what a stop leaves half done. */
export function stoppedBy({ command, reason }: { command: string; reason: string }, findCommand: FindCommand) {
  const stopper = stopperOf(reason)
  const loaded = stopper === undefined ? undefined : findCommand(command)
  return loaded && canBeStopped(loaded) ? stopper : undefined
}

/** Without leaving a disk or an image half written. */
const canBeStopped = ({ command: { imaging, confirm } }: LoadedCommand): boolean => !imaging && confirm !== 'consent'
