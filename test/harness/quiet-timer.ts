// Measures how long something takes, on a machine that other programs may keep busy.
import { existsSync, readFileSync } from 'node:fs'

const file = '/proc/pressure/cpu'

/** Milliseconds since the start of the machine in which some process was ready and got no processor; 0 where nobody counts. */
function waitingTime(): number {
  if (!existsSync(file)) return 0
  return Number(/^some .*total=(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1000
}

/** Returns a function that returns the milliseconds since this call in which no process waited for a processor. */
export function startQuietTimer(): () => number {
  const [began, waited] = [performance.now(), waitingTime()]
  return () => performance.now() - began - (waitingTime() - waited)
}
