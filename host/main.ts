// The daemon's program: reads arguments and environment, starts the daemon, stops it on a signal.
import { parseArgs } from 'node:util'
import { loadOptions, type Options, OptionsError } from './config/options.ts'
import { applyOptions } from './config/reload.ts'
import { CurrentToken } from './config/token.ts'
import { type Host, startHost } from './host.ts'
import { batchPerTick, createLog, formats, type Log, type LogOptions, levels, message } from './log/log.ts'
import { LogOutput, redirect } from './log/log-output.ts'
import { describeStore } from './store/open-store.ts'
import { lockPrototypes } from './system/process/built-ins.ts'
import { startWatchdog } from './system/process/watchdog.ts'

const { exit: exitProcess, kill } = process
/** What `process.exit` calls. Not one of Node's public functions. */
const reallyExit: unknown = Reflect.get(process, 'reallyExit')

/** Ends the process, which `protectProcess` keeps commands from. */
function exit(code: number): never {
  Reflect.set(process, 'reallyExit', reallyExit)
  return exitProcess(code)
}

const usage = `npm start -- [--config FILE] [--log FORMAT] [--log-level LEVEL]

  --config FILE      the options file; default: the default value of every option (docs/options.md)
  --log FORMAT       ${formats.join(' or ')}; default: text
  --log-level LEVEL  ${levels.join(', ')}; default: info

The token is FLEET_API_TOKEN, rest.api_token of the options file, or the one in data/api_token.
`

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { config: text, log: text, 'log-level': text, help: { type: 'boolean' } } })
  if (values.help) return void process.stdout.write(usage)
  const format = oneOf('--log', formats, values.log ?? 'text')
  const level = oneOf('--log-level', levels, values['log-level'] ?? 'info')
  const { options, unused } = loadOptions(values.config)
  const log = openLog({ format, level })
  const token = new CurrentToken(options, process.env, log)
  token.watch()
  for (const section of unused) log.warn('options', `section "${section}" is not used, section "store" replaces it`)
  protectProcess(log)
  let started: Host | undefined
  process.on('SIGHUP', () => {
    reloadOptions(options, values.config, token, log)
    started?.reloadCertificate()
  })
  const { hang_seconds: hangSeconds } = options.limits
  startWatchdog({ hangSeconds, log: { format, level } }).catch(error =>
    log.warn('daemon', `watchdog not started: ${message(error)}`),
  )
  const host = await startHost({ options, token, log })
  started = host
  const { rest, agents, store } = options
  log.info('daemon', `REST API on ${rest.tls ? 'https' : 'http'}://${rest.ip}:${host.ports.rest}`)
  log.info('daemon', `agent port ${agents.ip}:${host.ports.agents}`)
  log.info('daemon', `store ${await describeStore(store)}`)
  // A file keeps what it gets; a terminal shows it to who has started the daemon.
  for (const line of await host.firstSteps(process.stdout.isTTY)) log.info('daemon', line)

  const end = async (signal: string) => {
    log.info('daemon', `stopping on ${signal}`)
    await host.stop()
    exit(0)
  }
  process.once('SIGTERM', signal => void end(signal))
  process.once('SIGINT', signal => void end(signal))
}

/** The log on standard output, and both standard streams for others, such as commands. */
function openLog(options: LogOptions): Log {
  const open = (descriptor: number, name: string) =>
    new LogOutput({
      descriptor,
      resumed: lines => log.warn('daemon', `${lines} lines left out, ${name} could not be written`),
    })
  const output = open(1, 'standard output')
  const errors = open(2, 'standard error')
  redirect(process.stdout, output)
  redirect(process.stderr, errors)
  const log = createLog(
    batchPerTick(text => output.write(text)),
    options,
  )
  // Added after the listener of `batchPerTick`, which writes the rest of the last tick.
  process.on('exit', () => {
    output.end()
    errors.end()
  })
  return log
}

/** Commands of a site must not end the daemon: by an exit, a signal, or an error in a promise or a timer. */
function protectProcess(log: Log): void {
  lockPrototypes()
  const refuseFor = (name: string) => () => {
    throw new Error(`process.${name}() is not available to commands`)
  }
  process.exit = refuseFor('exit')
  Reflect.set(process, 'reallyExit', refuseFor('reallyExit'))
  process.abort = refuseFor('abort')
  process.kill = (pid, signal) => {
    // 0 is the daemon's group of processes, -1 all processes.
    const isDaemon = pid === 0 || pid === -1 || Math.abs(pid) === process.pid
    return isDaemon && signal !== 0 ? refuseFor('kill')() : kill(pid, signal)
  }
  process.on('unhandledRejection', error => log.error('daemon', 'unhandled rejection', error))
  // No listener: that of a package, which ends the process or throws, would be called too.
  process.setUncaughtExceptionCaptureCallback(error => log.error('daemon', 'uncaught exception', error))
}

/** An error in the file changes nothing. */
function reloadOptions(options: Options, file: string | undefined, token: CurrentToken, log: Log): void {
  try {
    const { applied, restartRequired } = applyOptions(options, loadOptions(file).options)
    log.info('options', `options applied: ${applied.join(', ') || 'none'}`)
    if (restartRequired.length > 0) log.warn('options', `restart required for: ${restartRequired.join(', ')}`)
    token.reload()
  } catch (error) {
    log.warn('options', `reload failed, options unchanged: ${message(error)}`)
  }
}

function oneOf<Value extends string>(name: string, values: readonly Value[], text: string): Value {
  const value = values.find(one => one === text)
  if (value === undefined) throw new OptionsError(`${name}: expected ${values.join(' or ')}, got ${text}`)
  return value
}

main().catch(error => {
  // One line is enough for errors that the administrator can fix: options, ports, files.
  const expected = error instanceof OptionsError || (error instanceof Error && 'code' in error)
  process.stderr.write(`fleet-host: ${expected ? message(error) : (error?.stack ?? message(error))}\n`)
  exit(1)
})
