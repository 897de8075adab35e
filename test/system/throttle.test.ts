// Counts per minute: when a minute begins and ends, and how many keys are counted.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { Counts } from '../../host/system/throttle.ts'

const test = suite('minute counts')

test('each key is counted from its first call on, for a minute', () => {
  let now = 0
  const counts = new Counts({ now: () => now })
  equal([counts.add('a'), counts.add('a'), counts.count('a'), counts.count('b')], [1, 2, 2, 0])
  now = 30_000
  equal([counts.add('b'), counts.add('a')], [1, 3])
  now = 60_000
  equal([counts.count('a'), counts.count('b')], [0, 1])
  equal([counts.add('a'), counts.add('b')], [1, 2])
  now = 90_000
  equal([counts.count('a'), counts.count('b')], [1, 0])
})

test('of too many keys the oldest are forgotten', () => {
  const counts = new Counts({ maxKeys: 2 })
  for (const key of ['a', 'b', 'b', 'c']) counts.add(key)
  equal(
    ['a', 'b', 'c'].map(key => counts.count(key)),
    [0, 2, 1],
  )
  is(counts.add('a'), 1)
})

test.run()
