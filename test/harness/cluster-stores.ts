// Several hosts' stores in one database, for tests of what they share.
import open, { openCluster } from '../../stores/postgres/index.ts'
import type { ClusterStore, HostKey, Notice, PresentAgent, Published, StoreLimits } from '../../stores/store.ts'
import type { PostgresServer } from './postgres.ts'
import { silent } from './store-folders.ts'
import { UsedSchemas } from './used-schemas.ts'

export interface ClusterHost extends ClusterStore {
  /** Of its last `join`. */
  key: HostKey
}

export type ClusterStores = Awaited<ReturnType<typeof openClusterStores>>

export const hostValues = (name: string) => ({
  name,
  url: `http://${name}`,
  version: '1.0.0',
  lease: 6000,
  modules: {},
})

/** Opens the stores of a new fleet in each test. */
export function newClusterStores(server: PostgresServer) {
  const schemas = new UsedSchemas(server.storeOptions(''))
  return async (): Promise<ClusterStores> => {
    const schema = schemas.take('fleet')
    const stores = await openClusterStores(server, schema)
    return {
      ...stores,
      async close() {
        await stores.close()
        await schemas.giveBack(schema)
      },
    }
  }
}

async function openClusterStores(server: PostgresServer, schema: string) {
  const options = { ...server.storeOptions(schema), path: '' }
  const store = await open({ ...options, member: 'test' }, silent)
  const hosts: ClusterStore[] = []
  return {
    store,
    options,
    /** Opens a further host, which joins with this name. */
    async host(name: string, limits?: StoreLimits): Promise<ClusterHost> {
      const cluster = await openCluster(options, limits)
      hosts.push(cluster)
      return { ...cluster, key: await join(cluster, name) }
    },
    close: async () => void (await Promise.all([...hosts, store].map(each => each.close()))),
  }
}

/** The key of a new epoch. */
export async function join(cluster: ClusterStore, name: string): Promise<HostKey> {
  const joined = await cluster.members.join(hostValues(name))
  if (!joined) throw new Error(`expected ${name} to join`)
  return { name, epoch: joined.epoch }
}

export const agent = (addr: string, values: Partial<PresentAgent> = {}): PresentAgent => ({
  addr,
  since: undefined,
  connected: 1_700_000_000_000,
  state: 'linux',
  status: 'idle',
  speed: 1000,
  result: 'unknown',
  details: { user: 'ñ\0\ud800' },
  ...values,
})

export async function publish({ publications, key }: ClusterHost, published: Partial<Published>) {
  const result = await publications.publish({
    key,
    agents: [],
    gone: [],
    events: [],
    replaceGone: event => event,
    ...published,
  })
  if (result === 'refused') throw new Error('expected a publication that can be stored')
  return result
}

export const everything = { version: 0, event: 0, limit: 1e6 }

/** Notes what happens with the notifications of a host. */
export function listen({ notifications }: ClusterStore) {
  const noted: { notifications: Notice[]; opened: number; lost: number } = { notifications: [], opened: 0, lost: 0 }
  notifications.listen({
    onNotice: notice => noted.notifications.push(notice),
    onOpen: () => {
      noted.opened += 1
    },
    onLost: () => {
      noted.lost += 1
    },
  })
  return noted
}
