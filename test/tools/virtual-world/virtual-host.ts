// What a simulated host runs: the daemon as it is. Each start of a host evaluates the bundle of this file anew.
export { loadOptions } from '../../../host/config/options.ts'
export { startHost } from '../../../host/host.ts'
export { createLog } from '../../../host/log/log.ts'
