// What disks report, how it is judged, and who sees it.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { type DiskLab, withDisks } from '../harness/disk-health-lab.ts'
import { hardDisk, nvmeDisk, sasDisk, solidState, usbAdapter, virtualDisk } from '../harness/smart-disks.ts'

const test = suite('disk health')

const computerOf = async (lab: DiskLab, at = 0) =>
  (await lab.get(`/disk-health?client=${lab.addresses[at]}`)).json.computers[0]

async function judged(lab: DiskLab, smartctl: object): Promise<[string, string[]]> {
  lab.report(0, { sda: smartctl })
  await lab.ask(0)
  const { disks } = await computerOf(lab)
  return [disks[0].state, disks[0].reasons]
}

test('disks are judged with reasons in plain words', () =>
  withDisks({ clients: 1 }, async lab => {
    equal(await judged(lab, hardDisk()), ['ok', []])
    equal(await judged(lab, hardDisk({ pending: 12 })), ['warning', ['12 sectors wait to be reallocated']])
    equal(await judged(lab, hardDisk({ pending: 50 })), ['failing', ['50 sectors wait to be reallocated']])
    equal(await judged(lab, hardDisk({ reallocated: 1 })), ['warning', ['1 sector was replaced by a spare one']])
    equal(await judged(lab, hardDisk({ passed: false })), ['failing', ['the disk itself says that it is failing']])
    equal(await judged(lab, solidState(15)), ['warning', ['85 % of its rated life are used']])
    equal(await judged(lab, sasDisk(3)), [
      'warning',
      ['3 sectors were replaced by spare ones', '2 errors could not be corrected'],
    ])
    equal(await judged(lab, virtualDisk), ['unknown', ['it says nothing of itself']])
  }))

test('an NVMe disk is judged by its critical warning, its spare memory and its wear', () =>
  withDisks({ clients: 1 }, async lab => {
    equal(await judged(lab, nvmeDisk()), ['ok', []])
    equal(await judged(lab, nvmeDisk({ critical_warning: 9 })), [
      'failing',
      ['little of its spare memory is left', 'it can only be read now'],
    ])
    equal(await judged(lab, nvmeDisk({ available_spare: 5 })), ['failing', ['little of its spare memory is left']])
    equal(await judged(lab, nvmeDisk({ critical_warning: 2 })), [
      'warning',
      ['its temperature is outside of its limits'],
    ])
    equal(await judged(lab, nvmeDisk({ percentage_used: 130, media_errors: 1 })), [
      'failing',
      ['1 time data was not read or written correctly', '130 % of its rated life are used'],
    ])
  }))

test('settings move the limits, and 0 ends a warning', () =>
  withDisks({ clients: 1 }, async lab => {
    await lab.post('/pack/settings', { pack: 'disk-health', settings: { pending: { warning: 0, failing: 0 } } })
    equal(await judged(lab, hardDisk({ pending: 900 })), ['ok', []])
  }))

test('a computer has the worst state of its disks, and full file systems are a warning', () =>
  withDisks({ clients: 1 }, async lab => {
    const filesystems = [{ mount: '/home', used: 97 * 1024, free: 3 * 1024 }]
    lab.report(0, { sda: hardDisk(), sdb: usbAdapter }, { filesystems })
    await lab.ask(0)
    const { state, reasons } = await computerOf(lab)
    equal([state, reasons], ['warning', ['sdb: it says nothing of itself', '/home is 97 % full']])
  }))

test('an old agent without the command is unknown, which is one line in the log and no failure', () =>
  withDisks({ clients: 1 }, async lab => {
    const [client] = lab.clients
    client?.replyTo('GET /disk/health', {}, 400)
    const [part] = await lab.ask(0)
    equal([part?.state, part?.reason], ['success', 'agent replied 400: this agent cannot report the health of disks'])
    equal((await lab.get('/failures')).json.failures, [])
    is(lab.log.filter(line => line.includes('cannot report the health')).length, 1)
    await lab.advance('15 minutes')
    const { state, reasons } = await computerOf(lab)
    equal([state, reasons], ['unknown', ['it was asked, and has not reported: its agent may be too old']])
    equal((await lab.get('/failures')).json.failures, [])
  }))

test('garbage of an agent changes nothing of what is known', () =>
  withDisks({ clients: 1 }, async lab => {
    lab.report(0, { sda: hardDisk() })
    await lab.ask(0)
    const before = await computerOf(lab)
    const [client] = lab.clients
    const garbage = [
      { disks: 7, filesystems: [] },
      { disks: [7], filesystems: [] },
      { disks: [], filesystems: [{}] },
      [],
    ]
    for (const reply of garbage) {
      client?.replyTo('GET /disk/health', reply)
      const [part] = await lab.ask(0)
      is(part?.state, 'failure')
      match(part?.reason ?? '', /reply not understood/)
    }
    equal(await computerOf(lab), before)
  }))

test('wrong values inside of a report are not known, and never a failing disk', () =>
  withDisks({ clients: 1 }, async lab => {
    const wrong = {
      ...{ name: 7, model_name: 'Disk\u0007\n\u202e', smart_status: { passed: 'no' }, temperature: { current: -5 } },
      attributes: [
        null,
        { id: 5, raw: 'many' },
        { id: 197, raw: 1e300 },
        { id: 198, raw: '99999999999999999999' },
        'x',
      ],
      nvme_smart_health_information_log: { critical_warning: 1e300, percentage_used: null, media_errors: [] },
      ...{ rotation_rate: {}, user_capacity: 5, power_on_time: 'long', smart_support: null },
    }
    lab.clients[0]?.replyTo('GET /disk/health', { disks: [wrong, {}], filesystems: [] })
    await lab.ask(0)
    const { state, disks } = await computerOf(lab)
    is(state, 'unknown')
    equal(
      disks.map(({ name, model, values }: Record<string, unknown>) => [name, model, values]),
      [
        ['disk', 'Disk', {}],
        ['disk', '', {}],
      ],
    )
  }))

test('a disk in standby keeps what it has said before', () =>
  withDisks({ clients: 1 }, async lab => {
    lab.report(0, { sda: hardDisk({ pending: 3 }) })
    await lab.ask(0)
    const [before] = (await computerOf(lab)).disks
    await lab.advance('1 minute')
    lab.clients[0]?.replyTo('GET /disk/health', { disks: [{ name: 'sda', standby: true }], filesystems: [] })
    await lab.ask(0)
    const { time, disks } = await computerOf(lab)
    equal([disks[0].state, disks[0].serial], ['warning', 'Z9ATEST1'])
    ok(disks[0].time >= before.time && disks[0].time < time)
  }))

test('the history has one entry a day, of disks that were replaced too', () =>
  withDisks({ clients: 1, start: '2026-03-02T23:50:00Z' }, async lab => {
    for (const pending of [0, 2]) {
      lab.report(0, { sda: hardDisk({ pending }) })
      await lab.ask(0)
    }
    await lab.advance('11 minutes')
    await lab.ask(0)
    const { history } = (await computerOf(lab)).disks[0]
    equal(
      history.map(({ day, pending }: Record<string, unknown>) => `${day} ${pending}`),
      ['2026-03-02 2', '2026-03-03 2'],
    )
    for (let number = 0; number < 12; number += 1) {
      lab.report(0, { sda: { ...hardDisk(), serial_number: `NEW${number}` } })
      await lab.ask(0)
    }
    is((await lab.collections.history.list()).length, 9)
  }))

test.run()
