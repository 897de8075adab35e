// One read for all callers that ask while an earlier one runs.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { CoalescedRead } from '../../host/system/coalesced-read.ts'

interface Read {
  end(): void
  fail(): void
}

/** The reads that have begun; each gives its number. */
function createReads() {
  const reads: Read[] = []
  const shared = new CoalescedRead(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = reads.length + 1
        reads.push({ end: () => resolve(number), fail: () => reject(new Error(`read ${number}`)) })
      }),
  )
  return { reads, shared }
}

const test = suite('shared reads')

test('callers that ask while a read runs share the next one, which begins when it has ended', async () => {
  const { reads, shared } = createReads()
  const first = shared.get()
  const [second, third] = [shared.get(), shared.get()]
  is(reads.length, 1)
  reads[0]?.end()
  is(await first, 1)
  is(reads.length, 2)
  const fourth = shared.get()
  reads[1]?.end()
  equal(await Promise.all([second, third]), [2, 2])
  reads[2]?.end()
  is(await fourth, 3)
})

test('a caller that asks when nothing runs gets a read of its own', async () => {
  const { reads, shared } = createReads()
  const first = shared.get()
  reads[0]?.end()
  is(await first, 1)
  const second = shared.get()
  reads[1]?.end()
  is(await second, 2)
})

test('a read that fails concerns only those who asked for it', async () => {
  const { reads, shared } = createReads()
  const first = shared.get().catch(({ message }) => message)
  const second = shared.get()
  reads[0]?.fail()
  is(await first, 'read 1')
  reads[1]?.end()
  is(await second, 2)
  const third = shared.get()
  is(reads.length, 3)
  reads[2]?.end()
  is(await third, 3)
})

test.run()
