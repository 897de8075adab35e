// Makes this daemon one of several hosts of a fleet. Loaded only with the option `cluster`.
import type { ClusterStore } from '../../stores/store.ts'
import { type Options, OptionsError } from '../config/options.ts'
import { restUrl } from '../config/server-address.ts'
import { type Log, message } from '../log/log.ts'
import { hostName, loadAdapter, storeOf } from '../store/open-store.ts'
import type { Events } from '../system/events.ts'
import type { Cluster } from './cluster.ts'
import { ClusterHost, type StartClusterDeps } from './cluster-host.ts'

interface OpenClusterDeps {
  options: Pick<Options, 'store' | 'limits' | 'rest' | 'agents' | 'boot' | 'cluster'>
  log: Log
  events: Events
  /** Of the daemon. */
  version: string
  /** Fingerprints of the commands in service; empty until they are loaded. */
  modules(): Record<string, string>
  /** Tests hand in a store of their own. */
  openStore?(): Promise<ClusterStore>
  /** See `ObservedStore`. */
  onRecord?(listener: (types: readonly string[]) => void): void
}

export interface OpenCluster {
  cluster: Cluster
  /** Follows the other hosts from now on. To be called before agents may connect. */
  start(deps: StartClusterDeps): void
  /** Publishes what has happened here, and reads what the other hosts have published. */
  synchronize(): Promise<void>
  /** Publishes what waits and ends the membership. */
  close(): Promise<void>
}

/**
 * Resolves when this host is a member and knows the others, their agents and the newest events. Rejects with an
 * OptionsError when the adapter is for one host only, or when another process has the name.
 */
export async function openCluster(deps: OpenClusterDeps): Promise<OpenCluster> {
  const { options, openStore = () => openOf(options) } = deps
  const store = await openStore()
  deps.onRecord?.(types => store.record(types))
  const host = new ClusterHost({
    ...deps,
    store,
    name: hostName(options),
    url: restUrl(options),
    lease: Math.round((options.cluster?.lease_seconds ?? defaultLeaseSeconds) * 1000),
  })
  try {
    await host.join()
    return host
  } catch (error) {
    await host.abandon()
    throw error
  }
}

/** As in the options' schema. */
const defaultLeaseSeconds = 6

async function openOf(options: Pick<Options, 'store' | 'limits' | 'cluster'>): Promise<ClusterStore> {
  const { store, limits } = options
  const { openCluster: open } = await loadAdapter(store)
  if (!open) throw new OptionsError(`cluster: expected store.adapter postgres, got ${store.adapter}`)
  return open(storeOf(options), limits).catch(error => {
    throw new OptionsError(message(error))
  })
}
