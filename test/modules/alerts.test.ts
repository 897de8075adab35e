// `services.alert`: what a module emits about a computer, for hooks and readers of events.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createLab } from '../../host/test-kit/lab.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleet-alerts-'))
const file = (name: string, text: string) => writeFileSync(join(folder, `${name}.js`), `export default ${text}\n`)
file(
  'warn',
  `{ summary: 'Warn', route: 'POST /warn', access: 'operate', payload: { type: 'object' },
     answer({ payload, services }) { services.alert(payload) } }`,
)
file(
  'listen',
  `{ summary: 'Listen', on: ['pack-alert'],
     run({ events, services }) { for (const event of events) services.log.info(JSON.stringify(event)) } }`,
)
const lab = await createLab({ folder })

const test = suite('alerts')
test.after(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('hooks get an alert with the name of the module, and its text without control characters', async () => {
  is((await lab.post('/warn', { client: '10.1.1.20', kind: 'too-hot', text: 'a\u0007b' })).status, 200)
  const line = lab.log.find(each => each.includes('too-hot')) ?? ''
  const { time: _, ...event } = JSON.parse(line.slice(line.indexOf('{')))
  equal(Object.keys(event), ['type', 'clients', 'alert', 'text'])
  equal([event.type, event.clients, event.alert], ['pack-alert', ['10.1.1.20'], 'warn/too-hot'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  is(/[\u0000-\u001f]/.test(event.text), false)
})

test('an alert of no computer, or without a name, is an error of the module', async () => {
  is((await lab.post('/warn', { client: 'pc-20', kind: 'hot', text: '' })).status, 500)
  is((await lab.post('/warn', { client: '10.1.1.20', kind: 'Too hot', text: '' })).status, 500)
  match(lab.log.join('\n'), /alert: client: expected an address, got pc-20/)
  match(lab.log.join('\n'), /alert: kind: expected letters and hyphens, got Too hot/)
})

test.run()
