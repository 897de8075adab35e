// Random records and parts of records. Ids, names and addresses are few, so that calls meet the records of earlier ones.
import fc from 'fast-check'
import type { PartState } from '../../stores/store.ts'
import { computer, room } from '../conformance/samples.ts'
import { note, once, step } from '../conformance/undo-samples.ts'
import { part } from '../conformance/work-samples.ts'

export const id = fc.integer({ min: 1, max: 4 })
export const name = fc.constantFrom('a', 'b', 'A', 'b (2)')
export const ip = fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3')
export const ips = fc.uniqueArray(ip, { minLength: 1 })
export const os = fc.constantFrom('', 'Linux', 'Windows 11')
export const at = fc.integer({ min: 0, max: 3 }).map(seconds => note.at + seconds * 1000)
export const state = fc.constantFrom<PartState>(
  'queued',
  'sent',
  'success',
  'failure',
  'cancelled',
  'skipped',
  'expired',
)
export const repository = fc.constantFrom(1, 1, 2)
export const tags = fc.constantFrom(['cad'], ['x', 'y'])
export const place = fc.constantFrom({ row: 1, column: 2 }, { row: 3, column: 4 })
export const few = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 1, maxLength: 3 })

/** With some of these keys. */
export const some = <Values>(values: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> }) =>
  fc.record(values, { requiredKeys: [] })

export const records = {
  room: fc.record({ center: id, name }).chain(({ center, name }) => {
    return some({ tags }).map(values => ({ ...room(center, name), ...values }))
  }),
  computer: fc
    .tuple(ip, id, some({ repo_id: repository, place, tags }))
    .map(([ip, room, values]) => computer(room, ip, values)),
  list: fc.record({
    center: id,
    name,
    description: fc.constant(''),
    steps: fc.array(fc.oneof(fc.constant(step), fc.record({ procedure: id })), { maxLength: 2 }),
  }),
  schedule: fc
    .record({ name, task: id, type: fc.constantFrom('task' as const, 'procedure' as const), since: at })
    .map(values => ({ ...once, ...values })),
  part: fc.record({ ip, state }).map(({ ip, state }) => part(ip, { state })),
}
export const values = some({
  room: id,
  repo_id: repository,
  place: fc.option(place),
  mac: fc.constantFrom('', '0a0b0c0d0e0f'),
  maintenance: fc.boolean(),
})
export const targets = some({ where: fc.constantFrom('room:a', 'tag:cad') })
export const places = some({ centers: fc.uniqueArray(id), rooms: fc.uniqueArray(id), groups: fc.uniqueArray(id) })
export const owner = fc.constantFrom({ center_id: 0 }, { center_id: 1, room_id: 2 }, { center_id: 0, room_id: 1 })

/** Of a state only under a condition: an engine may ignore an end that is stored already. */
export const partChange = fc
  .tuple(
    fc.record({ job: id, index: fc.nat(2) }),
    fc.constantFrom<'queued' | 'sent'>('queued', 'sent'),
    state,
    at,
    name,
  )
  .chain(([part, from, state, ended, output]) =>
    fc.constantFrom({ ...part, from, state, ended }, { ...part, from, state, ended, output }, { ...part, output }),
  )
