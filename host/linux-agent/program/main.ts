#!/usr/bin/env node
// The agent for Linux: a program of its own, bundled into one file, which runs on the computers of a lab.
import { createAgentLog, messageOf } from './agent-log.ts'
import { type AgentOptions, readOptions, usage } from './agent-options.ts'
import { Conversation } from './conversation.ts'
import { DaemonLink } from './daemon-link.ts'
import { LoginWatch } from './login-watch.ts'
import { createSystemFiles } from './machine.ts'
import { agentName, trialReport } from './program-file.ts'
import { killScripts } from './shell-script.ts'
import { createUpdater } from './updater.ts'

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

function start(options: AgentOptions): void {
  const log = createAgentLog(options.logLevel, line => process.stdout.write(line))
  const files = createSystemFiles(options.root)
  let conversation: Conversation | undefined
  const logins = new LoginWatch(files, log, event => conversation?.reportLogin(event))
  const updater = createUpdater({
    options,
    log,
    disconnect: () => link.pause(),
    connect: () => link.resume(),
    close() {
      logins.close()
      for (const signal of endSignals) process.off(signal, onSignal)
    },
  })
  const reportReply = trialReport()
  const link = new DaemonLink({
    options,
    log,
    onConnect(socket) {
      const users = () => logins.users
      conversation = new Conversation(socket, { options, files, log, users, updater, reportReply })
    },
    onClose() {
      conversation = undefined
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

function main(): void {
  try {
    const options = readOptions(process.argv.slice(2), process.env)
    if (options === 'help') console.log(usage)
    else if (options === 'version') console.log(agentName)
    else start(options)
  } catch (error) {
    console.error(`fleet-agent: ${messageOf(error)}`)
    process.exitCode = 1
  }
}

main()
