// Watches who is logged in, and whose session is locked, as quser and qprocess print it.
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentLog, messageOf } from '../../agent-program/agent-log.ts'
import type { LoginWatch } from '../../agent-program/agent-system.ts'
import { changeEvents, type LoginEvent, type Logins } from '../../agent-program/logins.ts'
import { runCommand } from './windows-programs.ts'

/** Milliseconds between two looks: Windows notifies services only. */
const lookInterval = 10_000

/** Runs in each session that shows the screen for logging in or for unlocking. */
const lockProgram = 'LogonUI.exe'

const tasks = (program: string) => `tasklist /v /fo csv /nh /fi "imagename eq ${program}" 2>nul`

/**
 * For cmd.exe. quser fails when nobody is logged in, and then says so in the language of the system. Home editions have
 * neither it nor qprocess: there who is logged in has a desktop.
 */
const loginsCommand = [
  `where quser >nul 2>nul && (quser 2>nul & qprocess ${lockProgram} 2>nul & exit /b 0)`,
  `(${tasks('explorer.exe')} & ${tasks(lockProgram)} & exit /b 0)`,
].join(' || ')

/** A session of a user; of a lock screen without one. */
interface SessionRow {
  session: string
  user?: string
  /** Its connection has ended, or another user has taken the screen: who comes back has to unlock it. */
  isDisconnected?: boolean
}

/** In these texts of quser, qprocess and tasklist all but names and numbers are in the language of the system. */
export function parseLogins(text: string): Logins {
  const rows = text.split(/\r?\n/).map(line => (line.startsWith('"') ? taskRow(line) : terminalRow(line)))
  const lockScreens = new Set(rows.flatMap(row => (row && row.user === undefined ? row.session : [])))
  const logins = new Map<string, boolean>()
  for (const row of rows) {
    if (row?.user === undefined) continue
    const isLocked = row.isDisconnected === true || lockScreens.has(row.session)
    // Of several sessions of a user all must be.
    logins.set(row.user, isLocked && logins.get(row.user) !== false)
  }
  return logins
}

const isLockProgram = (name: string | undefined) => name?.toLowerCase() === lockProgram.toLowerCase()

/**
 * A line of quser or qprocess: a blank, or `>` for the own session, a name, two blanks or more, and words, of which the
 * first is the name of the session unless that is disconnected. Titles have no number there.
 */
function terminalRow(line: string): SessionRow | undefined {
  const [user = '', ...rest] = line.slice(1).split(/ {2,}/)
  const [first = '', second = '', ...others] = rest.join(' ').trim().split(/ +/)
  const isDisconnected = /^\d+$/.test(first)
  const session = isDisconnected ? first : second
  if (!/^\d+$/.test(session) || !/^[ >]\S/.test(line)) return undefined
  return isLockProgram(others.at(-1)) ? { session } : { session, user, isDisconnected }
}

/** A line of tasklist, where names of users have a domain before them. */
function taskRow(line: string): SessionRow | undefined {
  const [program, , , session = '', , , user = ''] = line.slice(1).split('","')
  if (isLockProgram(program)) return { session }
  return user === '' ? undefined : { session, user: user.slice(user.lastIndexOf('\\') + 1) }
}

export function watchLogins(log: AgentLog, onEvent: (event: LoginEvent) => void): LoginWatch {
  const closing = new AbortController()
  const { signal } = closing
  let logins: Logins = new Map()
  let problem = ''

  async function look(): Promise<void> {
    const now = parseLogins(await runCommand(loginsCommand, signal))
    const before = logins
    logins = now
    for (const event of changeEvents(before, now)) onEvent(event)
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const error = await look().then(() => '', messageOf)
      if (error !== '' && error !== problem && !signal.aborted) log.info(`logins are not reported: ${error}`)
      problem = error
      await wait(lookInterval, undefined, { signal }).catch(() => {})
    }
  }

  void watch()
  return {
    get logins() {
      return logins
    },
    close: () => closing.abort(),
  }
}
