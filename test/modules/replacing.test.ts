// Replacing a command file in service: saves of all kinds, and requests and agents that still use the old version.
import { renameSync, unlinkSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startSite, textCommand } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site
const textOf = async (path: string) => (await lab.call(`GET ${path}`)).json?.text

const saves = suite('saves')

saves('a renamed file stays one command, and no request in between is refused', async () => {
  await site.save('before.ts', textCommand('same', 'GET /renamed'))
  const loaded = site.nextEvent('behind.ts', 'module-loaded')
  const removed = site.nextEvent('before.ts', 'module-removed')
  let isDone = false
  const calling = (async () => {
    const statuses = new Set<number>()
    while (!isDone) statuses.add((await lab.call('GET /renamed')).status)
    return [...statuses]
  })()
  renameSync(site.path('before.ts'), site.path('behind.ts'))
  await loaded
  await removed
  isDone = true
  equal(await calling, [200])
  equal(lab.host.registry.commands.filter(({ path }) => path === '/renamed').length, 1)
})

saves('a file that is saved by deleting and creating it again is served all the time', async () => {
  await site.save('resaved.ts', textCommand('one', 'GET /resaved'))
  const loaded = site.nextEvent('resaved.ts', 'module-loaded')
  unlinkSync(site.path('resaved.ts'))
  await lab.host.loader.refresh()
  is(await textOf('/resaved'), 'one')
  site.write('resaved.ts', textCommand('two', 'GET /resaved'))
  await loaded
  is(await textOf('/resaved'), 'two')
})

saves('a file that is saved by renaming a temporary file replaces its version', async () => {
  await site.save('atomic.ts', textCommand('one', 'GET /atomic'))
  site.write('.atomic.ts.tmp', textCommand('two', 'GET /atomic'))
  const event = site.nextEvent('atomic.ts')
  renameSync(site.path('.atomic.ts.tmp'), site.path('atomic.ts'))
  await event
  is(await textOf('/atomic'), 'two')
})

saves('a file that is saved again without a change does not become a new version', async () => {
  await site.save('same.ts', textCommand('one', 'GET /same'))
  site.write('same.ts', textCommand('one', 'GET /same'))
  await site.save('same-after.ts', textCommand('x', 'GET /same-after'))
  await lab.host.loader.refresh()
  is(lab.host.loader.list().find(({ command }) => command === 'same')?.versions, 1)
})

saves.run()

const versions = suite('old versions')
versions.after(() => site.stop())

versions('a pending request finishes with the version that it started with', async () => {
  const slowCommand = (text: string) => `
export default {
  summary: 'Answer when the test allows it',
  route: 'GET /slow',
  answer: async () => {
    await new Promise(resolve => { globalThis.fleetHostTestGo = resolve })
    return { text: '${text}' }
  },
}
`
  await site.save('slow.ts', slowCommand('one'))
  const first = textOf('/slow')
  while (Reflect.get(globalThis, 'fleetHostTestGo') === undefined) await new Promise(setImmediate)
  const go = Reflect.get(globalThis, 'fleetHostTestGo')
  await site.save('slow.ts', textCommand('two', 'GET /slow'))
  is(await textOf('/slow'), 'two')
  go()
  is(await first, 'one')
})

const outputCommand = (output: string) => `
export default {
  summary: 'Ask an agent',
  route: 'POST /ask',
  payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } },
  forward: {
    to: 'POST /ask',
    reply: { type: 'object' },
    onReply({ client }) {
      client.setOutput('${output}')
    },
  },
}
`

versions("the version that sent a command handles the agent's reply, and the agent stays connected", async () => {
  const addr = '127.0.7.1'
  await site.save('ask.ts', outputCommand('one'))
  const agent = await lab.agent(addr)
  await lab.call('POST /ask', { clients: [addr] })
  await agent.next('/ask')
  await site.save('ask.ts', outputCommand('two'))
  const removed = site.nextEvent('ask.ts', 'module-removed')
  unlinkSync(site.path('ask.ts'))
  await removed
  const ended = lab.event('command-ended', { addr })
  agent.answer(200, {})
  is((await ended).result, 'success')
  equal((await lab.call('POST /shell/output', { clients: [addr] })).json.clients, [{ addr, output: 'one' }])
})

versions.run()
