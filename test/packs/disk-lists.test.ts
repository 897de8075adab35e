// Where the health of disks is shown, and to whom.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { withDisks } from '../harness/disk-health-lab.ts'
import { hardDisk } from '../harness/smart-disks.ts'

const test = suite('lists of disk health')

test('the computer page, marks, the first page and the page of all show it', () =>
  withDisks({ clients: 2 }, async lab => {
    lab.report(0, { sda: hardDisk({ pending: 60 }) })
    lab.report(1, { sda: hardDisk() })
    await lab.ask(0, 1)
    const [bad] = lab.addresses
    const rows = (await lab.get(`/view/disk-health/computer-disks?client=${bad}`)).json.lines
    equal(rows.slice(0, 2), [
      { label: 'sda (ST1000DM010-2EP102)', value: 'failing: 60 sectors wait to be reallocated', tone: 'bad' },
      { label: 'sda: values', value: '36 °C, on for 12345 hours, 0 sectors replaced' },
    ])
    const { badges } = (await lab.get(`/view/disk-health/disk-mark?clients=${lab.addresses.join()}`)).json
    equal(JSON.stringify(badges).match(/disk failing/g)?.length, 1)
    const { figure } = (await lab.get('/view/disk-health/failing-disks')).json
    equal([figure.value, figure.tone], [1, 'bad'])
    const page = (await lab.get('/view/disk-health/disk-report')).json
    equal(
      page.rows.map(({ clients, state }: Record<string, string>) => [clients, state]),
      [
        [bad, 'failing'],
        [lab.addresses[1], 'ok'],
      ],
    )
  }))

test('lists have pages, states and CSV, and limited callers see their own computers', () =>
  withDisks({ clients: 3 }, async lab => {
    for (const at of [0, 1, 2]) lab.report(at, { sda: hardDisk({ pending: at }) })
    await lab.ask(0, 1, 2)
    const first = (await lab.get('/disk-health?limit=2')).json
    is(first.computers.length, 2)
    const second = (await lab.get(`/disk-health?limit=2&after=${first.next}`)).json
    equal([second.computers.length, second.next], [1, undefined])
    is((await lab.get('/disk-health?state=warning')).json.computers.length, 2)
    const lines = (await lab.get('/disk-health?format=csv')).text.trim().split('\r\n')
    is(lines.length, 4)
    not.match(lines.join(), /'/)
    match(lines[0] ?? '', /^client,name,state,time,disk,model,serial,size,reasons,reallocated,pending/)

    await lab.post('/room/add', { name: 'Other', netmask: '255.255.255.0', center: 1 })
    await lab.post('/client/move', { clients: lab.addresses.slice(1), room: 2 })
    const other = (await lab.post('/token/add', { name: 'room 1', role: 'read', rooms: [1] })).json
    const headers = { Authorization: other.token }
    const own = (await lab.get('/disk-health', headers)).json.computers
    equal(
      own.map(({ client }: { client: string }) => client),
      lab.addresses.slice(0, 1),
    )
    not.match((await lab.get('/disk-health?format=csv', headers)).text, new RegExp(lab.addresses[2] ?? ''))
    is((await lab.get('/view/disk-health/disk-report', headers)).json.rows.length, 1)
  }))

test('removed computers are forgotten, disabled nothing is asked, and purged nothing is kept', () =>
  withDisks({ clients: 3 }, async lab => {
    lab.report(0, { sda: hardDisk() })
    lab.report(1, { sda: hardDisk() })
    await lab.ask(0, 1)
    await lab.post('/client/delete', { clients: [lab.addresses[0]] })
    await lab.advance('1 minute')
    const kept = [...(await lab.collections.computers.list()), ...(await lab.collections.history.list())]
    equal(
      kept.map(({ key }) => key.split(' ')[0]),
      [lab.addresses[1], lab.addresses[1]],
    )
    await lab.post('/pack/disable', { pack: 'disk-health' })
    const [, , third] = lab.clients
    await lab.advance('1 hour')
    is(third?.requests.length, 0)
    await lab.post('/pack/purge', { pack: 'disk-health' })
    const { packs } = (await lab.get('/packs')).json
    is(packs.find(({ name }: { name: string }) => name === 'disk-health').documents, 0)
  }))

test.run()
