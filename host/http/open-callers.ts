// Opens the port of the REST API with everything that its requests need.
import { AuthFailures, type AuthFailuresDeps } from '../access/auth-failures.ts'
import type { Options } from '../config/options.ts'
import { limitLog } from '../log/limited-log.ts'
import type { Metrics } from '../system/metrics.ts'
import { createHandleCommand, type HandleCommandDeps } from './handle-command.ts'
import { HeavyRequests } from './heavy-requests.ts'
import { refusalsPerSecond } from './refuse-request.ts'
import { RequestRotation } from './request-rotation.ts'
import { type CallerServer, listenForCallers, type ServerDeps } from './server.ts'

export interface CallersDeps
  extends Pick<ServerDeps, 'log' | 'token' | 'authenticate' | 'audit' | 'registry' | 'certificate'>,
    Pick<HandleCommandDeps, 'execute' | 'refreshLimits'>,
    Pick<AuthFailuresDeps, 'events'> {
  options: Options
  metrics: Metrics
}

/** Resolves when the port listens; rejects when it cannot. */
export function openCallers(deps: CallersDeps): Promise<CallerServer> {
  const { options, metrics, events, log, execute, refreshLimits, ...others } = deps
  const { limits, rest } = options
  const limitedLog = limitLog(log, { perSecond: refusalsPerSecond })
  const authFailures = new AuthFailures({ limitedLog, events })
  metrics.addAuthFailures(authFailures)
  return listenForCallers(rest, {
    ...others,
    log,
    limitedLog,
    limits,
    authFailures,
    openMetrics: rest.open_metrics,
    handle: createHandleCommand({
      log,
      limitedLog,
      authFailures,
      limits,
      execute,
      rotation: new RequestRotation(),
      heavyRequests: new HeavyRequests(),
      refreshLimits,
    }),
    requested: metrics.observeRequest,
  })
}
