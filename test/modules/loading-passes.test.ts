// Which files one pass loads, in which order, and whether it left some for the next one.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { loadFiles, type PassDeps } from '../../host/modules/load-files.ts'
import type { TrackedFile } from '../../host/modules/tracked-file.ts'

interface FileState {
  name?: string
  isServed?: boolean
  isNew?: boolean
  isOutdated?: boolean
  checkedInPass?: number
  noticedInPass?: number
  load?: () => Promise<void>
}

function createLab() {
  const loaded: string[] = []
  const file = ({ name = '', isServed = false, isNew = false, isOutdated = true, load, ...state }: FileState) => {
    const tracked = {
      ...{ served: isServed ? {} : undefined, isNew, inputs: [], checkedInPass: 0, noticedInPass: 0, ...state },
      isOutdated: () => isOutdated,
      async load() {
        loaded.push(name)
        await load?.()
        return 'changed'
      },
    }
    // `as`: a pass uses nothing else of a file.
    return tracked as unknown as TrackedFile
  }
  const pass = (files: TrackedFile[], deps: Partial<PassDeps> = {}) =>
    loadFiles(files, { waitsForAll: false, pass: 1, firstPass: 1, ...deps })
  return { loaded, file, pass }
}

const test = suite('passes that load command files')

test('files in service come first, then failed ones that were saved, then those checked longest ago, then new ones', async () => {
  const { loaded, file, pass } = createLab()
  await pass([
    file({ name: 'new', isNew: true, noticedInPass: 8 }),
    file({ name: 'newest', isNew: true, noticedInPass: 9 }),
    file({ name: 'recent', checkedInPass: 5, noticedInPass: 1 }),
    file({ name: 'old', checkedInPass: 2, noticedInPass: 1 }),
    file({ name: 'saved', checkedInPass: 8, noticedInPass: 9 }),
    file({ name: 'served', isServed: true }),
  ])
  equal(loaded, ['served', 'saved', 'old', 'recent', 'newest', 'new'])
})

test('a pass without time loads one file of each group, and has more', async () => {
  const { loaded, file, pass } = createLab()
  const slow = async () => {
    for (const end = performance.now() + 250; performance.now() < end; ) await new Promise(setImmediate)
  }
  const { hasMore, hasChanges } = await pass([
    file({ name: 'a', isServed: true, load: slow }),
    file({ name: 'b', isServed: true }),
    file({ name: 'c' }),
    file({ name: 'd', isNew: true }),
  ])
  equal([loaded, hasMore, hasChanges], [['a', 'c', 'd'], true, true])
})

test('thousands of failed files are checked in several passes, and then there are no more', async () => {
  const { file, pass } = createLab()
  const files = Array.from({ length: 5001 }, () => file({ isOutdated: false }))
  is((await pass(files)).hasMore, true)
  is((await pass(files, { pass: 2 })).hasMore, false)
  equal(new Set(files.map(({ checkedInPass }) => checkedInPass > 0)), new Set([true]))
})

test.run()
