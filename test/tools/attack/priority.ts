// Priorities of processes: attackers have machines of their own, here they must not take processor time from the daemon.
import { constants, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL, PRIORITY_NORMAL } = constants.priority

/** Only root may raise a priority again. */
const isRoot = process.getuid?.() === 0

/** Runs `work` with a low priority of this process. */
export async function withLowPriority<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isRoot) setPriority(PRIORITY_BELOW_NORMAL)
  try {
    return await work()
  } finally {
    if (isRoot) setPriority(PRIORITY_NORMAL)
  }
}

/** For a child process, which has the priority of its parent. */
export function setNormalPriority(pid: number | undefined): void {
  if (isRoot && pid !== undefined) setPriority(pid, PRIORITY_NORMAL)
}
