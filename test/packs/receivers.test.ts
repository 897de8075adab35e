// What the pack notifications does with receivers that are down, slow, elsewhere or gone.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { bodiesOf, idsOf, type NotificationsLab, startReceiver, withWebhook } from '../harness/notifications.ts'

const test = suite('receivers of notifications')

const logged = async (lab: NotificationsLab) =>
  (await lab.collections.log.list({ limit: 1000 })).map(({ value }) => value)

test('a receiver that is down for an hour gets everything afterwards, once each and with the same ids', () =>
  withWebhook({ clients: 1 }, async (lab, receiver) => {
    receiver.reply((_, response) => void response.writeHead(503).end('down'))
    for (let job = 0; job < 3; job += 1) await lab.fail()
    await lab.advance('20 minutes')
    const attempts = new Set(idsOf(receiver))
    is(attempts.size, 3)
    is(idsOf(receiver).length, 9)
    await lab.advance('40 minutes')
    const before = receiver.received.length
    receiver.reply((_, response) => void response.writeHead(200).end())
    await lab.advance('2 hours')
    const after = idsOf(receiver).slice(before)
    equal(new Set(after), attempts)
    is(after.length, 3)
    equal(
      (await logged(lab)).map(({ state }) => state),
      ['sent', 'sent', 'sent'],
    )
    equal(await lab.collections.queue.list(), [])
  }))

test('410 disables the target until somebody enables it', () =>
  withWebhook({ clients: 1 }, async (lab, receiver) => {
    receiver.reply((_, response) => void response.writeHead(410).end())
    await lab.fail()
    await lab.fail()
    is(receiver.received.length, 1)
    match((await lab.get('/view/notifications/targets')).json.rows[0].state, /replied 410/)
    is((await lab.get('/view/failed-today')).json.figure.value, 2)
    receiver.reply((_, response) => void response.writeHead(200).end())
    await lab.post('/notifications/target/update', { target: 'tickets' })
    await lab.fail()
    is(receiver.received.length, 2)
  }))

test('a redirect is not followed', () =>
  withWebhook({ clients: 1 }, async (lab, receiver) => {
    const other = await startReceiver()
    receiver.reply((_, response) => void response.writeHead(307, { Location: other.url }).end())
    await lab.fail()
    is(receiver.received.length, 1)
    is(other.received.length, 0)
    const [row] = (await lab.get('/view/deliveries')).json.rows
    match(row.error, /replied 307/)
    await other.close()
  }))

test('a private address is refused, by its number and by its name, unless the settings allow it', () =>
  withWebhook({ clients: 1, settings: { allowed: [] } }, async (lab, receiver) => {
    await lab.addTarget('by name', { kind: 'webhook', address: receiver.url.replace('127.0.0.1', 'localhost') })
    await lab.addTarget('in IPv6', {
      kind: 'webhook',
      address: receiver.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    })
    await lab.post('/notifications/rule/update', { rule: 'failed jobs', targets: ['tickets', 'by name', 'in IPv6'] })
    await lab.fail()
    is(receiver.received.length, 0)
    const { rows } = (await lab.get('/view/deliveries')).json
    is(rows.length, 3)
    for (const { error } of rows) match(error, /is a private address that the setting allowed does not have/)
    await lab.post('/pack/settings', { pack: 'notifications', settings: { allowed: ['127.0.0.1', '::1'] } })
    await lab.advance('10 minutes')
    is(receiver.received.length, 3)
  }))

test('a receiver that hangs holds up no other one', () =>
  withWebhook({ clients: 1 }, async (lab, receiver) => {
    const other = await startReceiver()
    await lab.addTarget('other', { kind: 'webhook', address: other.url })
    await lab.post('/notifications/rule/update', { rule: 'failed jobs', targets: ['tickets', 'other'] })
    const isHung = new Promise<void>(resolve => receiver.reply(() => resolve()))
    const start = performance.now()
    const failing = lab.fail()
    await isHung
    for (let tests = 0; tests < 2; tests += 1) await lab.get('/hooks')
    while (other.received.length === 0 && performance.now() - start < 8000) await lab.get('/hooks')
    is(other.received.length, 1)
    await failing
    const { rows } = (await lab.get('/view/deliveries')).json
    match(rows.find(({ target }: { target: string }) => target === 'tickets').error, /no complete reply within 10 s/)
    await other.close()
  }))

test('1,000 computers that fail at once are one message for each rule and room', () =>
  withWebhook({}, async (lab, receiver) => {
    await lab.post('/center/add', { name: 'Center' })
    const addresses: string[] = []
    for (let room = 1; room <= 4; room += 1) {
      await lab.post('/room/add', { name: `Room ${room}`, netmask: '255.255.255.0', center: 1 })
      const ips = Array.from({ length: 250 }, (_, index) => `127.44.${room}.${index + 1}`)
      const lines = ips.map(
        (ip, index) => `pc-${room}-${index},${ip},0200000${room}00${index.toString(16).padStart(2, '0')}`,
      )
      await lab.post('/client/import', { format: 'csv', text: `name,ip,mac\n${lines.join('\n')}\n`, room })
      addresses.push(...ips)
    }
    await lab.addRule('second rule', { events: ['job-finished'], targets: ['tickets'] })
    await lab.post('/shell/run?queue=1&expires=60', { clients: addresses, run: 'true', echo: false })
    await lab.advance('3 minutes')
    equal(
      bodiesOf(receiver)
        .map(({ data }) => `${data.rule}: ${data.title}`)
        .sort(),
      ['failed jobs', 'second rule'].flatMap(rule =>
        [1, 2, 3, 4].map(room => `${rule}: shell-run: 250 of 250 computers failed, Room ${room}`),
      ),
    )
  }))

test.run()
