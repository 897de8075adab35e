// Tables, cut lines and folded names of `fleet`.
import { stripVTControlCharacters } from 'node:util'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { foldNames, namesIn, unfoldNames } from '../../host/cli/terminal/folded-names.ts'
import { type Column, cutLine, formatLocalTime, formatTable, withClocks } from '../../host/cli/terminal/text-table.ts'

interface Row {
  name: string
  count: number
  note: string
}

const columns: Column<Row>[] = [
  { title: 'name', value: ({ name }) => name },
  { title: 'count', value: ({ count }) => count, alignRight: true },
  { title: 'note', value: ({ note }) => note },
]
const rows = [
  { name: 'a-very-long-name-of-a-room', count: 12, note: 'short' },
  { name: 'b', count: 7, note: 'a note that is longer than its column may be' },
]

const plainTable = (width?: number) => stripVTControlCharacters(formatTable(rows, columns, width))
const tables = suite('tables')

tables('in a pipe no text of a table is cut', () => {
  is(
    plainTable(),
    `NAME                        COUNT  NOTE
a-very-long-name-of-a-room     12  short
b                               7  a note that is longer than its column may be`,
  )
})

tables('on a terminal the longest texts are cut, so that each row is one line and its numbers stay', () => {
  is(
    plainTable(40),
    `NAME             COUNT  NOTE
a-very-long-na…     12  short
b                    7  a note that is …`,
  )
  equal(
    plainTable(10)
      .split('\n')
      .filter(line => line.length > 10),
    [],
  )
})

tables('a column that is kept is not cut while others can be', () => {
  const when = { title: 'when', value: () => 'Monday to Friday at 22:30', isKept: true as const }
  const lines = stripVTControlCharacters(formatTable(rows, [...columns, when], 60)).split('\n')
  is(lines[2], 'b                 7  a note that…  Monday to Friday at 22:30')
})

tables('a line that is too long ends in …', () => {
  equal([cutLine('12345', 5), cutLine('123456', 5), cutLine('123456')], ['12345', '1234…', '123456'])
})

tables.run()

const names = suite('folded names')

names('consecutive numbers at the end of names are one range', () => {
  const lab = Array.from({ length: 12 }, (_, index) => `lab-r01-c${String(index + 1).padStart(2, '0')}`)
  is(foldNames(lab), 'lab-r01-c[01-12]')
  is(foldNames(lab.toReversed()), 'lab-r01-c[01-12]')
  is(foldNames(lab.filter(name => !name.endsWith('4'))), 'lab-r01-c[01-03,05-12]')
})

names('numbers keep their leading zeros, and other lengths are not mixed up', () => {
  is(foldNames(['pc8', 'pc9', 'pc10', 'pc11']), 'pc[8-11]')
  is(foldNames(['pc08', 'pc9', 'pc10']), 'pc[08,9-10]')
  is(foldNames(['10.1.1.9', '10.1.1.10', '10.1.2.1']), '10.1.1.[9-10], 10.1.2.1')
})

names('names without a number, with a suffix or repeated are kept', () => {
  is(foldNames(['a', 'pc1.lab', 'b', 'pc2.lab', 'a']), 'a, pc[1-2].lab, b')
  is(foldNames([]), '')
})

names('folded names are names again, and other brackets stay', () => {
  for (const names of [
    ['lab-r01-c08', 'lab-r01-c09', 'lab-r01-c10', 'lab-r01-c12'],
    ['pc8', 'pc9', 'pc10'],
    ['pc1.lab', 'pc2.lab'],
  ])
    equal(unfoldNames(foldNames(names)), names)
  for (const text of ['pc-1', 'pc[]', 'pc[a-b]', 'pc[2-1]', 'pc[1-', 'pc[1-999999999]', 'pc[1-3-5,7]', 'pc[1,5-3]'])
    equal(unfoldNames(text), [text])
})

names('commas stand between names, unless they are in a name or in ranges of numbers', () => {
  const split = (text: string) => namesIn([text], name => name === 'Lab, left')
  equal(split('Room 1,Room 2, Lab'), ['Room 1', 'Room 2', 'Lab'])
  equal(split('Lab, left'), ['Lab, left'])
  equal(split('pc[1,3-4],pc9,hall-[2,5]'), ['pc[1,3-4]', 'pc9', 'hall-[2,5]'])
})

names('times of the API within a reason are local ones', () => {
  const soon = new Date(Date.now() + 60_000)
  const clock = formatLocalTime(soon.toISOString()).slice(11, 16)
  is(withClocks(`not started until ${soon.toISOString()}, no answer`), `not started until ${clock}, no answer`)
})

names.run()
