// Several hosts over PostgreSQL.
import { testSeveralHosts } from '../conformance/several-hosts.ts'
import { join, newClusterStores } from '../harness/cluster-stores.ts'
import type { LabStore } from '../harness/lab-host.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { alone: true }

if (postgresPrograms === undefined) skipFile('postgresql')

const server = await startPostgres()
process.once('beforeExit', () => server.stop())

const openNew = newClusterStores(server)

testSeveralHosts('PostgreSQL', async () => {
  const stores = await openNew()
  return {
    async open(name) {
      const cluster = await stores.host(name)
      const host: LabStore = {
        store: stores.store,
        work: cluster.work,
        key: cluster.key,
        onNotice: listener =>
          cluster.notifications.listen({
            onNotice: notice => void (notice.type === 'work' && notice.host === name && listener()),
            onOpen: listener,
            onLost() {},
          }),
        async remove(reason) {
          const member = (await cluster.members.list()).find(each => each.name === name)
          const removed = member && (await cluster.members.remove(member, reason))
          return removed?.ended ?? []
        },
        async join() {
          host.key = await join(cluster, name)
          return host.key
        },
      }
      return host
    },
    close: stores.close,
  }
})
