// The log of the agent: lines on standard output, which the service manager keeps.
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

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
