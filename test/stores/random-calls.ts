// Random calls of a store's methods.
import fc from 'fast-check'
import type { KeptStore, Store } from '../../stores/store.ts'
import { createdImage, image, report, restoredImage, row, software } from '../conformance/samples.ts'
import { token, user } from '../conformance/token-samples.ts'
import { later, note, once, step } from '../conformance/undo-samples.ts'
import { job } from '../conformance/work-samples.ts'
import {
  at,
  few,
  id,
  ip,
  ips,
  name,
  os,
  owner,
  partChange,
  places,
  records,
  some,
  state,
  targets,
  values,
} from './random-values.ts'

export interface RandomCall {
  /** `kept rooms.delete`: one that can be taken back. */
  name: string
  call(store: Store): Promise<unknown>
}

type Call = (store: KeptStore) => Promise<unknown>
type Calls = Record<string, fc.Arbitrary<Call>>

const ofPlaces: Calls = {
  'centers.add': name.map(name => store => store.centers.add({ name, comment: '' })),
  'centers.update': fc.record({ id, name }).map(change => store => store.centers.update(change)),
  'centers.delete': id.map(id => store => store.centers.delete(id)),
  'rooms.add': records.room.map(room => store => store.rooms.add(room)),
  'rooms.update': fc.tuple(id, records.room).map(
    ([id, room]) =>
      store =>
        store.rooms.update({ ...room, id }),
  ),
  'rooms.delete': id.map(id => store => store.rooms.delete(id)),
  'repositories.add': name.map(name => store => store.repositories.add({ name, ip: '10.9.9.9' })),
  'repositories.update': fc
    .record({ id, name, slots: fc.integer({ min: 0, max: 3 }) })
    .map(change => store => store.repositories.update(change)),
  'repositories.delete': id.map(id => store => store.repositories.delete(id)),
  'groups.add': fc.tuple(name, targets).map(
    ([name, where]) =>
      store =>
        store.groups.add({ name, ...where }),
  ),
  'groups.update': fc.record({ id, name, clients: ips }).map(group => store => store.groups.update(group)),
  'groups.delete': id.map(id => store => store.groups.delete(id)),
  'users.add': fc.tuple(name, places).map(
    ([name, places]) =>
      store =>
        store.users.add(user(name, places)),
  ),
  'users.update': fc.tuple(id, name, places).map(([id, name, places]) => store => {
    return store.users.update(id, { name, ...places })
  }),
  'users.delete': id.map(id => store => store.users.delete(id)),
  'tokens.add': fc.tuple(name, places).map(
    ([name, places]) =>
      store =>
        store.tokens.add(token(name, places)),
  ),
  'tokens.delete': id.map(id => store => store.tokens.delete(id)),
}

const ofComputers: Calls = {
  'computers.add': few(records.computer).map(rows => store => store.computers.add(rows)),
  'computers.update': fc.tuple(ips, values).map(
    ([ips, values]) =>
      store =>
        store.computers.update(ips, values),
  ),
  'computers.update ip': fc.tuple(ip, ip).map(
    ([from, ip]) =>
      store =>
        store.computers.update([from], { ip }),
  ),
  'computers.merge': few(
    fc.oneof(
      records.computer,
      fc.tuple(id, values, some({ ip })).map(([id, values, address]) => ({ id, ...values, ...address })),
    ),
  ).map(rows => store => store.computers.merge(rows)),
  'computers.delete': ips.map(ips => store => store.computers.delete(ips)),
  'inventory.refresh': fc.tuple(ip, fc.array(os, { maxLength: 2 }), name).map(([ip, systems, serial_number]) => {
    const rows = [row(0), ...systems.map((os, at) => row(at + 1, os))]
    return store => store.inventory.refresh(ip, { ...report(...rows), serial_number })
  }),
  'inventory.setHardware': fc.tuple(ip, name).map(([ip, description]) => store => {
    return store.inventory.setHardware(ip, [{ type: 'disk', description }])
  }),
  'inventory.setSoftware': fc
    .tuple(ip, fc.integer({ min: 1, max: 2 }), os, name)
    .map(([ip, partition, os, program]) => store => {
      return store.inventory.setSoftware(ip, 1, partition, software(os, 'vim', program))
    }),
  'images.add': fc.tuple(name, owner).map(
    ([name, owner]) =>
      store =>
        store.images.add(image(name, owner)),
  ),
  'images.setOwner': fc.tuple(id, owner).map(
    ([id, owner]) =>
      store =>
        store.images.setOwner(id, owner),
  ),
  'images.delete': id.map(id => store => store.images.delete(id)),
  'images.recordCreate': fc.tuple(ip, id, os).map(([ip, id, os]) => store => {
    return store.images.recordCreate(ip, createdImage(id, software(os, 'vim', os), 2, note.at))
  }),
  'images.recordRestore': fc.tuple(ip, id).map(([ip, id]) => store => {
    return store.images.recordRestore(ip, restoredImage(id, 1, 3, note.at))
  }),
}

const ofWork: Calls = {
  'procedures.add': records.list.map(list => store => store.procedures.add(list)),
  'procedures.update': fc.tuple(id, records.list).map(([id, list]) => store => {
    return store.procedures.update({ ...list, id })
  }),
  'procedures.delete': id.map(id => store => store.procedures.delete(id)),
  'tasks.add': fc.tuple(records.list, targets).map(
    ([list, where]) =>
      store =>
        store.tasks.add({ ...list, ...where }),
  ),
  'tasks.update': fc.tuple(id, records.list, some({ clients: ips })).map(([id, list, clients]) => store => {
    return store.tasks.update({ ...list, ...clients, id })
  }),
  'tasks.delete': id.map(id => store => store.tasks.delete(id)),
  'schedules.add': records.schedule.map(schedule => store => store.schedules.add(schedule)),
  'schedules.addScheduledCommand': fc.tuple(ips, name).map(([clients, name]) => store => {
    const command = { clients, command: 'reboot', params: {} }
    return store.schedules.addScheduledCommand(command, { ...once, name, type: 'command' })
  }),
  'schedules.addPlannedRestore': fc.tuple(id, name, fc.boolean()).map(([center, name, isLater]) => store => {
    const named = { center, name, description: '' }
    const [procedure, task] = [
      { ...named, steps: [step] },
      { ...named, clients: ['10.0.0.1'] },
    ]
    return store.schedules.addPlannedRestore({ procedure, task, ...(isLater && { schedule: { ...once, name } }) })
  }),
  'schedules.update': fc.tuple(id, records.schedule).map(([id, schedule]) => store => {
    return store.schedules.update({ ...schedule, id })
  }),
  'schedules.delete': id.map(id => store => store.schedules.delete(id)),
}

const others: Record<string, fc.Arbitrary<RandomCall['call']>> = {
  'schedules.setSince': fc.tuple(id, at).map(
    ([id, since]) =>
      store =>
        store.schedules.setSince(id, since),
  ),
  'jobs.add': fc.tuple(few(records.part), at).map(([parts, created]) => store => {
    return store.jobs.add(job({ created }), parts)
  }),
  'jobs.update': few(partChange).map(changes => store => store.jobs.update(changes)),
  'jobs.cancel': fc.tuple(ips, some({ job: id })).map(([clients, { job }]) => async store => {
    const cancelled = await store.jobs.cancel(job ? { job } : { clients }, 'why', later)
    // An engine may return more of the job than its type says.
    return cancelled.map(({ job, ...others }) => ({ ...others, job: job.id }))
  }),
  'jobs.trim': fc.tuple(at, fc.nat(3)).map(
    ([before, keep]) =>
      store =>
        store.jobs.trim({ before, keep }),
  ),
  'jobs.list': some({ state, client: ip }).map(filter => store => store.jobs.list({ limit: 10, ...filter })),
  'jobs.countComputers': fc.tuple(id, some({ clients: ips })).map(([job, { clients }]) => async store => {
    const counts = await store.jobs.countComputers(job, clients)
    return counts.map(each => JSON.stringify(each)).sort()
  }),
  'undo.apply': fc.tuple(id, some({ account: fc.constant('user:9') })).map(([id, options]) => store => {
    return store.undo.apply(id, later, options)
  }),
  'undo.trim': fc.nat(3).map(keep => store => store.undo.trim({ before: 0, keep })),
}

const changes = Object.entries({ ...ofPlaces, ...ofComputers, ...ofWork })
const kept: (call: Call) => RandomCall['call'] = call => store => store.undo.keep(note, call)
const named = (name: string, calls: fc.Arbitrary<RandomCall['call']>): fc.Arbitrary<RandomCall> =>
  calls.map(call => ({ name, call }))

export const randomCall: fc.Arbitrary<RandomCall> = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(...changes.map(([name, calls]) => named(name, calls))) },
  { weight: 4, arbitrary: fc.oneof(...changes.map(([name, calls]) => named(`kept ${name}`, calls.map(kept)))) },
  { weight: 2, arbitrary: fc.oneof(...Object.entries(others).map(([name, calls]) => named(name, calls))) },
)
