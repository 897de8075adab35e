// Keeps a connection to the daemon: connects again when it is lost.
import { connect, type Socket } from 'node:net'
import type { AgentLog } from './agent-log.ts'
import type { AgentOptions } from './agent-options.ts'

export interface DaemonLinkDeps {
  options: Pick<AgentOptions, 'server' | 'port' | 'localAddress'>
  log: AgentLog
  onConnect(socket: Socket): void
  onClose(): void
}

/** Milliseconds, as agents of the family do it: before the first attempt to connect again, and before the others. */
const [firstDelay, nextDelay] = [2000, 1000]
/** Milliseconds for one attempt. */
const connectTimeout = 10_000
/** Milliseconds without data after which the system checks that the daemon's computer is still there. */
const keepAliveDelay = 30_000

export function createDaemonLink(deps: DaemonLinkDeps): { close(): void } {
  const { server: host, port, localAddress } = deps.options
  const { log, onConnect, onClose } = deps
  let timer: NodeJS.Timeout | undefined
  let socket: Socket | undefined
  /** The reason of the last attempt that failed: it is logged once. */
  let problem = ''

  function open(): void {
    const own = localAddress === '' ? {} : { localAddress, family: 4 }
    const attempt = connect({
      host,
      port,
      ...own,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveDelay,
    })
    socket = attempt
    let isConnected = false
    attempt.setTimeout(connectTimeout, () => attempt.destroy(new Error(`no answer in ${connectTimeout / 1000} s`)))
    attempt.on('connect', () => {
      isConnected = true
      problem = ''
      attempt.setTimeout(0)
      log.info(`connected to ${host}:${port} from ${attempt.localAddress}`)
      onConnect(attempt)
    })
    attempt.on('error', ({ message }) => {
      if (message !== problem) log.info(`${host}:${port}: ${message}`)
      problem = message
    })
    attempt.on('close', () => {
      if (isConnected) {
        log.info('connection lost')
        onClose()
      }
      timer = setTimeout(open, isConnected ? firstDelay : nextDelay)
    })
  }

  open()
  return {
    close() {
      clearTimeout(timer)
      socket?.removeAllListeners('close')
      socket?.destroy()
    },
  }
}
