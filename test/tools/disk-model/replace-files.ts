// A list that is replaced again and again: after a power cut it is the acknowledged one or the next, and never a part.
import { createChance } from '../virtual-world/chance.ts'
import type { Program } from './build-program.ts'
import { Completions } from './completions.ts'
import { VirtualDisk } from './virtual-disk.ts'
import type { FileSystem } from './virtual-files.ts'

const path = '/data/list.json'

/** Returns what was broken. */
export function replaceFiles(seed: number, evaluate: (system: FileSystem) => Program): string[] {
  const chance = createChance(seed)
  const disk = new VirtualDisk(new Map(['/', '/data'].map(folder => [folder, undefined])))
  const program = evaluate({ disk, completions: new Completions(chance), failure: () => undefined })
  const texts: (string | undefined)[] = [undefined]
  const acknowledged = [0]
  for (let count = chance.between(1, 5); count > 0; count -= 1) {
    const entries = Array.from({ length: chance.between(0, 3) }, () => `${count}`.repeat(chance.between(1, 900)))
    // The file of an empty list is removed.
    texts.push(entries.length === 0 ? undefined : JSON.stringify(entries))
    program.writeList(path, entries)
    acknowledged.push(disk.steps.length)
  }
  return Array.from({ length: disk.steps.length + 1 }, (_, count) => count).flatMap(count => {
    const last = acknowledged.findLastIndex(at => at <= count)
    const text = disk.cutPower(count, chance).get(path)?.toString()
    if (texts.slice(last, last + 2).includes(text)) return []
    return [`power cut after step ${count}: expected list ${last}, got ${text?.length ?? 'no'} bytes`]
  })
}
