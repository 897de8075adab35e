// Functions of commands at run time: what they may answer, and what happens when they throw or never finish.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite({ limits: { answer_seconds: 0.2 } })
const { lab } = site

const answers = suite('answers of commands')

const withAnswer = (answer: string) => `export default { summary: 'x', route: 'GET /handler', answer: ${answer} }\n`
const withText = (body: string) => withAnswer(`({ services }) => services.text('text/plain', ${body})`)

answers('an answer that throws gives 500 to its caller only, and the log gets one stack', async () => {
  await site.save('handler.ts', withAnswer("() => { throw new Error('handler broke') }"))
  const before = lab.log.length
  const { status, text } = await lab.call('GET /handler')
  equal([status, text], [500, ''])
  is((await lab.call('GET /clients')).status, 200)
  const lines = lab.log.slice(before)
  is(lines.filter(line => /handler\.ts.*handler broke/.test(line)).length >= 1, true)
  is(lines.filter(line => /\n? {2,}at /.test(line)).length, 1)
})

answers('an answer whose promise stays pending gives 500 after the time limit', async () => {
  await site.save('handler.ts', withAnswer('() => new Promise(() => {})'))
  is((await lab.call('GET /handler')).status, 500)
  await lab.logged(/GET \/handler .*500.*no answer after 0\.2 s/)
})

answers('an answer may be a text or a stream with a media type', async () => {
  await site.save('handler.ts', withText("'hello ñ'"))
  const { status, headers, text } = await lab.call('GET /handler')
  equal([status, headers['content-type'], text], [200, 'text/plain', 'hello ñ'])
  await site.save('handler.ts', withText("(async function* () { yield 'one '; yield 'two' })()"))
  is((await lab.call('GET /handler')).text, 'one two')
})

answers('a stream that fails before its first chunk, or never yields one, gives 500', async () => {
  await site.save('handler.ts', withText("(async function* () { throw new Error('no chunk') })()"))
  is((await lab.call('GET /handler')).status, 500)
  await site.save('handler.ts', withText('(async function* () { await new Promise(() => {}) })()'))
  is((await lab.call('GET /handler')).status, 500)
})

for (const [name, answer] of [
  ['a function', '() => () => 1'],
  ['a string', "() => 'text'"],
  ['an object that contains itself', '() => { const a = {}; a.a = a; return a }'],
  ['a BigInt', '() => ({ big: 1n })'],
]) {
  answers(`an answer that is ${name} gives 500`, async () => {
    await site.save('handler.ts', withAnswer(String(answer)))
    is((await lab.call('GET /handler')).status, 500)
  })
}

answers('an answer that is frozen only at its outermost level is sent with the changes inside it', async () => {
  const source = `const answer = Object.freeze({ list: Object.freeze([{ count: 0 }]) })
export default { summary: 'x', route: 'GET /handler', answer() { answer.list[0].count += 1; return answer } }
`
  await site.save('handler.ts', source)
  is((await lab.call('GET /handler')).text, '{"list":[{"count":1}]}')
  is((await lab.call('GET /handler')).text, '{"list":[{"count":2}]}')
})

answers.run()

const replies = suite('checkReply and onReply')
replies.after(() => site.stop())

replies('an onReply that throws is a failure of that client only', async () => {
  await site.save(
    'storing.ts',
    `export default {
  summary: 'x',
  route: 'POST /storing',
  payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } },
  forward: {
    to: 'POST /storing',
    reply: { type: 'object' },
    onReply({ client }) { if (client.addr === '127.0.8.1') throw new Error('storing broke') },
  },
}
`,
  )
  const addrs = ['127.0.8.1', '127.0.8.2']
  const agents = await Promise.all(addrs.map(addr => lab.agent(addr)))
  const ended = addrs.map(addr => lab.event('command-ended', { addr, command: 'storing' }))
  await lab.call('POST /storing', { clients: addrs })
  for (const agent of agents) {
    await agent.next('/storing')
    agent.answer(200, {})
  }
  const [first, second] = await Promise.all(ended)
  equal([first?.result, first?.reason], ['failure', 'reply not stored: storing broke'])
  is(second?.result, 'success')
})

const withCheck = (check: string) => `export default {
  summary: 'x',
  route: 'POST /checking',
  payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } },
  forward: { to: 'POST /checking', reply: { type: 'object' }, checkReply: ${check}, onReply({ client }) { client.setOutput('stored') } },
}
`

for (const [name, check, reason] of [
  ['refuses', "({ reply, services }) => services.refuse('id: expected 2, got ' + reply.id)", 'id: expected 2, got 1'],
  ['throws', "() => { throw new Error('checking broke') }", 'checking broke'],
  ['is async', 'async () => {}', 'checkReply: expected a refusal or nothing, got a promise'],
]) {
  replies(`a checkReply that ${name} is a failure of that client, and its reply is not stored`, async () => {
    await site.save('checking.ts', withCheck(String(check)))
    const addr = '127.0.8.3'
    const agent = await lab.agent(addr)
    const ended = lab.event('command-ended', { addr, command: 'checking' })
    await lab.call('POST /checking', { clients: [addr] })
    await agent.next('/checking')
    agent.answer(200, { id: 1 })
    const { result, reason: got } = await ended
    equal([result, got], ['failure', `reply not understood: ${reason}`])
    equal((await lab.call('POST /shell/output', { clients: [addr] })).json.clients, [{ addr, output: '' }])
    await agent.close()
  })
}

replies.run()
