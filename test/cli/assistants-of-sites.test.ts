// `fleet mcp` and the commands of a site: which of them are tools, where their paths lead, and calls that are cancelled.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { failureOf, startAssistant } from '../harness/assistant.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site
const port = lab.host.ports.rest
const reader = await startAssistant({ port })
const operator = await startAssistant({ port, args: ['--operate'] })

const test = suite('fleet mcp of a site')
test.after(async () => {
  await reader.stop()
  await operator.stop()
  await site.stop()
})

const command = (route: string, more: string) => `// Of the site.
export default { summary: 'Of the site', route: '${route}', ${more} }
`

test('commands of the site are tools at once, and their texts keep to their lines', async () => {
  await reader.tools()
  const changed = reader.listChanged()
  const answer = `answer: () => ({ rows: [{ a: 'x\\ny\\tz', b: 1 }, { a: 'w', b: 2 }], text: 'first\\nrows: 9' })`
  await site.save('report.ts', command('GET /report', answer))
  await changed
  ok((await reader.names()).includes('report'))
  is((await reader.ask('report')).text, 'rows, 2 rows:\na\tb\nx y z\t1\nw\t2\ntext: \n  first\n  rows: 9')
  await site.save('renew.ts', command('POST /renew', `access: 'operate', answer: () => ({ renewed: 1 })`))
  await site.save('wipe.ts', command('POST /wipe', `access: 'operate', confirm: 'ask', answer: () => undefined`))
  equal(
    (await operator.names()).filter(name => name === 'renew' || name === 'wipe'),
    ['renew'],
  )
  is((await operator.ask('renew')).text, 'renewed: 1')
})

test('a rest does not reach a longer route, and a GET that is sent to clients needs --operate', async () => {
  const answer = 'answer: ({ request }) => ({ rest: request.rest })'
  await site.save('shelf.ts', command('GET /shelf', `http: { rest: true }, ${answer}`))
  await site.save('shelf-secret.ts', command('GET /shelf/secret', `assistants: false, ${answer}`))
  const payload = `{ type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }`
  await site.save('look.ts', command('GET /look', `payload: ${payload}, forward: { to: 'GET /look' }`))
  const names = await reader.names()
  equal(
    ['shelf', 'shelf-secret', 'look'].map(name => names.includes(name)),
    [true, false, false],
  )
  is((await reader.ask('shelf', { rest: 'a b/c' })).text, 'rest: a%20b, c')
  for (const rest of ['secret', 'secret/1'])
    match((await reader.ask('shelf', { rest })).text, /^rest: expected what follows \/shelf\/, got secret/)
  ok((await operator.names()).includes('look'))
})

test('a cancelled call ends', async () => {
  const wait = `({ services }) => new Promise(resolve => services.log.info('has begun') ?? services.signal.addEventListener('abort', () => resolve({})))`
  await site.save('slow.ts', command('GET /slow', `answer: ${wait}`))
  const cancel = new AbortController()
  const asked = reader.client.callTool({ name: 'slow', arguments: {} }, undefined, { signal: cancel.signal })
  await pollUntil(() => lab.log.some(line => line.includes('has begun')))
  cancel.abort()
  match(await failureOf(asked), /AbortError|abort/)
  await pollUntil(() => reader.log().includes('slow: cancelled'))
  is((await reader.ask('me')).isError, false)
})

test.run()
