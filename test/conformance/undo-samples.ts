// What the rules for taking changes back have in common.
import type { KeptStore, Store, Undone, UndoOptions } from '../../stores/store.ts'
import { addCenter, addRoom, computer, createdImage, image, report, row, software } from './samples.ts'

export const note = { at: 1_700_000_000_000, by: 'user anna', account: 'user:3' }
export const later = note.at + 60_000

export const keep = async <Result>(store: Store, call: (store: KeptStore) => Promise<Result>) => {
  const { result, item } = await store.undo.keep(note, call)
  return { result, id: item?.id ?? 0 }
}

export async function restore(store: Store, id: number): Promise<Undone> {
  const undone = await store.undo.apply(id, later)
  if (undone === undefined || 'text' in undone) throw new Error(undone?.text)
  return undone
}

/** With the code, which is part of no other text. */
export async function whyNot(store: Store, id: number, options?: UndoOptions): Promise<string> {
  const undone = await store.undo.apply(id, later, options)
  return undone && 'text' in undone ? `${undone.cause.code}: ${undone.text}` : 'it can be done'
}

/** A room with two computers that have disks, devices, programs and an image, with seats and tags. */
export async function addUsedLab(store: Store) {
  const lab = await addRoom(store, await addCenter(store), 'studio')
  const values = { place: { row: 1, column: 2 }, tags: ['cad'] }
  await store.computers.add([computer(lab, '10.0.0.1', values), computer(lab, '10.0.0.2')])
  const id = (await store.images.add(image('base'))) ?? 0
  for (const ip of ['10.0.0.1', '10.0.0.2']) {
    await store.inventory.refresh(ip, report(row(0), row(1, 'Linux', { filesystem: 'ZFS' }), row(2)))
    await store.inventory.setHardware(ip, [{ type: 'disk', description: ip }])
    await store.images.recordCreate(ip, createdImage(id, software('Linux', 'vim', 'gimp'), 3, note.at))
  }
  await store.inventory.setSoftware('10.0.0.1', 1, 2, software('', 'only here'))
  return { lab, center: (await store.rooms.find(lab))?.center ?? 0, image: id }
}

export const step = { command: 'reboot', params: { deep: [1, { a: null }] } }

/** Of a schedule that runs once, at a time that has passed. */
export const once = {
  suspended: 0,
  since: note.at,
  by: 'admin',
  ...{ years: 1, months: 1, weeks: 0, week_days: 0, days: 1, hours: 1, am_pm: 0, minutes: 0 },
} as const

/** A schedule with the task and the procedure that were made with it, all called Maint. */
export async function addNightly(store: Store) {
  const list = { center: 1, name: 'Maint', description: '' }
  const added = await store.schedules.addPlannedRestore({
    procedure: { ...list, steps: [step] },
    task: { ...list, clients: [] },
    schedule: { ...once, name: 'Maint' },
  })
  if (typeof added === 'string') throw new Error(added)
  return { schedule: added.schedule, plan: added }
}
