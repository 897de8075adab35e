// The rules for edits that are taken back.
import * as assert from 'uvu/assert'
import { masks } from '../../stores/records/scheduled-work.ts'
import type { KeptStore } from '../../stores/store.ts'
import { everything } from './fill.ts'
import type { Rule } from './rule.ts'
import { addCenter, addLab, room } from './samples.ts'
import { conformance } from './stores.ts'
import { addUsedLab, keep, later, note, once, restore, step } from './undo-samples.ts'

export const runs = { postgres: true }

function edits(rule: Rule): void {
  rule('edits are taken back value by value: what was edited since and not with them stays', async store => {
    const { lab, center } = await addUsedLab(store)
    const base = { center, name: 'nightly', description: '', steps: [step] }
    const [procedure, task] = [await store.procedures.add(base), await store.tasks.add(base)].map(Number)
    const fields = async () => (await store.undo.list()).map(({ kind, name, fields }) => [kind, name, fields])
    const before = await everything(store)
    const ids = [
      await keep(store, bound => bound.computers.update(['10.0.0.1'], { mac: '0a0a0a0a0a0a', place: null })),
      await keep(store, bound => bound.centers.update({ id: center, comment: 'x' })),
      await keep(store, async bound => {
        const room = await store.rooms.find(lab)
        return room && bound.rooms.update({ ...room, gateway: '10.0.0.77', tags: ['cad'] })
      }),
      await keep(store, bound => bound.procedures.update({ ...base, id: procedure ?? 0, steps: [] })),
      await keep(store, bound => bound.tasks.update({ ...base, id: task ?? 0, options: { wake: true } })),
    ]
    assert.equal(await fields(), [
      ['computer', 'pc-10.0.0.1', ['mac', 'place']],
      ['center', 'campus', ['comment']],
      ['room', 'studio', ['gateway', 'tags']],
      ['procedure', 'nightly', ['steps']],
      ['task', 'nightly', ['options']],
    ])
    const keysOf = async (item?: { id: number }) => (await store.undo.names(item?.id ?? 0))?.edited[0]?.keys
    assert.equal(
      await Promise.all(ids.map(keysOf)),
      (await fields()).map(([, , keys]) => keys),
    )
    const values = (await store.undo.list()).flatMap(({ changes = [] }) => changes.slice(-1))
    assert.equal(
      values.map(({ kind, name, field, before, after }) => [kind, name, field, before, after]),
      [
        ['computer', 'pc-10.0.0.1', 'place', { row: 1, column: 2 }, null],
        ['center', 'campus', 'comment', '', 'x'],
        ['room', 'studio', 'tags', null, ['cad']],
        ['procedure', 'nightly', 'steps', [step], []],
        ['task', 'nightly', 'options', null, { wake: true }],
      ],
    )
    await store.rooms.update({
      ...room(center, 'studio'),
      id: lab,
      gateway: '10.0.0.1',
      ntp: '10.0.0.9',
      tags: ['new'],
    })
    await restore(store, ids[2]?.id ?? 0)
    const { gateway, ntp, tags } = (await store.rooms.find(lab)) ?? {}
    assert.equal([gateway, ntp, tags], ['10.0.0.254', '10.0.0.9', undefined])
    await store.rooms.update({ ...room(center, 'studio'), id: lab })
    for (const { id } of ids.filter((_, at) => at !== 2).reverse()) await restore(store, id)
    assert.equal(await everything(store), before)
  })

  rule('what takes an edit back says how often that was done', async store => {
    const center = await addCenter(store, 'north')
    const { id } = await keep(store, bound => bound.centers.update({ id: center, comment: 'x' }))
    await store.undo.keep({ ...note, undone: 1 }, bound => bound.undo.apply(id, later))
    const [{ counts, changes } = {}, ...others] = await store.undo.list()
    assert.equal([counts, others.length], [{ changed: 1, undone: 1 }, 0])
    assert.is(changes?.[0]?.before, 'x')
  })

  rule('the former values of a schedule are those of who takes its edit back', async store => {
    const center = await addCenter(store, 'north')
    const [one, two] = [
      await store.tasks.add({ center, name: 'one', description: '', steps: [step] }),
      await store.tasks.add({ center, name: 'two', description: '', steps: [step] }),
    ].map(Number)
    const first = { ...once, type: 'task' as const, task: one ?? 0, name: 'Evening', by: 'user:1' }
    const id = await store.schedules.add(first)
    const { id: undo } = await keep(store, bound =>
      bound.schedules.update({ ...first, id, task: two ?? 0, hours: 2, by: 'user:3', since: later - 1 }),
    )
    const [{ fields, changes = [] } = {}] = await store.undo.list()
    // A time comes back whole.
    assert.equal(fields?.toSorted(), [...Object.keys(masks.columns), 'task'].toSorted())
    const [when, ...others] = changes
    assert.equal([when?.field, others.map(({ field, after }) => [field, after])], ['when', [['task', two]]])
    assert.equal(when?.after, { ...Object(when?.before), hours: 2 })
    const undone = await store.undo.apply(undo, later, { account: 'user:4' })
    assert.type(undone, 'object')
    assert.equal(await store.schedules.list(), [{ ...first, id, by: 'user:4', since: later }])
    const { id: nothing } = await keep(store, bound => bound.schedules.update({ ...first, id, by: 'user:5' }))
    assert.is(nothing, 0)
  })

  rule('edits of one account that are joined are taken back as one, to what was there first', async store => {
    const { lab, center } = await addUsedLab(store)
    const stored = await store.rooms.find(lab)
    if (!stored) throw new Error('no room')
    const before = await everything(store)
    const { id } = await keep(store, bound => bound.rooms.update({ ...stored, gateway: '10.0.0.7' }))
    const join = async (call: (store: KeptStore) => Promise<unknown>, more = {}) =>
      (await store.undo.keep({ ...note, joins: id, ...more }, call)).item?.id
    assert.is(await join(bound => bound.rooms.update({ ...stored, gateway: '10.0.0.8', ntp: '10.0.0.9' })), id)
    assert.is(await join(bound => bound.centers.update({ id: center, comment: 'x' })), id)
    assert.is(await join(bound => bound.computers.update(['10.0.0.1'], { mac: '0a0a0a0a0a0a' })), id)
    const [{ at, by, account, changes = [], ...item } = {}, ...others] = await store.undo.list()
    const fields = ['gateway', 'ntp', 'comment', 'mac']
    assert.equal(item, { id, kind: 'center', record: center, name: 'campus', counts: { changed: 3 }, fields })
    assert.equal([changes.map(({ field }) => field), changes[0]?.after, others], [fields, '10.0.0.8', []])
    const other = await join(bound => bound.centers.update({ id: center, comment: 'y' }), { account: 'user:4' })
    assert.is(other === id, false)
    await restore(store, other ?? 0)
    await restore(store, id)
    assert.equal(await everything(store), before)
  })

  rule('a former name that another record has is not taken from it', async store => {
    const lab = await addLab(store, '10.0.0.1')
    const stored = await store.rooms.find(lab)
    if (!stored) throw new Error('no room')
    const { id } = await keep(store, bound => bound.rooms.update({ ...stored, name: 'other' }))
    await store.rooms.add({ ...room(stored.center, 'lab') })
    const { renamed, edited } = await restore(store, id)
    assert.equal(renamed, [{ kind: 'room', from: 'lab', to: 'lab (2)' }])
    assert.equal(edited, [['rooms', { ...stored, name: 'lab (2)' }]])
    assert.equal(await store.rooms.find(lab), { ...stored, name: 'lab (2)' })
  })
}

conformance({ undoOfEdits: edits })
