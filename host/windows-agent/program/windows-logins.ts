// Watches who is logged in, as quser prints it.
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentLog, messageOf } from '../../agent-program/agent-log.ts'
import type { LoginEvent, LoginWatch } from '../../agent-program/agent-system.ts'
import { runCommand } from './windows-programs.ts'

/** Milliseconds between two looks: Windows notifies services only. */
const lookInterval = 10_000

/**
 * For cmd.exe. quser fails when nobody is logged in, and then says so in the language of the system. Home editions have none:
 * there who is logged in has a desktop.
 */
const usersCommand = [
  'where quser >nul 2>nul && (quser 2>nul & exit /b 0)',
  'tasklist /v /fo csv /nh /fi "imagename eq explorer.exe" 2>nul & exit /b 0',
].join(' || ')

/**
 * The names in the output of quser, whose other texts are in the language of the system: below a line of titles, each line
 * begins with a blank, or `>` for the own session. In that of tasklist they have a domain before them.
 */
export function parseUsers(text: string): string[] {
  const names = text.split(/\r?\n/).flatMap((line, index) => {
    const name = line.startsWith('"') ? /^(?:"[^"]*",){6}"(?:[^"\\]*\\)?([^"]+)"/ : /^[ >](\S.*?)(?: {2,}|$)/
    return (index > 0 || line.startsWith('"')) && name.exec(line)?.[1]
  })
  return [...new Set(names.filter(name => typeof name === 'string'))]
}

export function watchLogins(log: AgentLog, onEvent: (event: LoginEvent) => void): LoginWatch {
  const closing = new AbortController()
  const { signal } = closing
  let users: string[] = []
  let problem = ''

  async function look(): Promise<void> {
    const now = parseUsers(await runCommand(usersCommand, signal))
    const before = users
    users = now
    for (const user of before) if (!now.includes(user)) onEvent({ action: 'stop', user })
    for (const user of now) if (!before.includes(user)) onEvent({ action: 'start', user })
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
    get users() {
      return users
    },
    close: () => closing.abort(),
  }
}
