// Commands that differ between the hosts of a fleet, and the list of its hosts.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { LoadedModule } from '../../host/contract/loaded-module.ts'
import {
  compareModules,
  createHostList,
  createModuleList,
  describeDifferences,
  digestsOf,
} from '../../host/modules/host-services.ts'
import { startSite, textCommand } from '../harness/site-folder.ts'

const own = { probe: '1', wol: '1', login: '1' }
const member = (name: string, modules: Record<string, string>) => ({
  name,
  epoch: 1,
  heartbeat: '',
  modules,
  url: `http://${name}:8888`,
  version: '1.0.0',
  lease: 6000,
  joined: Date.parse('2026-03-02T08:00:00Z'),
})
const members = [member('b', { probe: '2', wol: '1', extra: '1' }), member('a', own), member('c', {})]
const cluster = { key: () => ({ name: 'a', epoch: 1 }), members: () => members }
const entry = (command: string, version?: number) => ({
  file: `${command}.ts`,
  command,
  state: 'in service' as const,
  origin: 'built-in',
  versions: 1,
  ...(version !== undefined && { version }),
})

const test = suite('module differences')

test('commands are compared by their digests, with hosts that have loaded theirs', () => {
  equal(compareModules(own, members[0]?.modules ?? {}), { lacks: ['login'], differs: ['probe'], adds: ['extra'] })
  const loaded = { name: 'tidy', id: 'lab/tidy', digest: '7' }
  const modules = [
    { ...loaded, kind: 'hook' },
    { ...loaded, kind: 'command' },
  ] as LoadedModule[] // `as`: nothing else of them is used.
  equal(digestsOf(modules), { 'hook tidy': '7', tidy: '7' })
  equal(compareModules(own, {}), { lacks: [], differs: [], adds: [] })
  equal(describeDifferences(own, cluster), ['modules: 3 differ from those of host b'])
})

test('the list of command files names the hosts that lack a command or have another version, and what only they have', () => {
  const list = () => [entry('probe', 1), entry('probe'), entry('login', 1), entry('wol', 1)]
  const modules = createModuleList({ list }, () => own, cluster)
  equal(modules.list(), [
    { ...entry('probe', 1), differs_on: ['b'] },
    entry('probe'),
    { ...entry('login', 1), missing_on: ['b'] },
    entry('wol', 1),
  ])
  equal(modules.elsewhere?.(), [{ command: 'extra', hosts: ['b'] }])
})

test('the list of hosts has the agents of each, and who is the leader', () => {
  const client = (addr: string, host: string) => ({
    ...{ addr, host, since: 1, connected: 0, state: 'OPG', status: 'oglive', speed: 0 },
    ...{ result: 'unknown' as const, details: {} },
  })
  const clients = [client('10.0.0.1', 'b'), client('10.0.0.2', 'b'), client('10.0.0.3', 'c')]
  const remote = { list: () => clients, find: () => undefined, has: () => true, onMove: () => {}, onReplaced: () => {} }
  const hosts = createHostList({ url: '', agents: () => 7, digests: () => own, cluster: { ...cluster, remote } })
  const since = '2026-03-02T08:00:00.000Z'
  equal(hosts.list(), [
    {
      ...{ name: 'b', url: 'http://b:8888', since, leader: true, agents: 2, version: '1.0.0' },
      ...{ lacks: ['login'], differs: ['probe'], adds: ['extra'] },
    },
    { name: 'a', url: 'http://a:8888', since, leader: false, agents: 7, version: '1.0.0' },
    { name: 'c', url: 'http://c:8888', since, leader: false, agents: 1, version: '1.0.0' },
  ])
})

test('a daemon that runs alone is the only host, and names no other ones', async () => {
  const site = await startSite()
  await site.save('one.ts', textCommand('one', 'GET /one'))
  const [host, ...others] = (await site.lab.call('GET /hosts')).json.hosts
  equal(others, [])
  equal([host.leader, host.agents], [true, 0])
  match(host.url, /^https?:\/\/127\.0\.0\.1/)
  const { json } = await site.lab.call('GET /modules')
  is(json.elsewhere, undefined)
  equal((await site.lab.call('GET /readyz')).json, { ready: true })
  await site.stop()
})

test('equal files have equal digests, in whatever folder they are', async () => {
  const sites = [await startSite(), await startSite()]
  const digests: (string | undefined)[] = []
  for (const site of sites) {
    await site.save('one.ts', textCommand('one', 'GET /one'))
    digests.push(site.lab.host.registry.commands.find(({ name }) => name === 'one')?.digest)
    await site.save('one.ts', textCommand('two', 'GET /one'))
    digests.push(site.lab.host.registry.commands.find(({ name }) => name === 'one')?.digest)
    await site.stop()
  }
  equal([digests[0], digests[1]], [digests[2], digests[3]])
  is(new Set(digests).size, 2)
})

test.run()
