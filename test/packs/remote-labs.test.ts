// Reservations of the pack remote-labs: their life, and whom a computer is promised to.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { pollUntil } from '../harness/poll.ts'
import { linux, pathOf, type RemoteLab, withRemoteLab } from '../harness/remote-labs.ts'

const test = suite('remote labs')

const pathsOf = (client: RemoteLab['clients'][number] | undefined) => client?.requests.map(({ path }) => path) ?? []

const eventsOf = ({ receiver }: RemoteLab) => ({
  urlLogin: `${receiver.url}/login?a=1&b=2`,
  urlLogout: `${receiver.url}/logout`,
  urlRelease: `${receiver.url}/release`,
})

test('the whole life of a reservation', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const uds = await lab.broker('uds')
    const reserved = await uds.reserve({ labid: 1, maxtime: 24 })
    const [client] = lab.clients
    is(reserved.status, 200, reserved.text)
    const mac = `0200${(client?.addr ?? '')
      .split('.')
      .map(byte => Number(byte).toString(16).padStart(2, '0'))
      .join('')}`
    const name = `pc-${client?.addr}`
    equal(reserved.json, { id: 1, name, ip: client?.addr, mac: mac.toUpperCase(), lab: { id: 1 }, ou: { id: 1 } })
    match(JSON.stringify(client?.requests.at(-1)), '"path":"/session","body":{"disk":"1","partition":"1"}')
    const path = pathOf(reserved.json)
    const done = await uds.send(`POST ${path}/events`, eventsOf(lab))
    is(done.text, '""')
    is((await uds.send(`POST ${path}/session`, { deadLine: '3600' })).text, '""')
    await client?.disconnect()
    client?.replyTo('GET /refresh', linux)
    await client?.connect()
    is((await uds.send(`GET ${path}/status`)).text, `{"id":1,"ip":"${client?.addr}","status":"linux"}`)
    await client?.login('anna')
    await lab.settle()
    is((await uds.send(`GET ${path}/status`)).json.loggedin, true)
    const [row] = (await lab.get('/view/remote-sessions')).json.rows
    equal([row.broker, row.state, row.user, row.image], ['token uds', 'in use', 'anna', 'debian'])
    const [badge] = (await lab.get('/view/remote-session')).json.badges
    equal([badge.client, badge.title], [client?.addr, 'lent to anna through token uds'])
    await client?.logout('anna')
    await lab.settle()
    equal(
      lab.receiver.received.map(each => `${each.method} ${each.path}${each.body}`),
      ['GET /hook/login?a=1&b=2', 'GET /hook/logout'],
    )
    is((await uds.send(`DELETE ${path}/unreserve`)).text, '""')
    is(client?.requests.at(-1)?.path, '/poweroff')
    is((await lab.get('/view/remote-sessions')).json.rows.length, 0)
    // Late or repeated: somebody else may have the computer by then.
    const before = client?.requests.length
    is((await uds.send(`DELETE ${path}/unreserve`)).status, 200)
    is(client?.requests.length, before)
  }))

test('of two requests for the last computer one gets it', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const uds = await lab.broker('uds')
    const other = await lab.broker('openrlabs')
    const answers = await Promise.all([uds.reserve(), other.reserve(), uds.reserve(), other.reserve()])
    equal(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    match(answers.find(({ status }) => status === 401)?.json.message, 'no free computer')
    is(lab.clients[0]?.requests.filter(({ path }) => path === '/session').length, 1)
  }))

test('computers where somebody sits, in maintenance, without the image, or of rooms that are not lent are not promised', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const uds = await lab.broker('uds')
    const [client] = lab.clients
    await client?.login('anna')
    is((await uds.reserve()).status, 401)
    await client?.logout('anna')
    await lab.expectDone('/client/update', { ip: client?.addr, maintenance: true })
    is((await uds.reserve()).status, 401)
    await lab.expectDone('/client/update', { ip: client?.addr, maintenance: false })
    await lab.expectDone('/room/update', { room: 1, name: 'Room', netmask: '255.255.255.0', center: 1, remote: false })
    is((await uds.reserve()).status, 401)
    await lab.expectDone('/pack/settings', { pack: 'remote-labs', settings: { where: 'name:pc-*' } })
    is((await uds.reserve({ labid: 7 })).status, 401)
    await lab.post('/drain', {})
    match((await uds.reserve()).json.message, 'restart')
    await lab.post('/drain', { cancel: true })
    is((await uds.reserve()).status, 200)
  }))

test('a computer that is off is promised only when it has connected, and kept for its broker until then', () =>
  withRemoteLab({ clients: 2, settings: { waking: 1 } }, async lab => {
    const uds = await lab.broker('uds')
    const other = await lab.broker('openrlabs')
    for (const client of lab.clients) await client.disconnect()
    const refused = await uds.reserve()
    is(refused.status, 401)
    match(refused.json.message, '1 are being woken')
    const [woken] = (await lab.collections.reservations.list()).map(({ key }) => key)
    match((await uds.reserve()).json.message, '1 are being woken')
    is((await lab.collections.reservations.list()).length, 1)
    const client = lab.clients.find(({ addr }) => addr === woken)
    await client?.connect()
    is((await other.reserve()).status, 401)
    const reserved = await uds.reserve()
    is(reserved.json.ip, woken)
    match(pathsOf(lab.clientOf(reserved)).join(), '/session')
  }))

test('when a computer does not wake up another one is woken, and one that nobody comes for is powered off again', () =>
  withRemoteLab({ clients: 2, settings: { waking: 1 } }, async lab => {
    const uds = await lab.broker('uds')
    for (const client of lab.clients) await client.disconnect()
    await uds.reserve()
    const [broken] = (await lab.collections.reservations.list()).map(({ key }) => key)
    await lab.advance('4 minutes')
    is((await lab.reservation(broken ?? ''))?.why, 'it was woken and did not connect')
    await uds.reserve()
    const second = lab.clients.find(({ addr }) => addr !== broken)
    is((await lab.reservation(second?.addr ?? ''))?.state, 'waking')
    await second?.connect()
    await lab.advance('4 minutes')
    is((await lab.reservation(second?.addr ?? ''))?.state, 'ended')
    is(second?.requests.at(-1)?.path, '/poweroff')
  }))

test('a request may wait for a woken computer', () =>
  withRemoteLab({ clients: 1, settings: { answer_seconds: 9 } }, async lab => {
    const uds = await lab.broker('uds')
    const [client] = lab.clients
    await client?.disconnect()
    const reserving = uds.reserve()
    await pollUntil(async () => (await lab.reservation(client?.addr ?? ''))?.state === 'waking')
    await client?.connect()
    is((await reserving).status, 200)
  }))

test('a computer with a running system is restarted, and its image is started from the live environment', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const [client] = lab.clients
    client?.replyTo('GET /refresh', linux)
    await lab.expectDone('/refresh', { clients: lab.addresses })
    const uds = await lab.broker('uds')
    is((await uds.reserve()).status, 200)
    is(client?.requests.at(-1)?.path, '/reboot')
    await client?.disconnect()
    client?.replyTo('GET /refresh', { ...linux, status: 'OPG' })
    await client?.connect()
    await lab.settle()
    equal(pathsOf(client), ['/session'])
    await client?.disconnect()
    await client?.connect()
    await lab.settle()
    equal(pathsOf(client), [])
  }))

test('an administrator releases a computer', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const uds = await lab.broker('uds')
    const { json } = await uds.reserve()
    is((await lab.post('/remote-labs/release', { clients: [json.ip] })).status, 200)
    is((await lab.post('/remote-labs/release', { clients: [json.ip] })).status, 400)
    is((await uds.reserve()).status, 200)
  }))

test('a released computer on which something has begun meanwhile is not powered off', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const uds = await lab.broker('uds')
    const [client] = lab.clients
    const { json } = await uds.reserve()
    await lab.settle()
    // It replies later.
    client?.replyTo('POST /shell/run', {}, 202)
    const send = (route: string, payload: object) => lab.call(`POST ${route}`, { clients: [json.ip], ...payload })
    is((await send('/shell/run', { run: 'true', echo: false })).status, 200)
    is((await send('/remote-labs/release', { poweroff: true })).status, 200)
    // As if it had begun between the look and the request.
    const { headers } = await send('/remote-labs/poweroff', {})
    const job = await lab.get(`/jobs/${headers['x-job-id']}`)
    equal([job.json.parts[0].state, job.json.parts[0].reason], ['skipped', 'busy'])
    is(client?.requests.at(-1)?.path, '/shell/run')
    await client?.disconnect()
  }))

test.run()
