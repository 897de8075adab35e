// What brokers and agents are refused by the pack remote-labs, and in which form.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { pollUntil } from '../harness/poll.ts'
import { base, pathOf, type RemoteLab, startRemoteLab, withRemoteLab } from '../harness/remote-labs.ts'

const test = suite<{ lab: RemoteLab; uds: Awaited<ReturnType<RemoteLab['broker']>> }>('refusals of remote labs')

test.before(async context => {
  context.lab = await startRemoteLab({ clients: 2, settings: { brokers: ['127.0.0.1'] } })
  context.uds = await context.lab.broker('uds')
})
test.after(({ lab }) => lab.stop())

test('every refusal has its status and a message', async ({ lab, uds }) => {
  const client = 'ous/1/labs/1/clients/1'
  const urls = { urlLogin: `${lab.receiver.url}/in`, urlLogout: `${lab.receiver.url}/out` }
  const expected: [string, object | string | undefined, number][] = [
    ['GET nothing', undefined, 404],
    ['GET login', undefined, 404],
    ['POST ous', {}, 404],
    [`DELETE ${client}`, undefined, 404],
    ['POST login', {}, 400],
    ['POST login', '{"username":', 400],
    ['POST login', { username: 'uds', password: 'wrong' }, 401],
    ['POST login', { username: 'other', password: uds.key }, 401],
    ['GET ous/0', undefined, 400],
    ['GET ous/9', undefined, 401],
    ['GET ous/1/labs/9', undefined, 401],
    ['GET ous/1/labs/1/clients/9', undefined, 401],
    ['GET ous/1/images/9', undefined, 401],
    ['GET ous/1/repos/9', undefined, 401],
    ['GET repository/image/nothing', undefined, 404],
    ['POST repository/poweron', { macs: [] }, 400],
    ['POST ous/1/images/9/reserve', {}, 401],
    ['POST ous/9/images/1/reserve', {}, 401],
    ['POST ous/1/images/1/reserve', { maxtime: 0 }, 400],
    ['POST ous/1/images/1/reserve', { labid: 'x' }, 400],
    ['POST ous/1/images/1/reserve', { labid: 9 }, 401],
    [`POST ${client}/events`, urls, 400],
    [`POST ${client}/events`, { urlLogin: 'here', urlLogout: urls.urlLogout }, 400],
    [`POST ${client}/events`, { ...urls, urlLogin: 'http://elsewhere.example/' }, 400],
    ['POST ous/1/labs/1/clients/9/events', urls, 401],
    [`POST ${client}/session`, { deadLine: 60 }, 400],
    [`POST ${client}/session`, { deadLine: -1 }, 400],
    ['POST ous/1/labs/1/clients/9/session', { deadLine: 60 }, 404],
    [`DELETE ${client}/unreserve`, undefined, 400],
    ['DELETE ous/1/labs/1/clients/9/unreserve', undefined, 404],
    [`POST ${client}/init`, { image: 'x' }, 400],
    [`POST ${client}/init`, { image: 9 }, 404],
    ['POST ous/1/labs/1/clients/9/init', { image: 1 }, 404],
    ['POST ogagent/started', { ip: '10.0.0.1' }, 400],
    ['POST ogagent/started', { ip: '127.0.0.1', mac: '020000000001', secret: 'x' }, 400],
    ['POST ogagent/loggedin', { ip: '127.0.0.1', user: 'anna' }, 400],
    ['POST ogagent/nothing', {}, 404],
  ]
  for (const [route, body, status] of expected) {
    const response = await uds.send(route, body)
    is(response.status, status, `${route} ${JSON.stringify(body)}: ${response.text}`)
    is(typeof response.json.message, 'string', route)
    is(response.headers['content-type'], 'application/json; charset=utf-8')
  }
  equal(await lab.collections.reservations.list(), [])
})

test('a request without a key is a 400, one with a wrong key a 401, and a key that may only read reserves nothing', async ({
  lab,
  uds,
}) => {
  for (const route of ['GET ous', 'POST ous/1/images/1/reserve', 'DELETE ous/1/labs/1/clients/1/unreserve']) {
    is((await uds.send(route, undefined, { Authorization: '' })).status, 400)
    const wrong = await uds.send(route, undefined, { Authorization: 'x'.repeat(32) })
    is(wrong.status, 401)
    is(wrong.json.message, 'wrong key')
  }
  is((await uds.send('GET repository/images', undefined, { Authorization: '' })).status, 401)
  match((await lab.get('/metrics')).text, /auth_failures_total [3-9]/)
  const reader = await lab.broker('reader', { role: 'read', rooms: [1] })
  is((await reader.send('GET ous')).status, 200)
  is((await reader.reserve()).status, 401)
  await lab.expectDone('/room/add', { name: 'Other', netmask: '255.255.255.0', center: 1 })
  const stranger = await lab.broker('stranger', { role: 'operate', rooms: [2] })
  equal(
    (await stranger.send('GET ous/1/labs')).json.map(({ id }: { id: number }) => id),
    [2],
  )
  is((await stranger.reserve()).status, 401)
})

test('the key of a token is the token, and reads have what brokers need', async ({ lab, uds }) => {
  const login = await uds.send('POST /login', { username: 'uds', password: uds.key }, { Authorization: '' })
  equal(login.json, { userid: 1, apikey: uds.key })
  const read = async (path: string) => {
    const { status, json, text } = await uds.send(`GET ${path}`)
    is(status, 200, `${path}: ${text}`)
    return json
  }
  equal(await read('/ous/'), [{ id: 1, name: 'Center' }])
  is((await read('info')).version >= '1.1.0', true)
  is(typeof (await read('status')).memInfo.total, 'string')
  const [lab1] = await read('/ous/1/labs')
  equal([lab1.id, lab1.name, lab1.inremotepc, lab1.ou.id], [1, 'Room', true, 1])
  equal((await read('ous/1/labs/1')).capacity, 2)
  const clients = await read('ous/1/labs/1/clients')
  match(clients[0].mac, /^[0-9A-F]{12}$/)
  equal(
    await read('ous/1/labs/1/clients/status'),
    clients.map(({ id, ip }: { id: number; ip: string }) => ({ id, ip, status: 'oglive' })),
  )
  equal((await read('ous/1/labs/1/clients/1')).repo, { id: 1 })
  const { diskcfg } = await read('ous/1/labs/1/clients/1/diskcfg')
  equal([diskcfg[0].parttable, diskcfg[1].os, diskcfg[1].image.id], ['GPT', 'Debian 12', 1])
  equal((await read('ous/1/labs/1/clients/1/hardware')).hardware, [])
  equal(await read('ous/1/groups'), [])
  const [image] = await read('ous/1/images')
  equal(image, { id: 1, name: 'debian', inremotepc: true, ou: { id: 1 } })
  is((await read('ous/1/images/1')).type, 'monolithic')
  equal((await read('ous/1/images/1/software')).software.applications, ['vim'])
  is((await read('ous/1/repos'))[0].id, 1)
  is((await read('ous/1/repos/1')).ip, '10.9.9.9')
  is((await read('repository/images')).images[0].name, 'debian')
  is((await read('repository/image/debian')).mode.length, 4)
  await lab.clients[1]?.disconnect()
  match((await uds.send('POST repository/poweron', { macs: [clients[1].mac] })).json.output, /1 computers/)
  is((await read('ous/1/labs/1/clients/2/status')).status, 'wol_sent')
  is((await uds.send('POST ous/1/labs/1/clients/2/init', { image: '1' })).text, '[]')
  await lab.clients[1]?.connect()
  await lab.settle()
  await pollUntil(() => lab.clients[1]?.requests.some(({ path }) => path === '/session') === true)
})

test('invalid JSON is as no body, and another broker changes nothing', async ({ lab, uds }) => {
  const { json, status } = await uds.reserve('{not json')
  is(status, 200)
  const other = await lab.broker('other')
  const path = pathOf(json)
  is((await other.send(`DELETE ${path}/unreserve`)).status, 200)
  is((await lab.reservation(json.ip))?.state, 'reserved')
  is((await other.send(`POST ${path}/init`, { image: 1 })).status, 404)
  const { text } = await lab.get('/audit')
  match(text, 'DELETE /opengnsys/rest')
})

test('a hook that refuses the start of a computer refuses the reservation', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-noon-'))
  mkdirSync(join(folder, 'modules'))
  const hook = `export default { summary: 'Exam', before: ['session'], check: ({ services }) => services.refuse('an exam') }`
  writeFileSync(join(folder, 'modules', 'exam.ts'), `// An exam.\n${hook}\n`)
  await withRemoteLab({ clients: 1, folder: join(folder, 'modules') }, async lab => {
    const uds = await lab.broker('uds')
    const refused = await uds.reserve()
    equal([refused.status, refused.json.message], [401, 'hook exam: an exam'])
    is((await lab.reservation(lab.addresses[0] ?? ''))?.state, 'ended')
    equal(
      lab.clients[0]?.requests.filter(({ path }) => path === '/session'),
      [],
    )
  })
  rmSync(folder, { recursive: true, force: true })
})

test('the prefix of the API is closed while the pack is disabled', async ({ lab, uds }) => {
  await lab.expectDone('/pack/disable', { pack: 'remote-labs' })
  is((await lab.call(`DELETE ${base}/ous`, undefined, { Authorization: uds.key })).status, 405)
  is((await lab.call(`GET ${base}/ous`, undefined, { Authorization: uds.key })).status, 404)
})

test.run()
