// Packs that are not enabled are loaded and checked, and not in service.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { createLoader } from '../../host/modules/loader.ts'
import { Registry } from '../../host/modules/registry.ts'
import { createEvents } from '../../host/system/events.ts'
import { pollUntil } from '../harness/poll.ts'
import { textCommand } from '../harness/site-folder.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-enabling-')))
const builtIn = join(folder, 'built-in')
const ofSite = join(folder, 'site')
mkdirSync(join(builtIn, 'mail'), { recursive: true })
mkdirSync(join(ofSite, 'lab'), { recursive: true })
const packFile = "export default { contract: 3, summary: 'x', version: '1.0.0' }\n"
writeFileSync(join(builtIn, 'mail/pack.ts'), packFile)
writeFileSync(join(builtIn, 'mail/send.ts'), textCommand('send', 'GET /send'))
writeFileSync(join(ofSite, 'lab/pack.ts'), packFile)
writeFileSync(join(ofSite, 'lab/open.ts'), textCommand('open', 'GET /open'))
writeFileSync(join(ofSite, 'tidy.ts'), "export default { summary: 'x', every: '1 day', run() {} }\n")

const lines: string[] = []
const log = createLog(line => lines.push(line))
const enabled: Record<string, boolean> = {}
const registry = new Registry()
const loader = createLoader({
  log,
  registry,
  events: createEvents(log),
  folders: [
    { path: builtIn, origin: 'built-in' },
    { path: ofSite, origin: ofSite },
  ],
  isEnabled: (pack, origin) => enabled[pack] ?? origin !== 'built-in',
})
await loader.start()

const test = suite('enabling packs')
test.after(() => {
  loader.close()
  rmSync(folder, { recursive: true })
})

const names = () => [...registry.commands, ...registry.hooks].map(({ name }) => name).sort()
const states = () => Object.fromEntries(loader.list().map(({ command, state }) => [command, state]))

test('built-in packs are off until they are enabled, and those of a site are on', () => {
  equal(names(), ['open', 'tidy'])
  equal(
    [registry.packs, registry.allPacks].map(list => list.map(({ name }) => name).sort()),
    [
      ['lab', 'tidy'],
      ['lab', 'mail', 'tidy'],
    ],
  )
  equal(states(), { mail: 'off', send: 'off', lab: 'in service', open: 'in service', tidy: 'in service' })
})

test('what is enabled and disabled comes into and out of service without a load', async () => {
  Object.assign(enabled, { mail: true, lab: false, tidy: false })
  const open = registry.find('open')
  const signal = open && registry.signalOf(open)
  await loader.renewService()
  equal(names(), ['send'])
  is(signal?.aborted, true)
  equal(states(), { mail: 'in service', send: 'in service', lab: 'off', open: 'off', tidy: 'off' })
  Object.assign(enabled, { lab: true })
  await loader.renewService()
  is(registry.find('open'), open)
  is(registry.find('open')?.version, 1)
})

test('a file that breaks while its pack is off has its last good version when the pack is on again', async () => {
  Object.assign(enabled, { lab: false })
  await loader.renewService()
  writeFileSync(join(ofSite, 'lab/open.ts'), 'export default { summary: \n')
  await pollUntil(() => lines.some(line => /open\.ts:\d+: /.test(line)))
  is(registry.find('open'), undefined)
  Object.assign(enabled, { lab: true })
  await loader.renewService()
  is(registry.find('open')?.version, 1)
})

test('a route of a pack that is off is free', async () => {
  Object.assign(enabled, { lab: false })
  await loader.renewService()
  writeFileSync(join(ofSite, 'door.ts'), textCommand('door', 'GET /open'))
  await pollUntil(() => registry.find('door') !== undefined)
  Object.assign(enabled, { lab: true })
  await loader.renewService()
  equal([registry.find('open'), registry.find('door')?.path], [undefined, '/open'])
})

test.run()
