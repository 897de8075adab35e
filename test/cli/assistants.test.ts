// `fleet mcp`, asked by the client of the protocol's own library: its tools, its answers, and how it ends.
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { type Assistant, failureOf, startAssistant } from '../harness/assistant.ts'
import { openShell } from '../harness/cli-shell.ts'
import { freePort } from '../harness/free-port.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const port = lab.host.ports.rest
const subnet = '127.0.142'
await lab.addComputer(`${subnet}.1`, { name: 'inside' })
await lab.call('POST /room/update', { room: 1, name: 'Lab 1' })
await lab.call('POST /room/add', { name: 'Lab 2', netmask: '255.255.255.0', center: 1 })
for (let number = 2; number <= 121; number += 1)
  await lab.addComputer(`${subnet}.${number}`, { name: `lab2-${number}`, room: 2 })
const reader = await startAssistant({ port })
const started: Assistant[] = [reader]
const startOther = async (args: string[], token?: string, of = port) => {
  const other = await startAssistant({ port: of, args, ...(token !== undefined && { token }) })
  started.push(other)
  return other
}

const test = suite('fleet mcp')
test.after(async () => {
  for (const each of started) await each.stop()
  await lab.stop()
})

const failOn = async (addr: string, reason: string) => {
  const agent = await lab.agent(addr)
  const ended = lab.event('command-ended', { addr })
  await lab.call('POST /shell/run', { clients: [addr], run: 'true', echo: true })
  await agent.next('/shell/run')
  agent.answer(500, { reason })
  await ended
  agent.destroy()
}

test('without --operate there are only tools that read, described by the API document', async () => {
  const { json: document } = await lab.call('GET /openapi.json')
  const tools = await reader.tools()
  for (const { name, annotations, description } of tools) {
    equal([name, annotations?.readOnlyHint], [name, true])
    const [, path = ''] = /\(GET (\/[^)]*)\)$/.exec(description ?? '') ?? []
    is(document.paths[path].get.operationId, name)
  }
  for (const name of ['search', 'jobs', 'job-report', 'failures', 'users'])
    ok(
      tools.some(each => each.name === name),
      name,
    )
  for (const name of ['backup', 'events', 'openapi', 'console', 'metrics', 'jobs-rest'])
    not.ok(
      tools.some(each => each.name === name),
      name,
    )
  const where = tools.find(({ name }) => name === 'search')?.inputSchema.properties?.where
  match(JSON.stringify(where), /failed: part of the name of a command.*ram<8GB/)
})

test('--operate adds what neither ends nor overwrites, nor runs what does: of a new command decide it', async () => {
  const operator = await startOther(['--operate'])
  const before = await reader.names()
  const more = (await operator.names()).filter(name => !before.includes(name))
  const inventory = ['hardware', 'probe', 'refresh', 'software']
  const others = ['cache-fetch', 'cache-list', 'failure-seen', 'image-check', 'schedule-get', 'shell-output', 'wol']
  equal(more, [...inventory, ...others].sort())
  const agent = await lab.agent(`${subnet}.1`)
  const { text } = await operator.ask('hardware', { where: 'name:inside' })
  match(text, /^job \d+ has begun: the tool jobs with rest \d+ has its results\n/)
  await agent.next('/hardware')
  agent.destroy()
  match((await reader.ask('hardware', { where: 'name:inside' })).text, /there is no such tool$/)
  match((await operator.ask('poweroff', { where: 'name:inside' })).text, /there is no such tool$/)
})

test('which computers of a room failed, and why, takes two calls; who has what is one', async () => {
  await failOn(`${subnet}.1`, 'not asked for')
  await failOn(`${subnet}.3`, 'no space')
  await failOn(`${subnet}.4`, 'no network')
  const { text: failed } = await reader.ask('failures', { where: 'room:"Lab 2"' })
  match(failed, /^failures, 2 rows:\nin all rows: command shell-run\nclient\tjob\treason\ttime\n/)
  equal(failed.match(/^127\.0\.142\.\d+/gm), [`${subnet}.3`, `${subnet}.4`])
  match(failed, /^127\.0\.142\.3\t\d+\tagent replied 500: no space\t\d{4}-\d\d-\d\dT[\d:.]+Z$/m)
  const { text: found } = await reader.ask('search', { where: 'room:"Lab 2" failed:shell', columns: 'name' })
  equal(found.split('\n').slice(-2), [`${subnet}.3\tlab2-3`, `${subnet}.4\tlab2-4`])
  const where = 'software:blender>=3 software:blender<4 ram<8GB'
  const { text: none } = await reader.ask('search', { where, explain: '1' })
  equal(none, 'total: 0\ncomputers: none\nreason: at 1: software is not known of any computer')
})

test('a large answer has 50 rows, and says how to read the rest', async () => {
  const { text } = await reader.ask('search', { where: 'room:"Lab 2"', columns: 'name' })
  match(text, /^total: 120\ncomputers, 50 rows:\nclient\tname\n/)
  const [, after = ''] = /\n70 more: after=(\d+)$/.exec(text) ?? []
  const { text: second } = await reader.ask('search', { where: 'room:"Lab 2"', columns: 'name', after })
  match(second, /\nlab2|\tlab2-52\n/)
  const { text: modules } = await reader.ask('modules')
  const [, count = '', skip = ''] = /\n(\d+) more: skip_rows=(\d+)$/.exec(modules) ?? []
  is(skip, '50')
  match(
    (await reader.ask('modules', { skip_rows: 50 })).text,
    new RegExp(`\n${Number(count) - 50} more: skip_rows=100$`),
  )
})

test('errors are the reasons of the daemon, or name the wrong argument', async () => {
  const { text, isError } = await reader.ask('search', { where: 'rom:x' })
  equal([isError, text], [true, 'where: at 1: there is no field rom; is room meant?'])
  match((await reader.ask('search', { were: 'room:1' })).text, /^search: expected where, got unknown key "were"$/)
})

test('a rest of a path leads nowhere else', async () => {
  const { text: job } = await reader.ask('jobs', { rest: '1' })
  match(job, /^id: 1\n/)
  for (const rest of ['../tokens', './1', '1//2', '..'])
    match((await reader.ask('jobs', { rest })).text, /^rest: expected what follows \/jobs\/, got /)
})

test('a limited token has the tools of its role, and sees its own computers', async () => {
  const { json } = await lab.call('POST /token/add', { name: 'room 1', role: 'read', rooms: [1] })
  const limited = await startOther(['--operate'], json.token)
  const names = await limited.names()
  for (const name of ['users', 'audit', 'wol', 'hardware', 'pending']) not.ok(names.includes(name), name)
  ok(names.includes('shell-output'))
  match((await limited.ask('search', { columns: 'name' })).text, /^total: 1\n(.*\n)*computers.name: inside$/)
  equal((await limited.ask('failures', { where: 'room:"Lab 2"' })).text, 'failures: none')
  const { text, isError } = await limited.ask('client-info', { client: [`${subnet}.2`] })
  equal([isError, /outside the rooms of the token$/.test(text)], [true, true], text)
  match((await limited.ask('users')).text, /there is no such tool$/)
})

test('a wrong token is said in one line', async () => {
  const wrong = await startOther([], 'wrong')
  match(await failureOf(wrong.tools()), /wrong or missing token/)
})

test('a daemon that is not there is an error of each call, until it is there', async () => {
  const free = await freePort()
  const absent = await startOther([], undefined, free)
  const changed = absent.listChanged()
  match(await failureOf(absent.tools()), /connection refused; is the daemon running\?$/)
  const { text, isError } = await absent.ask('search')
  equal([isError, /connection refused/.test(text)], [true, true])
  const late = await startTestHost({ options: { rest: { port: free } } })
  await changed
  ok((await absent.names()).includes('search'))
  await late.stop()
})

test('only messages are on standard output, and it ends with its input', async () => {
  equal(
    started.flatMap(({ errors }) => errors),
    [],
  )
  match(reader.log(), /^fleet mcp: search: answered, \d+ characters$/m)
  const shell = openShell({ FLEET_URL: `http://127.0.0.1:${port}`, FLEET_API_TOKEN: 'any' })
  const { code, out } = await shell.program('mcp')
  shell.remove()
  equal([code, out], [0, ''])
})

test.run()
