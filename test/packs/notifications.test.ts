// Rules, messages and the log of the pack notifications.
import { Webhook } from 'standardwebhooks'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { bodiesOf, idsOf, withWebhook } from '../harness/notifications.ts'

const test = suite('notifications')

test('a library of Standard Webhooks verifies what is sent', () =>
  withWebhook({ clients: 2, start: new Date().toISOString() }, async (lab, receiver, secret) => {
    await lab.fail()
    is(receiver.received.length, 1)
    const [one] = receiver.received
    const event = new Webhook(secret).verify(one?.body ?? '', one?.headers ?? {}) as { type: string; data: object }
    is(event.type, 'job-finished')
    match(JSON.stringify(event.data), /"title":"shell-run: 2 of 2 computers failed, Room","count":2/)
    match(one?.headers['webhook-id'] ?? '', /^msg_\d{13}-[0-9a-f]{16}$/)
  }))

test('what no rule names is not sent, and a rule that has never matched says so', () =>
  withWebhook({ clients: 1 }, async (lab, receiver) => {
    await lab.post('/shell/run', { clients: lab.addresses, run: 'true', echo: false })
    is(receiver.received.length, 0)
    is((await lab.get('/view/notifications/rules')).json.rows[0].matches, 'never')
    await lab.fail()
    const [row] = (await lab.get('/view/notifications/rules')).json.rows
    is(row.matches, '1')
    is((await lab.get('/notifications/rules')).json.rules[0].matches, 1)
  }))

test('a rule for rooms gets what happens in these rooms', () =>
  withWebhook({ clients: 1 }, async (lab, receiver) => {
    await lab.post('/room/add', { name: 'Other', netmask: '255.255.255.0', center: 1 })
    await lab.post('/notifications/rule/update', { rule: 'failed jobs', rooms: [2] })
    await lab.fail()
    is(receiver.received.length, 0)
    await lab.post('/notifications/rule/update', { rule: 'failed jobs', rooms: [1] })
    await lab.fail()
    is(receiver.received.length, 1)
    match((await lab.post('/notifications/rule/update', { rule: 'failed jobs', rooms: [9] })).reason, /no room 9/)
  }))

test('a rule for groups gets what happens on their computers, and counts only these', () =>
  withWebhook({ clients: 3 }, async (lab, receiver) => {
    const [one = '', two = ''] = lab.addresses
    const add = (name: string, fields: object) => lab.post('/group/add', { name, description: '', ...fields })
    await add('Front row', { clients: [one, two] })
    await add('Nobody', { where: 'name:nobody' })
    await lab.post('/notifications/rule/update', { rule: 'failed jobs', groups: [2] })
    await lab.addRule('gone', { events: ['client-gone', 'account-added'], groups: [1, 2], targets: ['tickets'] })
    await lab.fail()
    is(receiver.received.length, 0)
    await lab.post('/notifications/rule/update', { rule: 'failed jobs', groups: [1] })
    await lab.fail()
    match(bodiesOf(receiver)[0].data.title, /: 2 of 2 computers failed, Room$/)
    is((await lab.get('/view/notifications/rules')).json.rows[0].members, 'Front row')
    for (const client of lab.clients) await client.disconnect()
    await lab.post('/user/add', { name: 'anna', role: 'read', password: 'a password of anna' })
    await lab.advance('20 seconds')
    equal([receiver.received.length, bodiesOf(receiver)[1].data.count], [2, 2])
    match((await lab.post('/notifications/rule/update', { rule: 'gone', groups: [9] })).reason, /no group 9/)
  }))

test('a test, and a message that is sent again, arrive at once', () =>
  withWebhook({ clients: 1 }, async (lab, receiver) => {
    const { json } = await lab.post('/notifications/target/test', { target: 'tickets' })
    is(bodiesOf(receiver)[0].type, 'test')
    await lab.post('/notifications/delivery/again', { delivery: json.deliveries[0] })
    is(receiver.received.length, 2)
    not.equal(idsOf(receiver)[0], idsOf(receiver)[1])
    await lab.post('/notifications/rule/test', { rule: 'failed jobs' })
    match(bodiesOf(receiver)[2].data.title, /rule failed jobs/)
  }))

test('addresses and secrets of targets cannot be read back', () =>
  withWebhook({ clients: 1 }, async (lab, receiver, secret) => {
    await lab.fail()
    const reads = ['/notifications/targets', '/view/notifications/targets', '/packs', '/backup', '/audit', '/jobs']
    for (const path of reads) {
      const { status, text } = await lab.get(path)
      is(status, 200, path)
      not.match(text, secret, path)
      not.match(text, receiver.url, path)
    }
    not.match(lab.log.join('\n'), secret)
    ok((await lab.collections.targets.get('tickets'))?.value.secret === secret)
  }))

test('in quiet hours messages wait for the end, but not those of urgent rules', () =>
  withWebhook(
    { clients: 1, start: '2026-03-02T23:50:00', settings: { quiet: { from: '22:00', until: '00:30' } } },
    async (lab, receiver) => {
      await lab.addRule('urgent', { events: ['job-finished'], targets: ['tickets'], urgent: true })
      await lab.fail()
      equal(
        bodiesOf(receiver).map(({ data }) => data.rule),
        ['urgent'],
      )
      await lab.advance('35 minutes')
      is(receiver.received.length, 1)
      await lab.advance('10 minutes')
      is(receiver.received.length, 2)
    },
  ))

test('computers that go within some seconds are one message, from the first one on', () =>
  withWebhook({ clients: 5, start: '2026-03-02T08:00:08Z' }, async (lab, receiver) => {
    await lab.addRule('gone', { events: ['client-gone'], targets: ['tickets'] })
    const [first, ...others] = lab.clients
    await first?.disconnect()
    await lab.advance('4 seconds')
    for (const client of others) await client.disconnect()
    await lab.advance('20 seconds')
    is(receiver.received.length, 1)
    const [{ data }] = bodiesOf(receiver)
    is(data.count, 5)
    is(data.title, 'Connection lost: Room')
    equal(data.entries.map(({ client }: { client: string }) => client).sort(), [...lab.addresses].sort())
  }))

test('disabled, nothing is sent, and purged, nothing is kept', () =>
  withWebhook({ clients: 1 }, async (lab, receiver) => {
    await lab.post('/pack/disable', { pack: 'notifications' })
    await lab.fail()
    await lab.advance('1 minute')
    is(receiver.received.length, 0)
    is((await lab.get('/notifications/rules')).status, 404)
    is((await lab.post('/pack/purge', { pack: 'notifications' })).status, 200)
    const { packs } = (await lab.get('/packs')).json
    const { documents, bytes, enabled } = packs.find(({ name }: { name: string }) => name === 'notifications')
    equal({ documents, bytes, enabled }, { documents: 0, bytes: 0, enabled: false })
  }))

test.run()
