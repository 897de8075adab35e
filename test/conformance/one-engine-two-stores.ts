// The rules that only an engine can break which several hosts share, each with a store of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import type { Store } from '../../stores/store.ts'
import { nodeArguments } from '../tools/runner/bundled-file.ts'
import { type Added, addNames, address, endParts, names, partCount, writeDisks } from './cluster-work-rules.ts'
import type { PersistentStore, Rule } from './rule.ts'
import { addLab, addRoom, computer, image } from './samples.ts'
import { token } from './token-samples.ts'
import { job, parts, schedule, upTo } from './work-samples.ts'

export interface SharedStore extends PersistentStore {
  /** Opens the same data once more; the store is closed with the first one. */
  another(): Promise<Store>
}

/** Of each name one host got the id, and no id was assigned twice. */
function checkAdded(first: Added, second: Added): void {
  for (const [collection, outcomes] of Object.entries(first)) {
    const pairs = names.map((_, at) => [outcomes[at], second[collection]?.[at]])
    const ids = pairs.flat().filter(outcome => typeof outcome === 'number')
    assert.equal([collection, ids.length, new Set(ids).size], [collection, names.length, names.length])
    assert.ok(pairs.every(pair => pair.filter(outcome => typeof outcome === 'number').length === 1))
  }
}

async function checkJob(store: Store): Promise<void> {
  assert.is((await store.jobs.find(1))?.counts.success, partCount)
  const outputs = (await store.jobs.parts(1, { limit: partCount })).map(({ output }) => output)
  assert.equal(
    outputs,
    upTo(partCount).map(index => `${index}`),
  )
}

export function sharedEngine(rule: Rule<SharedStore>): void {
  rule('of two hosts that add the same names one gets each, and ids stay unique', async (store, { another }) => {
    await addLab(store)
    const other = await another()
    const [first, second] = await Promise.all([addNames(store), addNames(other)])
    checkAdded(first, second)
    assert.equal(await store.scopes(), await other.scopes())
  })

  rule('a second process adds the same names and ends the same parts', async (store, { adapter, options }) => {
    await addLab(store)
    await store.jobs.add(job(), parts(partCount))
    const program = fileURLToPath(new URL('second-writer.ts', import.meta.url))
    const child = spawn(process.execPath, [...nodeArguments(program), adapter, JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    assert.equal(JSON.parse((await lines.next()).value), [])
    child.stdin.end('start\n')
    const [added] = await Promise.all([addNames(store), endParts(store, 0)])
    checkAdded(added, JSON.parse((await lines.next()).value))
    assert.equal(await ended, [0, null])
    await checkJob(store)
    assert.is((await store.scopes())[0]?.scope[0]?.scope.length, names.length)
  })

  rule('two hosts that end the parts of one job count each part once', async (store, { another }) => {
    const other = await another()
    await store.jobs.add(job(), parts(partCount))
    await Promise.all([endParts(store, 0), endParts(other, 1)])
    await checkJob(other)
  })

  rule("two hosts that write one computer's disks leave one complete report", async (store, { another }) => {
    const ip = '10.9.0.1'
    await addLab(store, ip)
    await store.images.add(image('shared'))
    const other = await another()
    await Promise.all([writeDisks(store, 0, ip), writeDisks(other, 1, ip)])
    const partitions = (await other.inventory.partitions(ip)).map(({ partition }) => partition)
    assert.ok(['1,2', '1,3'].includes(partitions.join()))
    const programs = (await store.inventory.software(ip, 1, 1)).join()
    assert.ok(['', 'vim,only 0', 'vim,only 1'].includes(programs))
    assert.is((await store.inventory.hardware(ip)).length, 1)
  })

  rule('what one host has written is what the next read of the other shows', async (store, { another }) => {
    const lab = await addLab(store, '10.9.0.1')
    const other = await another()
    assert.equal(await other.scopes(), await store.scopes())
    assert.is(await other.scopes(), await other.scopes())
    await store.computers.update(['10.9.0.1'], { name: 'renamed' })
    assert.is((await other.scopes())[0]?.scope[0]?.scope[0]?.name, 'renamed')
    await other.computers.add([computer(lab, '10.9.0.2')])
    assert.is((await store.scopes())[0]?.scope[0]?.scope.length, 2)
    assert.equal(await store.computers.delete(['10.9.0.1']), [{ ...computer(lab, '10.9.0.1'), id: 1, name: 'renamed' }])
    assert.is(await other.computers.find('10.9.0.1'), undefined)
    const id = Number(await store.tokens.add(token('shared', { rooms: [lab] })))
    assert.is(await other.tokens.update(id, { disabled: true }), 'updated')
    assert.is((await store.tokens.list())[0]?.disabled, true)
    const nightly = await other.schedules.add(schedule())
    await store.schedules.setSince(nightly, 5)
    assert.is((await other.schedules.list())[0]?.since, 5)
  })

  rule('a room that one host deletes takes or refuses what the other adds to it', async (store, { another }) => {
    const center = (await store.rooms.find(await addLab(store)))?.center ?? 0
    const other = await another()
    for (const round of upTo(6)) {
      const lab = await addRoom(store, center, `round ${round}`)
      const adding = names.map(name => other.computers.add([computer(lab, address(name))]))
      const [deleted = [], ...outcomes] = await Promise.all([store.rooms.delete(lab), ...adding])
      assert.is(outcomes.filter(conflicts => conflicts.length === 0).length, deleted.length)
      assert.ok(outcomes.flat().every(({ reason }) => reason === 'unknown room'))
    }
    assert.equal(await other.computers.list(), [])
  })

  rule('computers and tokens that two hosts change in opposite orders are all changed', async (store, { another }) => {
    const lab = await addLab(store, ...names.map(address))
    const other = await another()
    const computers = await store.computers.list()
    const tokens = await Promise.all(names.map(name => store.tokens.add(token(name))))
    const sides: [Store, (list: unknown[]) => unknown][] = [
      [store, list => list],
      [other, list => list.reverse()],
    ]
    const writes = sides.flatMap(([side, order]) =>
      upTo(6).flatMap(at => {
        const rows = computers.map(({ id }, index) => ({ id, ip: computers[(index + at) % names.length]?.ip ?? '' }))
        const uses = tokens.map(id => ({ id: Number(id), used: at }))
        order(rows)
        order(uses)
        const ips = rows.map(({ ip }) => ip)
        return [
          side.computers.merge(rows).then(({ conflicts }) => assert.equal(conflicts, [])),
          side.computers.update(ips, { livedir: `${at}`, room: lab }),
          side.tokens.setUsed(uses),
        ]
      }),
    )
    await Promise.all(writes)
    const after = await other.computers.list()
    assert.equal(after.map(({ ip }) => ip).sort(), computers.map(({ ip }) => ip).sort())
    assert.is(new Set((await store.tokens.list()).map(({ used }) => used)).size, 1)
  })
}
