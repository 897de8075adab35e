// The list of who has which version of an image: its order, and its pages.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { type CopyPage, countVersions, listCopies } from '../../host/images/image-copies.ts'

const copyOf = (ip: string, disk = 1, partition = 1, version = 1, since = 0) => ({
  image: 1,
  ip,
  disk,
  partition,
  version,
  since,
})

const shown = ({ copies = [] }: CopyPage) => copies.map(copy => Object.values(copy).join(' ').replace(/ 1$/, ''))

const test = suite('copies of an image')

test('they are listed by address as a number, then by disk and partition', () => {
  const copies = [copyOf('10.1.1.10'), copyOf('10.1.1.9', 2, 1), copyOf('10.1.1.9', 1, 3), copyOf('10.1.1.9', 1, 2)]
  const page = listCopies(copies)
  equal(shown(page), ['10.1.1.9 1 2', '10.1.1.9 1 3', '10.1.1.9 2 1', '10.1.1.10 1 1'])
  is(page.next, undefined)
})

test('a page has up to 1,500 entries and all partitions of its last computer, and the next one begins after it', () => {
  const addresses = Array.from({ length: 800 }, (_, index) => `10.1.${index >> 8}.${index & 255}`)
  const copies = addresses.flatMap(ip => [copyOf(ip, 1, 1), copyOf(ip, 1, 2)]).slice(1)
  const first = listCopies(copies)
  equal([first.copies?.length, first.next], [1499, '10.1.2.237'])
  const second = listCopies(copies, first.next)
  equal([second.copies?.length, second.next], [100, undefined])
  is(shown(second)[0], '10.1.2.238 1 1')
})

test('versions are counted with their first and last time, the newest first, a computer once', () => {
  const copies = [
    copyOf('10.1.1.1', 1, 1, 2, 2000),
    copyOf('10.1.1.1', 1, 2, 2, 1000),
    copyOf('10.1.1.2', 1, 1, 2, 3000),
    copyOf('10.1.1.3', 1, 1, 3),
  ]
  equal(countVersions(copies), [
    { version: 3, computers: 1 },
    { version: 2, computers: 2, first: '1970-01-01T00:00:01.000Z', last: '1970-01-01T00:00:03.000Z' },
  ])
})

test.run()
