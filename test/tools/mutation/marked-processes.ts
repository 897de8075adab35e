// Ends the processes that inherited a variable: also those that have left their process group, as a database does.
import { readdirSync, readFileSync } from 'node:fs'

/** Until there is none, as a process may be starting another one. */
export function endProcessesWith(name: string, value: string): void {
  const entry = `${name}=${value}`
  for (let found = true; found; ) {
    found = false
    for (const pid of readdirSync('/proc').filter(each => /^\d+$/.test(each) && Number(each) !== process.pid)) {
      if (!environmentOf(pid).includes(entry)) continue
      found = kill(Number(pid)) || found
    }
  }
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    // It has ended, or is of another user.
    return []
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
