// Faults that are put into the daemon on purpose: what finds none of them finds no other ones either.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../runner/bundled-file.ts'

/** Of the daemon's source. */
export interface Change {
  file: string
  text: string
  by: string
}

export const plantedFaults: Readonly<Record<string, Change>> = {
  'forgotten await': {
    file: 'host/jobs/queue/part-sender.ts',
    text: "const result = await recorder.updateNow({ job, index, state: 'sent', sent: clock.now() }, limits)",
    by: "let result: any; recorder.updateNow({ job, index, state: 'sent', sent: clock.now() }, limits).catch(() => {})",
  },
  'lost update': {
    file: 'host/jobs/record/recorder.ts',
    text: 'this.#updates = [...updates, ...this.#updates]',
    by: '',
  },
  'skipped write': {
    file: 'host/jobs/record/job-store.ts',
    text: 'await this.#change(updates)\n',
    by: 'if (updates.length % 3 > 0) await this.#change(updates)\n',
  },
  'forgotten timer': {
    file: 'host/jobs/queue/queue.ts',
    text: 'clock.after(time - clock.now(), () => {',
    by: 'clock.after(1e12, () => {',
  },
  'cursor too far': {
    file: 'host/jobs/queue/assigned-parts.ts',
    text: 'this.#taken = { epoch: key.epoch, last }',
    by: 'this.#taken = { epoch: key.epoch, last: last + 1 }',
  },
  'double send': {
    file: 'host/jobs/record/job-store.ts',
    text: "resolve(isApplied(change) ? undefined : full?.includes(change) ? 'full' : 'lost')",
    by: 'resolve(undefined)',
  },
  'wrong leader': {
    file: 'host/jobs/queue/queue-ownership.ts',
    text: 'leaderOf(cluster.members())?.name',
    by: 'leaderOf(cluster.members().filter(({ name }) => name !== cluster.key().name))?.name',
  },
  'sent while leaving': {
    file: 'host/agents/service.ts',
    text: '=> this.#agents.get(addr)?.confirmations.isWaiting === true',
    by: '=> this.#agents.has(addr) && false',
  },
  'end forgotten after a failed write': {
    file: 'host/cluster/presence.ts',
    text: 'if (!this.#connections.has(addr)) this.#waitingChanges.gone.add(addr)',
    by: '',
  },
  'slot given twice': {
    file: 'host/jobs/queue/start-groups.ts',
    text: 'if (isFree) started.set(nameOf(part), { queue, part })',
    by: 'if (isFree) started.delete(nameOf(part))',
  },
  'slot never freed': {
    file: 'host/jobs/queue/start-groups.ts',
    text: 'if (group.started.delete(name)) group.isFull = false\n    this.offer()',
    by: 'if (group.started.delete(name)) group.isFull = false',
  },
  'slots of other hosts not counted': {
    file: 'host/jobs/queue/start-groups.ts',
    text: 'if (slots === 0 && batch === undefined) return undefined',
    by: 'return undefined',
  },
  'slot that was refused not asked for again': {
    file: 'host/jobs/queue/start-groups.ts',
    text: 'for (const [, group] of full) group.isFull = false',
    by: '',
  },
  'hook cursor too far': {
    file: 'host/hooks/stored-reader.ts',
    text: 'if (!isWaiting) this.#handled = this.#read',
    by: 'this.#handled = isWaiting ? this.#read : this.#read',
  },
  'events of a failed run forgotten': {
    file: 'host/hooks/hook-position.ts',
    text: 'this.#batch ??= this.queue.take()',
    by: 'this.#batch = this.queue.take()',
  },
  'reserved twice': {
    file: 'host/modules/packs/collections.ts',
    text: 'version === undefined ? { mostBytes } : { mostBytes, version }',
    by: '{ mostBytes }',
  },
  'limits not read again': {
    file: 'host/access/account-scopes.ts',
    text: 'if (tree === undefined || tree === this.#tree) return',
    by: 'if (tree === undefined || this.#tree !== undefined) return',
  },
  'limits not asked': {
    file: 'host/access/account-scopes.ts',
    text: 'return room !== undefined && (hasRoom(room) ||',
    by: 'return room !== undefined && (true ||',
  },
  'queues not read when members change': {
    file: 'host/jobs/queue/queue-ownership.ts',
    text: 'cluster.onMembersChange(() => this.reload())',
    by: 'cluster.onMembersChange(() => {})',
  },
}

/** Returns path and text of the changed file. Throws when the file does not have the text exactly once. */
export function applyChange({ file, text, by }: Change): [path: string, source: string] {
  const path = join(root, file)
  const parts = readFileSync(path, 'utf8').split(text)
  if (parts.length !== 2)
    throw new Error(`${file}: expected a text once that is changed, got it ${parts.length - 1} times`)
  return [path, parts.join(by)]
}
