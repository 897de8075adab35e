// When computers are asked for the health of their disks, and what becomes of a disk that is failing.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { findDue, mostAtOnce } from '../../commands/packs/disk-health/_due.ts'
import { withDisks } from '../harness/disk-health-lab.ts'
import { bodiesOf, loopback, startReceiver } from '../harness/notifications.ts'
import { hardDisk } from '../harness/smart-disks.ts'

const test = suite('rounds of disk health')

const round = 900_000
const perDay = 96
const computers = Array.from({ length: 1000 }, (_, index) => `10.1.${index >> 8}.${index & 255}`)

/** How many computers each round of some days asks. */
function simulate(rounds: number, connected: (at: number) => string[]) {
  const asked = new Map<string, number>()
  const start = Date.UTC(2026, 2, 2, 8)
  const counts = Array.from({ length: rounds }, (_, at) => {
    const due = findDue(connected(at), asked, start + at * round)
    for (const client of due) asked.set(client, start + at * round)
    return due.length
  })
  return { counts, asked }
}

const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0)

test('1,000 computers are asked once a day each, without a burst', () => {
  const { counts, asked } = simulate(3 * perDay, () => computers)
  is(asked.size, 1000)
  ok(Math.max(...counts) <= mostAtOnce(1000), String(Math.max(...counts)))
  const later = counts.slice(2 * perDay)
  is(sum(later), 1000)
  ok(Math.max(...later) <= 32 && Math.max(...counts) <= 32)
})

test('those that were off at their time are asked when they are connected, a few at a time', () => {
  const isOn = (at: number) => at % perDay < 40
  const { counts } = simulate(4 * perDay, at => (isOn(at) ? computers : []))
  for (const day of [1, 2, 3]) is(sum(counts.slice(day * perDay, (day + 1) * perDay)), 1000, `day ${day}`)
  ok(Math.max(...counts) <= 32)
})

test('the hook asks each connected computer once a day, and one that was away when it is back', () =>
  withDisks({ clients: 4 }, async lab => {
    for (const at of lab.clients.keys()) lab.report(at, { sda: hardDisk() })
    const [away, ...others] = lab.clients
    await away?.disconnect()
    const count = () => others.map(({ requests }) => requests.filter(({ path }) => path === '/disk/health').length)
    await lab.advance('15 minutes')
    equal(count(), [1, 1, 1])
    await lab.advance('1 day')
    equal(count(), [2, 2, 2])
    await away?.connect()
    await lab.advance('15 minutes')
    is(away?.requests.filter(({ path }) => path === '/disk/health').length, 1)
    is((await lab.get('/disk-health?state=ok')).json.computers.length, 4)
  }))

test('a rule tells of a disk once, when it begins to fail', async () => {
  const receiver = await startReceiver()
  await withDisks({ clients: 1 }, async lab => {
    await lab.post('/pack/settings', { pack: 'notifications', settings: loopback })
    await lab.post('/pack/enable', { pack: 'notifications' })
    await lab.post('/notifications/target/add', { target: 'tickets', kind: 'webhook', address: receiver.url })
    const rule = { events: ['pack-alert'], targets: ['tickets'] }
    await lab.post('/notifications/rule/add', { ...rule, rule: 'Failing disks', alerts: ['disk-health/failing'] })
    await lab.post('/notifications/rule/add', { ...rule, rule: 'Others', alerts: ['another/kind'] })
    for (const pending of [1, 60, 61]) {
      lab.report(0, { sda: hardDisk({ pending }) })
      await lab.ask(0)
      await lab.advance('30 seconds')
    }
    is(receiver.received.length, 1)
    const [{ type, data }] = bodiesOf(receiver)
    equal([type, data.rule, data.title], ['pack-alert', 'Failing disks', 'Alert of a pack: Room'])
    is(data.entries[0].text, `pc-${lab.addresses[0]}, sda (ST1000DM010-2EP102): 60 sectors wait to be reallocated`)
  })
  await receiver.close()
})

test.run()
