// Finds the hooks that nobody has any more: of files that were deleted while hosts were down, and of hosts that never came back.
import { existsSync } from 'node:fs'
import type { JobsCluster } from '../cluster/cluster.ts'
import type { FailureLog } from '../cluster/failure-log.ts'
import { missingMilliseconds } from '../modules/timing.ts'
import type { Clock } from '../system/clock.ts'
import { inBackground } from './attempt.ts'
import type { HookRunner } from './hook-runner.ts'
import { type HookState, type HookStates, hostOf, seenAt } from './hook-states.ts'

/** `drop` is called for each. A file that is broken is there, and one whose whole folder is missing may come back. */
export function findForgotten(
  runners: ReadonlyMap<string, HookRunner>,
  drop: (id: string, file: string) => void,
): () => void {
  const timer = setTimeout(() => {
    for (const [id, { loaded, position }] of runners) {
      if (!loaded && position.declared && isGone(position.declared)) drop(id, position.declared.file)
    }
  }, missingMilliseconds)
  return () => clearTimeout(timer)
}

const isGone = ({ file, origin }: { file: string; origin: string }) =>
  !existsSync(file) && (origin === 'built-in' || existsSync(origin))

interface UnseenDeps {
  cluster: Pick<JobsCluster, 'isLeader' | 'members' | 'key'>
  clock: Clock
  failures: FailureLog
  states: HookStates
  runners: ReadonlyMap<string, HookRunner>
}

const dayMilliseconds = 86_400_000
/** By then all hosts that start together are members, and have saved which hooks they have. */
const firstMilliseconds = 3_600_000
/** Of several hosts another one may have the file, or be down for long. */
const unseenMilliseconds = 30 * dayMilliseconds

/** Says each day which hooks this host has, and calls `drop` for those that no host has had for 30 days. */
export function findUnseen(deps: UnseenDeps, drop: (key: string, file: string) => Promise<void>): () => void {
  const { clock, failures, states, runners } = deps
  const look = async () => {
    for (const { loaded, position } of runners.values()) if (loaded) await position.saveSeen()
    for (const [key, state] of await states.list()) {
      const isUnseen = clock.now() - seenAt(state) >= unseenMilliseconds
      if (isUnseen && isUnused(key, state, deps)) await drop(key, state.file)
    }
  }
  const lookDaily = () => {
    cancel = clock.after(dayMilliseconds, lookDaily)
    inBackground(failures, look)
  }
  let cancel = clock.after(firstMilliseconds, lookDaily)
  return () => cancel()
}

function isUnused(key: string, state: HookState, { cluster }: UnseenDeps): boolean {
  const host = hostOf(key)
  if (host === cluster.key().name) return isGone(state)
  if (!cluster.isLeader()) return false
  return host === undefined ? isGone(state) : !cluster.members().some(({ name }) => name === host)
}
