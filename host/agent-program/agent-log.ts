// The log of the agent: lines on standard output, which the service manager keeps, or in a file.
import { appendFileSync, renameSync, statSync } from 'node:fs'
import type { AgentOptions } from './agent-options.ts'

export type AgentLog = ReturnType<typeof createAgentLog>

const ignore = () => {}

export function createAgentLog(level: AgentOptions['logLevel'], write: (line: string) => void) {
  const writer = (prefix: string) => (text: string) => write(`fleet-agent: ${prefix}${text}\n`)
  return {
    error: writer('error: '),
    info: level === 'error' ? ignore : writer(''),
    debug: level === 'debug' ? writer('') : ignore,
  }
}

/** Bytes. */
const largestLog = 1024 * 1024

/** Appends lines to the file, with their time; beyond 1 MiB it is kept as `.old`, and a new one begins. */
export const logFile =
  (path: string): ((line: string) => void) =>
  line => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largestLog) renameSync(path, `${path}.old`)
      appendFileSync(path, `${new Date().toISOString()} ${line}`)
    } catch {
      // A disk that is full ends no agent.
    }
  }

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
