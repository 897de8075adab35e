// Keys of contract 2 are put into the groups of contract 3, and one line says what to write instead.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { validateCommand } from '../../host/modules/validate-command.ts'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite()

const payload = {
  type: 'object',
  required: ['clients'],
  properties: { clients: { $ref: 'clients' }, ip: {}, dry_run: {} },
}
const declare = (keys: object, forward: object = {}) => {
  const command = { summary: 'x', route: 'POST /x', payload, ...keys, forward: { to: 'POST /x', ...forward } }
  const { module, notice } = validateCommand(command)
  const { confirm, imaging, http, audit } = module.command
  return { confirm, imaging, http, audit, notice, targets: module.targetKeys }
}

const test = suite('keys of contract 2')
test.after(() => site.stop())

test('each old key is the same as the one of contract 3', () => {
  const pairs: [old: object, current: object][] = [
    [{ destructive: true }, { confirm: 'ask' }],
    [{ destructive: true, needsConsent: true }, { confirm: 'consent' }],
    [{ imaging: true }, { imaging: 'read' }],
    [{ rest: true, startPage: true }, { http: { rest: true, startPage: true } }],
    [{ queryToken: true, browserLogin: true }, { http: { queryToken: true, browserLogin: true } }],
    [{ openOption: 'open_metrics' }, { http: { openWith: 'open_metrics' } }],
    [{ computerKey: 'ip', previewKey: 'dry_run' }, { audit: { computer: 'ip', preview: 'dry_run' } }],
  ]
  for (const [old, current] of pairs) equal({ ...declare(old), notice: undefined }, declare(current))
  equal({ ...declare({ imaging: true }, { createsImage: true }), notice: undefined }, declare({ imaging: 'write' }))
})

test('a file without old keys gives no notice', () => is(declare({ confirm: 'ask' }).notice, undefined))

test('one line of the log says what to write instead, where, and until when', async () => {
  const source = (keys: string) => `export default {
  summary: 'Show a folder', route: 'GET /show/old',
  ${keys},
  answer: ({ request }) => ({ rest: request.rest }),
}
`
  await site.save('show-old.ts', source('rest: true, queryToken: true'))
  const words = 'write http: { queryToken: true } for queryToken, http: { rest: true } for rest'
  const until = 'old keys work until a release after November 2028'
  const file = site.path('show-old.ts')
  await site.lab.logged(new RegExp(`info  modules: ${file}:3: queryToken: ${words}: ${until}\n`))
  equal((await site.lab.call('GET /show/old/a/b')).json, { rest: ['a', 'b'] })
  await site.save('show-old.ts', source('http: { rest: true }'))
  equal((await site.lab.call('GET /show/old/a')).json, { rest: ['a'] })
  is(site.lab.log.filter(line => line.includes('old keys work')).length, 1)
})

test.run()
