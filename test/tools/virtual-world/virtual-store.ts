// The adapter of simulated hosts: what it opens is in memory, and outlives them. It is loaded as a site's adapter is.
import type { ClusterAdapter, OpenStore } from '../../../stores/store.ts'

/** What opens the store in this process. */
export interface StoreSource extends ClusterAdapter {
  open: OpenStore
}

/** The adapter is another copy of this file than the one that the simulation uses. */
const sourceKey = Symbol.for('fleet-host.virtual-store')

export const setStoreSource = (source: StoreSource): void => void Reflect.set(globalThis, sourceKey, source)

const source = (): StoreSource => Reflect.get(globalThis, sourceKey)

const open: OpenStore = (...parts) => source().open(...parts)

export default open

export const openCluster: ClusterAdapter['openCluster'] = (...parts) => source().openCluster(...parts)
