// What the pack notifications sends to Slack, Teams, ntfy and Matrix.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startNotifications, startReceiver } from '../harness/notifications.ts'

const test = suite('chat messages of notifications')

/** What a target of this kind gets when a job has failed. */
async function sentTo(kind: string, path: string, fields: object = {}) {
  const receiver = await startReceiver()
  const lab = await startNotifications({ clients: 1 })
  const [addr = ''] = lab.addresses
  await lab.post('/room/update', { room: 1, name: 'Lab <1> & 2' })
  await lab.addTarget('chat', { kind, address: new URL(path, receiver.url).href, ...fields })
  await lab.addRule('failed jobs', { events: ['job-finished'], targets: ['chat'] })
  await lab.fail()
  await lab.stop()
  await receiver.close()
  const [{ method, path: at, headers, body } = { method: '', path: '', headers: {}, body: '{}' }] = receiver.received
  return { method, path: at, authorization: headers.authorization, json: JSON.parse(body), addr }
}

const title = 'shell-run: 1 of 1 computers failed, Lab <1> & 2'

test('Slack gets a text in which nothing is a mention', async () => {
  const { json, path } = await sentTo('slack', '/services/T1/B1/x')
  is(path, '/services/T1/B1/x')
  match(json.text, /^shell-run: 1 of 1 computers failed, Lab &lt;1&gt; &amp; 2\npc-/)
})

test('Teams gets an adaptive card', async () => {
  const { json } = await sentTo('teams', '/workflows/1')
  const [{ contentType, content }] = json.attachments
  is(contentType, 'application/vnd.microsoft.card.adaptive')
  equal([content.type, content.body[0].text], ['AdaptiveCard', title])
})

test('ntfy gets the topic with the title, and a token', async () => {
  const { json, path, authorization, addr } = await sentTo('ntfy', '/labs', { secret: 'tk_1' })
  equal([path, authorization, json.topic, json.title], ['/', 'Bearer tk_1', 'labs', title])
  match(json.message, new RegExp(`^pc-${addr}: `))
})

test('Matrix gets a message of a room with a transaction of its own', async () => {
  const { json, method, path, authorization } = await sentTo('matrix', '/', { room: '!a:example.org', secret: 'syt' })
  equal([method, authorization, json.msgtype], ['PUT', 'Bearer syt', 'm.text'])
  match(path, /^\/_matrix\/client\/v3\/rooms\/!a%3Aexample\.org\/send\/m\.room\.message\/msg_\d{13}-[0-9a-f]{16}$/)
  is(json.body.split('\n')[0], title)
})

test('targets that cannot work are refused', async () => {
  const lab = await startNotifications()
  const refused = async (fields: object) =>
    (await lab.post('/notifications/target/add', { target: 'one', ...fields })).reason
  match(await refused({ kind: 'mail', to: [] }), /^to: expected at least one mail address/)
  match(await refused({ kind: 'mail', to: ['a b'] }), /^to: expected mail addresses, got a b/)
  match(await refused({ kind: 'webhook', address: 'ftp://a' }), /^address: expected https/)
  match(await refused({ kind: 'webhook', address: 'https://a', secret: 'x' }), /^secret: expected whsec_/)
  match(await refused({ kind: 'ntfy', address: 'https://a' }), /^address: expected the topic/)
  match(await refused({ kind: 'matrix', address: 'https://a' }), /^room, secret: expected both/)
  const settings = (values: object) => lab.post('/pack/settings', { pack: 'notifications', settings: values })
  match((await settings({ allowed: ['10.0.0.0/33'] })).reason, /^allowed: expected an address or a network/)
  match((await settings({ quiet: { from: '22:00' } })).reason, /^quiet: expected both times, or none/)
  await lab.stop()
})

test.run()
