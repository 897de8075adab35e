// The agent: keeps a connection to the daemon and has the system of this computer do what it requests.
import { createAgentLog, logFile, messageOf } from './agent-log.ts'
import { type AgentOptions, type Defaults, readOptions, usageOf } from './agent-options.ts'
import type { AgentState } from './agent-state.ts'
import type { AgentSystem } from './agent-system.ts'
import { Conversation } from './conversation.ts'
import { DaemonLink } from './daemon-link.ts'
import { agentName, trialReport } from './program-file.ts'
import { killScripts } from './shell-script.ts'
import { createUpdater } from './updater.ts'

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

function start(options: AgentOptions, system: AgentSystem): void {
  const write = options.logFile === '' ? (line: string) => process.stdout.write(line) : logFile(options.logFile)
  const log = createAgentLog(options.logLevel, write)
  let conversation: Conversation | undefined
  const onState = stateOf(options, system)
  const watch = system.watchLogins(log, event => conversation?.reportLogin(event))
  const updater = createUpdater({
    options,
    log,
    disconnect: () => link.pause(),
    connect: () => link.resume(),
    close() {
      watch.close()
      for (const signal of endSignals) process.off(signal, onSignal)
    },
  })
  const reportReply = trialReport()
  const link = new DaemonLink({
    options,
    log,
    onProblem: problem => onState({ problem }),
    onConnect(socket) {
      onState({ problem: '' })
      conversation = new Conversation(socket, {
        options,
        system,
        log,
        logins: () => watch.logins,
        updater,
        reportReply,
        onState,
      })
    },
    onClose() {
      conversation = undefined
      onState({ problem: 'connection lost', work: undefined })
    },
  })
  const onSignal = (signal: NodeJS.Signals) => {
    log.info(`ended by ${signal}`)
    link.close()
    killScripts()
    process.exit(0)
  }
  for (const signal of endSignals) process.on(signal, onSignal)
}

/** Returns a function that takes changes of the agent's state, which the system shows. */
function stateOf({ server, port }: AgentOptions, system: AgentSystem): (changes: Partial<AgentState>) => void {
  const initial = { problem: 'connecting', work: undefined, last: undefined }
  const state: AgentState = { server: `${server}:${port}`, ...initial }
  const onState = (changes: Partial<AgentState>) => system.show?.(Object.assign(state, changes))
  onState({})
  return onState
}

export interface AgentProgram {
  defaults: Defaults
  createSystem(options: AgentOptions): Promise<AgentSystem> | AgentSystem
}

export async function runAgent({ defaults, createSystem }: AgentProgram): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2), process.env, defaults)
    if (options === 'help') console.log(usageOf(defaults))
    else if (options === 'version') console.log(agentName)
    else start(options, await createSystem(options))
  } catch (error) {
    console.error(`fleet-agent: ${messageOf(error)}`)
    process.exitCode = 1
  }
}
