// The writes that created the stored fixtures. The fixtures contain their results, so no write may change.
import type { Store } from '../../stores/store.ts'
import {
  computer,
  createdImage,
  image,
  job,
  part,
  parts,
  room,
  row,
  schedule,
  success,
  time,
} from './fixture-samples.ts'

/** The state in `snapshot.1`. */
export async function writeSnapshotPart(store: Store): Promise<void> {
  await store.centers.add({ name: 'Facultat de Ciències ☃', comment: 'a "quoted"\ncomment' })
  await store.centers.add({ name: 'south', comment: '' })
  await store.rooms.add(room(1, 'lab'))
  await store.rooms.add(room(2, 'aula 1', { dns: '10.0.0.2', group: 3, remote: true }))
  await store.repositories.add({ name: 'second', ip: '10.0.0.5' })
  await store.computers.add([
    computer(1, '10.0.1.0'),
    computer(1, '10.0.1.1', { repo_id: 2, remote: true, maintenance: true }),
    computer(2, '10.0.1.2'),
  ])
  await addInventory(store)
  await addSchedules(store)
  await addJobs(store)
  await addTokensAndUsers(store)
}

async function addInventory(store: Store): Promise<void> {
  const rows = [row(0), row(1, 'Debian 12'), row(2, 'Windows 11', { filesystem: 'ZFS', code: 7 })]
  await store.inventory.refresh('10.0.1.0', { rows, serial_number: 'A1' })
  await store.inventory.refresh('10.0.1.1', { rows: [row(0), row(1)], serial_number: '' })
  const memory = { type: 'memory', description: '8 GiB' }
  const items = [{ type: 'cpu', description: 'one' }, memory, memory]
  await store.inventory.setHardware('10.0.1.0', items)
  await store.inventory.setHardware('10.0.1.1', items)
  await store.inventory.setSoftware('10.0.1.0', 1, 2, { os: 'Windows 11', programs: ['Editor', 'gcc'] })
  await store.images.add(image('linux'))
  await store.images.add(image('empty', { description: 'Ñ', repo_id: 2, group_id: 3 }))
  const software = { os: 'Debian 12', programs: ['vim', 'gcc', 'vim'] }
  await store.images.recordCreate('10.0.1.0', createdImage(1, software))
  await store.images.recordRestore('10.0.1.1', { id: 1, disk: 1, partition: 1, version: 0, at: 0 })
}

async function addSchedules(store: Store): Promise<void> {
  const script = { command: 'shell-run', params: { run: 'date', echo: true, deep: { list: [1, null] } } }
  await store.procedures.add({ center: 1, name: 'install', description: 'runs a script', steps: [script] })
  const poweroff = { command: 'poweroff', params: {} }
  const evening = { center: 1, name: 'evening', description: '', steps: [{ procedure: 1 }, poweroff] }
  await store.tasks.add({ ...evening, scope: { type: 'room', id: 1 } })
  const both = { center: 1, name: 'both', description: '', steps: [{ task: 1 }, { procedure: 1 }] }
  await store.tasks.add({ ...both, clients: ['10.0.1.0', '10.0.1.2'] })
  await store.schedules.add(schedule())
  const command = { clients: ['10.0.1.0', '10.0.1.1'], command: 'wol', params: { type: 'broadcast' } }
  const { task: _, ...commandSchedule } = schedule({ type: 'command', name: 'off' })
  await store.schedules.addScheduledCommand(command, commandSchedule)
}

async function addJobs(store: Store): Promise<void> {
  // Few parts: single rows.
  const skipped = part('10.0.1.2', { state: 'skipped', reason: 'busy ☃', expires: 0.5 })
  await store.jobs.add(job('small'), [part('10.0.1.0'), part('10.0.1.1', { state: 'sent', sent: time + 1 }), skipped])
  // Two chunks: all parts of the first one have ended, none of the second one.
  const steps = [
    { command: 'wol', payload: { type: 'broadcast' } },
    { command: 'shell-run', payload: { run: 'a', echo: false } },
  ]
  const clients = parts(65).flatMap(part => [part, { ...part, step: 1, expires: 0 }])
  const id = await store.jobs.add(job('evening', { origin: 'task', steps }), clients)
  const updates = Array.from({ length: 128 }, (_, index) =>
    index % 9 === 8
      ? {
          job: id,
          index,
          state: 'failure' as const,
          reason: 'no answer in time',
          sent: time + 1000,
          ended: time + 90_000,
        }
      : success(id, index, index % 3 ? '' : `line ${index}\n☃`),
  )
  await store.jobs.update(updates)
}

async function addTokensAndUsers(store: Store): Promise<void> {
  const account = { hash: 'ab'.repeat(32), created: 1_700_000_000, by: 'admin', disabled: false, used: 0 }
  await store.tokens.add({ ...account, name: 'lab', role: 'operate', centers: [2], rooms: [1], expires: 1_800_000_000 })
  await store.users.add({ ...account, name: 'Núria', role: 'admin', centers: [], rooms: [] })
  await store.users.setUsed([{ id: 1, used: 1_700_000_005 }])
}

/** The later writes, in `journal.1`. */
export async function writeJournalPart(store: Store): Promise<void> {
  await addAndDeleteCenter(store)
  await changeCollections(store)
  await changeInventory(store)
  await changeSchedules(store)
  await changeJobs(store)
  await addOptionalValues(store)
}

async function addAndDeleteCenter(store: Store): Promise<void> {
  await store.centers.add({ name: 'gone', comment: '' })
  await store.rooms.add(room(3, 'gone'))
  await store.computers.add([computer(3, '10.0.9.1')])
  await store.inventory.setHardware('10.0.9.1', [{ type: 'disk', description: 'gone' }])
  await store.procedures.add({ center: 3, name: 'gone', description: '', steps: [] })
  await store.tasks.add({ center: 3, name: 'gone', description: '', steps: [] })
  await store.centers.delete(3)
}

async function changeCollections(store: Store): Promise<void> {
  await store.computers.add([computer(1, '10.0.1.3'), computer(1, '10.0.1.4')])
  await store.computers.delete(['10.0.1.4'])
  await store.computers.update(['10.0.1.2'], { boot: '11', livedir: 'other' })
  await store.rooms.update({ id: 1, ...room(1, 'Lab', { gateway: '10.0.0.253' }) })
  await store.repositories.add({ name: 'gone', ip: '10.0.0.6' })
  await store.repositories.delete(3)
  await store.repositories.add({ name: 'fourth', ip: '10.0.0.7' })
}

async function changeInventory(store: Store): Promise<void> {
  const rows = [row(1, 'Debian 13'), row(0, '', { disk: 2 })]
  await store.inventory.refresh('10.0.1.3', { rows, serial_number: 'C3' })
  await store.inventory.setSoftware('10.0.1.3', 1, 1, { os: 'Debian 13', programs: ['Editor'] })
  await store.inventory.setSoftware('10.0.1.0', 1, 2, { os: 'Windows 11', programs: [] })
  await store.inventory.setHardware('10.0.1.1', [])
  await store.images.add(image('third', { datasize: 2 ** 45 }))
  await store.images.add(image('gone'))
  const software = { os: 'Debian 13', programs: ['Editor', 'two\nlines'] }
  await store.images.recordCreate('10.0.1.3', createdImage(3, software))
  await store.images.delete(4)
}

async function changeSchedules(store: Store): Promise<void> {
  const twice = [{ procedure: 1 }, { procedure: 1 }]
  await store.procedures.add({ center: 2, name: 'again', description: 'ñ', steps: twice })
  const probe = { command: 'probe', params: {} }
  await store.procedures.update({ id: 1, center: 1, name: 'install', description: 'changed', steps: [probe] })
  await store.tasks.add({ center: 2, name: 'neither', description: '', steps: [{ procedure: 3 }] })
  await store.schedules.setSince(1, time + 5)
  await store.schedules.update({ id: 1, ...schedule({ suspended: 1, years: 1, since: time + 5 }) })
  const { task: _, ...commandSchedule } = schedule({ type: 'command', name: 'gone' })
  const reboot = { clients: ['10.0.1.0'], command: 'reboot', params: {} }
  await store.schedules.addScheduledCommand(reboot, commandSchedule)
  await store.schedules.delete(3)
  const script = { clients: ['10.0.1.3'], command: 'shell-run', params: { run: 'ñ', echo: false } }
  await store.schedules.addScheduledCommand(script, { ...commandSchedule, name: 'script' })
  await store.schedules.add(schedule({ type: 'procedure', task: 4e9, name: 'missing' }))
}

async function changeJobs(store: Store): Promise<void> {
  await store.jobs.update([{ job: 1, index: 0, state: 'sent', sent: time + 9 }])
  // A chunk of which few parts change: its row is replaced by single rows.
  const sent = parts(16, { state: 'sent', sent: time + 4 })
  const again = await store.jobs.add(job('again', { created: time + 1, origin: 'retry' }), sent)
  const cancelled = { job: again, index: 7, state: 'cancelled', reason: 'stopped', ended: time + 8 } as const
  await store.jobs.update([success(again, 3, 'ñ'), cancelled])
  // A chunk of which many parts change: its row is written again.
  const nightly = await store.jobs.add(job('nightly', { created: time + 2, origin: 'schedule' }), parts(18))
  const expired = { job: nightly, state: 'expired', reason: 'not reached', ended: time + 6 } as const
  const updates = Array.from({ length: 16 }, (_, index) =>
    index % 2 ? { ...expired, index } : success(nightly, index),
  )
  await store.jobs.update(updates)
  // Single rows that become one chunk when the last part ends.
  const install = await store.jobs.add(job('install', { created: time + 3, origin: 'procedure' }), parts(4))
  for (const index of [1, 0, 3, 2]) await store.jobs.update([success(install, index, `${index}`)])
  await store.jobs.add(job('gone', { created: 5 }), parts(3, { state: 'success' }))
  await store.jobs.add(job('without parts', { created: time + 4 }), [])
  await store.jobs.trim({ before: 10, keep: 100 })
  await store.jobs.add(job('gone', { created: 5 }), parts(2, { state: 'failure' }))
  await store.jobs.trim({ before: 10, keep: 100 })
}

/** Values that not all rows have. */
async function addOptionalValues(store: Store): Promise<void> {
  await store.repositories.update({ id: 2, slots: 3 })
  await store.computers.update(['10.0.1.3'], { place: { row: 2, column: 7 } })
  await store.images.setOwner(2, { center_id: 0, room_id: 1 })
  const software = { os: 'Debian 13', programs: ['Editor'] }
  await store.images.recordCreate('10.0.1.3', { ...createdImage(3, software), version: 2, at: time })
  const then = 'poweroff' as const
  const options = { wake: true, until: '06:30', batch: 4, then, then_after: 'success' as const }
  await store.tasks.update({ id: 3, center: 2, name: 'neither', description: '', steps: [], options })
  await store.schedules.update({ id: 1, ...schedule({ by: 'user:1', plan: { task: 3, procedure: 3 } }) })
  const conditions = { when_idle: true, until: time, batch: 2, after_success: 1 } as const
  const asked = job('asked', { caller: '10.0.0.3', by: 'lab', account: 'token:1', conditions })
  const id = await store.jobs.add(asked, [part('10.0.1.0')])
  await store.jobs.update([success(id, 0, 'the output of a script, in a file of its own ☃\n')])
}
