// The command contract: what each function of a command is handed.
import { unlinkSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { validateCommand } from '../../host/modules/validate-command.ts'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site

const clients = "{ type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }"
const keys = suite('keys of the payload')

keys('what audit names, also as computerKey and previewKey, must be keys of the payload', async () => {
  for (const [index, key] of ['computerKey', 'previewKey', 'audit.computer', 'audit.preview'].entries()) {
    const keys = key.startsWith('audit.') ? `audit: { ${key.slice(6)}: 'b' }` : `${key}: 'b'`
    const payload = "{ type: 'object', properties: { a: {} } }"
    const name = `wrong-${index}.ts`
    const event = await site.save(
      name,
      `export default { summary: 'x', route: 'POST /x', payload: ${payload}, ${keys}, answer: () => ({}) }\n`,
    )
    equal(
      [event.type, 'reason' in event && event.reason],
      ['module-failed', `${site.path(name)}:1: ${key}: expected a key of the payload, got b`],
    )
  }
})

keys.run()

const deadlines = suite('deadline of a command')

deadlines('it is more than 0 seconds, and not longer than one timer', () => {
  const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }
  const check = (deadline: number) =>
    validateCommand({ summary: 'X', route: 'POST /x', payload, forward: { to: 'POST /x', deadline } })
  for (const deadline of [0.5, 2_147_483]) is(check(deadline).module.command.forward?.deadline, deadline)
  for (const deadline of [0, -1, 2_147_484]) throws(() => check(deadline), 'forward.deadline: expected a number')
})

deadlines.run()

const contexts = suite('contexts of the functions')

contexts('answer is handed payload, services and request', async () => {
  await site.save(
    'look.ts',
    `export default {
  summary: 'Look', route: 'POST /look', rest: true,
  payload: { type: 'object', properties: { a: { type: 'integer' } } },
  answer: context => ({ keys: Object.keys(context), payload: context.payload, rest: context.request.rest }),
}\n`,
  )
  const { json } = await lab.call('POST /look/b/c', { a: 1 })
  equal(json, {
    keys: ['payload', 'services', 'settings', 'collections', 'request'],
    payload: { a: 1 },
    rest: ['b', 'c'],
  })
})

contexts('an answer with the keys type and body is JSON, services.text makes a text of any media type', async () => {
  await site.save(
    'texts.ts',
    `export default {
  summary: 'Texts', route: 'GET /texts', query: { type: 'object', properties: { kind: { enum: ['json', 'text'] } } },
  answer: ({ services, request }) =>
    request.query.kind === 'text' ? services.text('text/plain', 'plain', 203) : { type: 'text/plain', body: 'plain' },
}\n`,
  )
  equal((await lab.call('GET /texts?kind=json')).json, { type: 'text/plain', body: 'plain' })
  const text = await lab.call('GET /texts?kind=text')
  equal([text.status, text.text, text.headers['content-type']], [203, 'plain', 'text/plain'])
})

contexts('the query is checked by its schema, and a repeated key has its values joined with commas', async () => {
  await site.save(
    'ask.ts',
    `const query = { type: 'object', required: ['id'], properties: { id: { type: 'string', pattern: '^[0-9,]+$', expected: 'digits' } } }
export default { summary: 'Ask', route: 'GET /ask', query, answer: ({ request }) => request.query }\n`,
  )
  equal((await lab.call('GET /ask?id=7&more=x')).json, { id: '7', more: 'x' })
  equal((await lab.call('GET /ask?id=7&id=8')).json, { id: '7,8' })
  is((await lab.call('GET /ask?id=x')).status, 400)
  await lab.logged(/GET \/ask from 127\.0\.0\.1: 400, \?id: expected digits, got "x"$/m)
  is((await lab.call('GET /ask')).status, 400)
  await lab.logged(/400, \?query: id is missing$/m)
})

contexts('onReply is handed reply, client, payload and services, and client.setOutput stores an output', async () => {
  await site.save(
    'who.ts',
    `export default {
  summary: 'Who', route: 'POST /who',
  payload: { type: 'object', required: ['clients', 'word'], properties: { clients: { $ref: 'clients' }, word: { type: 'string' } } },
  accept: ({ payload, request }) => ({ ...payload, word: payload.word + (request ? ' by request' : '') }),
  forward: {
    to: 'POST /shell/run',
    body: ({ payload }) => ({ run: payload.word, echo: true }),
    reply: { type: 'object', properties: { out: { type: 'string' } } },
    onReply({ reply, client, payload, services }) {
      client.setOutput([reply.out, client.addr, payload.word, typeof services.store].join('; '))
    },
  },
}\n`,
  )
  const auto = { '/shell/run': { status: 200, body: { out: 'root' } }, '/refresh': { status: 200 } }
  const agent = await lab.agent('127.0.5.1', { auto })
  const finished = lab.event('job-finished', { name: 'who' })
  const { headers } = await lab.call('POST /who', { clients: ['127.0.5.1'], word: 'whoami' })
  await finished
  equal(agent.requests.at(-1)?.body, { run: 'whoami by request', echo: true })
  const output = 'root; 127.0.5.1; whoami by request; object'
  const stored = await lab.call('POST /shell/output', { clients: ['127.0.5.1'] })
  equal(stored.json.clients, [{ addr: '127.0.5.1', output }])
  const job = await lab.call(`GET /jobs/${headers['x-job-id']}?client=127.0.5.1`)
  is(job.json.parts[0].output, output)
})

contexts('act is handed client, payload and services', async () => {
  await site.save(
    'note.ts',
    `export default {
  summary: 'Note', route: 'POST /note', payload: ${clients},
  act({ client, payload, services }) {
    services.log.info(client.addr + ' of ' + payload.clients.length)
    return { result: 'success' }
  },
}\n`,
  )
  is((await lab.call('POST /note', { clients: ['127.0.5.2'] })).status, 200)
  match(await lab.logged(/127\.0\.5\.2 of 1/), /info {2}command: \/.*\/note\.ts: 127\.0\.5\.2 of 1$/m)
})

contexts.run()

const lifetime = suite('services.signal')
const watcher = (text: string) => `export default {
  summary: 'Wait', route: 'GET /wait',
  answer({ services }) {
    services.signal.addEventListener('abort', () => services.log.warn('${text} ended'))
    return { aborted: services.signal.aborted }
  },
}\n`

lifetime('is aborted when the version goes out of service: edited, deleted, or stopped with the daemon', async () => {
  await site.save('wait.ts', watcher('one'))
  equal((await lab.call('GET /wait')).json, { aborted: false })
  await site.save('wait.ts', watcher('two'))
  await lab.logged(/wait\.ts: one ended/)
  equal((await lab.call('GET /wait')).json, { aborted: false })
  const removed = lab.event('module-removed', { file: site.path('wait.ts') })
  unlinkSync(site.path('wait.ts'))
  await removed
  await lab.logged(/wait\.ts: two ended/)
  await site.save('wait.ts', watcher('three'))
  await lab.call('GET /wait')
  await site.stop()
  await lab.logged(/wait\.ts: three ended/)
})

lifetime.run()
