// No GET changes anything: a browser sends one for every image and link of another page, with what it knows of this
// service.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { payloadExample } from '../../host/api-docs/answer-example.ts'
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'
import { calledMethods, recordingStoreFile } from '../harness/recording-store.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { hosts: false }

const lab = await startTestHost({ options: { store: { adapter: recordingStoreFile, path: './data' } } })
// A view is a site's.
const reads = lab.host.registry.commands.filter(({ method, name }) => method === 'GET' && name !== 'view')

// The address of the examples cannot be that of an agent here.
const addr = '127.0.0.2'
const readers = new RegExp(
  '^(scopes|[a-zA-Z]+\\.(list|find|findMany|findScheduledCommand|parts|countComputers|unfinished|partitions|sessions|hardware|' +
    'software|uses|copies|dump|sizes|search|searchValues|survey|devices|programs))$',
)
const called = () => calledMethods.splice(0).filter(name => !readers.test(name))

const test = suite('reads')
test.after(() => lab.stop())

await lab.addComputer(addr)
await lab.addComputer('10.1.1.20')
const agent = await lab.agent(addr)
const ended = lab.event('job-finished')
await lab.call('POST /hardware', { clients: [addr] })
await agent.next('/hardware')
agent.answer(500)
await ended
await lab.call('POST /procedure/add', { center: '1', name: 'Other' })
await lab.call('POST /task/add', { center: '1', name: 'Other' })
await lab.call('POST /schedule/create', { task: '1', name: 'Later', type: 'task', suspended: 1 })
await lab.call('GET /readyz')
calledMethods.length = 0

/** The example of a command, once as it is and once for a connected agent. */
function payloadsOf({ command }: LoadedCommand): unknown[] {
  const example = payloadExample(command)
  if (!(example instanceof Object)) return [undefined]
  const key = ['clients', 'client'].find(each => each in example)
  return key === undefined ? [example] : [example, { ...example, [key]: [addr] }]
}

const exampleOf = (schema: unknown): unknown => {
  const examples = schema instanceof Object ? Reflect.get(schema, 'examples') : undefined
  return Array.isArray(examples) ? examples[0] : undefined
}

/** With each key of its query that has an example. */
function routesOf({ command: { route, query } }: LoadedCommand): string[] {
  const properties = query === undefined ? undefined : Reflect.get(query, 'properties')
  const pairs = Object.entries(properties instanceof Object ? properties : {}).flatMap(([name, schema]) => {
    const example = exampleOf(schema)
    return example === undefined ? [] : [`${name}=${encodeURIComponent(String(example))}`]
  })
  return [route, ...pairs.map(pair => `${route}?${pair}`), ...(pairs.length > 1 ? [`${route}?${pairs.join('&')}`] : [])]
}

/** No live system is built there, and no Node for Windows was added. */
const without = ['GET /live', 'GET /agent/node.exe']

for (const loaded of reads) {
  const { route } = loaded.command
  test(`${route} writes nothing, sends no command and causes no event`, async () => {
    const events: string[] = []
    const unsubscribe = lab.host.events.on(event => events.push(event.type))
    const statuses: number[] = []
    for (const each of routesOf(loaded)) {
      for (const payload of payloadsOf(loaded)) statuses.push((await lab.call(each, payload)).status)
    }
    unsubscribe()
    ok(statuses.includes(without.includes(route) ? 404 : 200), `${route}: ${statuses}, ${lab.log.at(-1)}`)
    // The check whether the store can be written stores a computer as it is.
    const writes = called().filter(name => route !== 'GET /readyz' || name !== 'computers.update')
    equal([events, writes], [[], []])
  })
}

test('the registry has GETs of all kinds', () => ok(reads.length >= 25, `${reads.length}`))

test('the agent was sent nothing before the next command', async () => {
  const finished = lab.event('job-finished')
  await lab.call('POST /hardware', { clients: [addr] })
  // Rejects when another request is the next.
  await agent.next('/hardware')
  agent.answer(500)
  await finished
})

test.run()
