// The program: reads arguments and environment, starts the daemon, ends it on a signal.
import { parseArgs } from 'node:util'
import { loadOptions, type Options, OptionsError } from './config/options.ts'
import { applyOptions } from './config/reload.ts'
import { findToken } from './config/token.ts'
import { startHost } from './host.ts'
import { batchPerTick, createLog, formats, type Log, levels, message } from './system/log.ts'
import { startWatchdog } from './system/watchdog.ts'

const exit = process.exit.bind(process)

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { config: text, log: text, 'log-level': text } })
  const format = oneOf('--log', formats, values.log ?? 'text')
  const level = oneOf('--log-level', levels, values['log-level'] ?? 'info')
  const { options, unused } = loadOptions(values.config)
  const token = findToken(options, process.env)
  const log = createLog(
    batchPerTick(text => process.stdout.write(text)),
    { format, level },
  )
  // Before anything that may fail: it is told only once.
  log.info(
    'daemon',
    token.made ? `the API token is ${token.value}, kept in ${token.origin}` : `the API token is from ${token.origin}`,
  )
  for (const section of unused) log.warn('options', `section "${section}" is not used; see the section "store"`)
  // What a module forgets, in a promise or a timer, harms nobody else.
  process.exit = () => {
    throw new Error('process.exit() is not for a command')
  }
  process.on('unhandledRejection', error => log.error('daemon', 'unhandled rejection', error))
  process.on('uncaughtException', error => log.error('daemon', 'uncaught exception', error))
  process.on('SIGHUP', () => rereadOptions(options, values.config, log))
  startWatchdog().catch(error => log.warn('daemon', `nobody watches for code that never returns: ${message(error)}`))
  const host = await startHost({ options, token: token.value, log })
  const { rest, agents, store } = options
  log.info('daemon', `callers are served on http://${rest.ip}:${host.ports.rest}`)
  log.info('daemon', `agents are awaited on ${agents.ip}:${host.ports.agents}`)
  log.info('daemon', `data lies in ${store.path} (${store.adapter})`)

  const end = async (signal: string) => {
    log.info('daemon', `ending on ${signal}`)
    await host.stop()
    exit(0)
  }
  process.once('SIGTERM', signal => void end(signal))
  process.once('SIGINT', signal => void end(signal))
}

/** What is wrong in the file changes nothing. */
function rereadOptions(options: Options, file: string | undefined, log: Log): void {
  try {
    const { applied, waiting } = applyOptions(options, loadOptions(file).options)
    log.info(
      'options',
      applied.length === 0 ? 'read again, nothing new that applies now' : `now in force: ${applied.join(', ')}`,
    )
    if (waiting.length > 0) log.warn('options', `with the next start: ${waiting.join(', ')}`)
  } catch (error) {
    log.warn('options', `read again, nothing changes: ${message(error)}`)
  }
}

function oneOf<Value extends string>(name: string, known: readonly Value[], given: string): Value {
  const found = known.find(value => value === given)
  if (found === undefined) throw new OptionsError(`${name}: expected ${known.join(' or ')}, got ${given}`)
  return found
}

main().catch(error => {
  // Of what the administrator can mend one line says enough.
  const expected = error instanceof OptionsError || (error instanceof Error && 'code' in error)
  process.stderr.write(`fleet-host: ${expected ? message(error) : (error?.stack ?? message(error))}\n`)
  exit(1)
})
