// When reservations of the pack remote-labs end by themselves.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { pathOf, type RemoteLab, withRemoteLab } from '../harness/remote-labs.ts'

const test = suite('the end of remote sessions')

const pathsOf = (client: RemoteLab['clients'][number] | undefined) => client?.requests.map(({ path }) => path) ?? []

const eventsOf = ({ receiver }: RemoteLab) => ({
  urlLogin: `${receiver.url}/login?a=1&b=2`,
  urlLogout: `${receiver.url}/logout`,
  urlRelease: `${receiver.url}/release`,
})

test('at the deadline the computer is powered off, also when that has passed while nobody looked', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const uds = await lab.broker('uds')
    const { json } = await uds.reserve()
    const path = pathOf(json)
    await uds.send(`POST ${path}/events`, eventsOf(lab))
    await uds.send(`POST ${path}/session`, { deadLine: 900 })
    await lab.advance('11 minutes')
    is((await lab.reservation(json.ip))?.warned, 5)
    await uds.send(`POST ${path}/session`, { deadLine: 0 })
    await lab.advance('20 minutes')
    is((await lab.reservation(json.ip))?.state, 'reserved')
    await uds.send(`POST ${path}/session`, { deadLine: 60 })
    await lab.advance('2 minutes')
    equal(
      [(await lab.reservation(json.ip))?.why, pathsOf(lab.clients[0]).at(-1)],
      ['the deadline has passed', '/poweroff'],
    )
  }))

test('a broker that falls silent, and a person who has left, hold no computer', () =>
  withRemoteLab({ clients: 1, settings: { silent_minutes: 1, logout_minutes: 2 } }, async lab => {
    const uds = await lab.broker('uds')
    const first = await uds.reserve()
    await lab.advance('70 seconds')
    is((await lab.reservation(first.json.ip))?.why, 'the broker has not said whom to call')
    const { json } = await uds.reserve()
    await uds.send(`POST ${pathOf(json)}/events`, eventsOf(lab))
    await lab.clients[0]?.login('anna')
    await lab.advance('3 minutes')
    is((await lab.reservation(json.ip))?.user, 'anna')
    await lab.clients[0]?.logout('anna')
    await lab.advance('3 minutes')
    is((await lab.reservation(json.ip))?.why, 'its person has logged out')
    is((await uds.reserve({ maxtime: '1' })).status, 200)
    await uds.send(`POST ${pathOf(json)}/events`, eventsOf(lab))
    await lab.advance('61 minutes')
    is((await lab.reservation(json.ip))?.why, 'its time is over')
  }))

test('a computer that is away at its release is powered off when it is back at once, and not when it is back later', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const uds = await lab.broker('uds')
    const [client] = lab.clients
    for (const [pause, isPoweredOff] of [
      ['15 seconds', true],
      ['3 minutes', false],
    ] as const) {
      const { json } = await uds.reserve()
      await client?.disconnect()
      await uds.send(`DELETE ${pathOf(json)}/unreserve`)
      await lab.advance(pause)
      await client?.connect()
      await lab.advance('30 seconds')
      is(pathsOf(client).includes('/poweroff'), isPoweredOff, pause)
      is((await lab.reservation(json.ip))?.off, false)
    }
  }))

test('a log-out that nobody has reported is found, and a log-in that is reported twice calls once', () =>
  withRemoteLab({ clients: 1 }, async lab => {
    const uds = await lab.broker('uds')
    const [client] = lab.clients
    const { json } = await uds.reserve()
    await uds.send(`POST ${pathOf(json)}/events`, eventsOf(lab))
    await client?.login('anna')
    await lab.settle()
    await client?.disconnect()
    await client?.connect()
    await client?.login('anna')
    await lab.advance('1 minute')
    equal(
      lab.receiver.received.map(({ path }) => path),
      ['/hook/login?a=1&b=2'],
    )
    await client?.disconnect()
    await client?.connect()
    await lab.advance('1 minute')
    equal(
      lab.receiver.received.map(({ path }) => path),
      ['/hook/login?a=1&b=2', '/hook/logout'],
    )
  }))

test('a computer on which a schedule runs soon is not lent, and one on which it begins is lent no more', () =>
  withRemoteLab({ clients: 1, settings: { schedule_minutes: 15 } }, async lab => {
    const uds = await lab.broker('uds')
    const [client] = lab.clients
    const when = { years: 2 ** 16, months: 4, weeks: 0, week_days: 0, days: 2, hours: 2 ** 8, am_pm: 0, minutes: 20 }
    const shell = { command: 'shell-run', params: { run: 'true', echo: false }, clients: lab.addresses }
    await lab.expectDone('/schedule/command', { ...shell, when })
    // It is 8:00, and the schedule runs at 8:20.
    const reserved = await uds.reserve()
    is(reserved.status, 200, reserved.text)
    await uds.send(`POST ${pathOf(reserved.json)}/events`, eventsOf(lab))
    await lab.advance('10 minutes')
    is((await lab.reservation(client?.addr ?? ''))?.state, 'reserved')
    await lab.advance('11 minutes')
    match((await lab.reservation(client?.addr ?? ''))?.why ?? '', 'scheduled')
    is(pathsOf(client).includes('/poweroff'), false)
    await lab.expectDone('/schedule/command', { ...shell, when: { ...when, minutes: 30 } })
    is((await uds.reserve()).status, 401)
  }))

test.run()
