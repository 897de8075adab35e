#!/usr/bin/env node
// The agent for Linux: a program of its own, bundled into one file, which runs on the computers of a lab.
import { createAgentLog, messageOf } from './agent-log.ts'
import { type AgentOptions, readOptions, usage } from './agent-options.ts'
import { agentName } from './agent-version.ts'
import { Conversation } from './conversation.ts'
import { createDaemonLink } from './daemon-link.ts'
import { LoginWatch } from './login-watch.ts'
import { killScripts } from './shell-script.ts'
import { createSystemFiles } from './system-files.ts'

function start(options: AgentOptions): void {
  const log = createAgentLog(options.logLevel, line => process.stdout.write(line))
  const files = createSystemFiles(options.root)
  let conversation: Conversation | undefined
  const logins = new LoginWatch(files, log, event => conversation?.reportLogin(event))
  const link = createDaemonLink({
    options,
    log,
    onConnect(socket) {
      conversation = new Conversation(socket, { options, files, log, users: () => logins.users })
    },
    onClose() {
      conversation = undefined
    },
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      log.info(`ended by ${signal}`)
      link.close()
      killScripts()
      process.exit(0)
    })
  }
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
