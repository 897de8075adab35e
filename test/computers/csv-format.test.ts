// The CSV format of lists of computers: which texts are read, and which line each error has.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { readCsv } from '../../host/computers/import/formats.ts'
import type { Imported } from '../../host/computers/import/validate-rows.ts'

const lines = (...text: string[]) => text.join('\n')
const conflictLines = ({ conflicts }: Imported) => conflicts.map(({ line }) => line)
const row = (line: number, n: number) => ({ line, name: `pc-${n}`, ip: `10.1.1.${n}`, mac: `001b210a0b0${n}` })

const csv = suite('CSV import')

csv('reads quoted commas and quotes, CRLF, a byte order mark, and columns in any order and case', async () => {
  const text = [
    '\ufeffMAC,"Name",ip,Serial_Number,remote,maintenance,hardware_id,ROOM,netmask',
    '00:1B:21:0a:0b:0c,"pc 1, ""left""",10.1.1.1,"S,1",yes,0,7,2,255.255.255.0',
    '',
    ' 00-1b-21-0a-0b-0d , pc-2 , 10.1.1.2 ,,TRUE,no,,,',
    '001b210a0b0e,pc-3,10.1.1.3,,1,False,,,',
    ',,,,,,,,',
    '',
  ].join('\r\n')
  equal(await readCsv(text), {
    computers: [
      {
        line: 2,
        name: 'pc 1, "left"',
        ip: '10.1.1.1',
        mac: '001B210a0b0c',
        serial_number: 'S,1',
        remote: true,
        maintenance: false,
        hardware_id: 7,
        room: '2',
        netmask: '255.255.255.0',
      },
      { line: 4, name: 'pc-2', ip: '10.1.1.2', mac: '001b210a0b0d', remote: true, maintenance: false },
      { line: 5, name: 'pc-3', ip: '10.1.1.3', mac: '001b210a0b0e', remote: true, maintenance: false },
    ],
    conflicts: [],
  })
})

csv('semicolons and tabs are delimiters too, and an empty last column is ignored', async () => {
  for (const sign of [';', '\t']) {
    const text = lines('name,ip,mac,', 'pc-1,10.1.1.1,001b210a0b01,').replaceAll(',', sign)
    equal(await readCsv(text), { computers: [row(2, 1)], conflicts: [] })
  }
})

csv('a cell with an apostrophe alone is an empty text, which a name, a room and an address cannot be', async () => {
  const text = lines('name,ip,mac,room,livedir,netmask', "pc-1,10.1.1.1,001b210a0b01,,','", "',10.1.1.2,',',',")
  equal(await readCsv(text), {
    computers: [{ ...row(2, 1), livedir: '', netmask: '' }],
    conflicts: [
      {
        line: 3,
        reason:
          'name: expected a text, got "", and mac: expected 12 hex digits, got "", and room: expected a text, got ""',
      },
    ],
  })
})

csv('line numbers count line breaks inside quotes and empty lines', async () => {
  const text = ['name,ip,mac', '"pc\r\n1",10.1.1.1,001b210a0b01', '', 'pc-2,x,001b210a0b02', 'pc-3,x,001b210a0b03']
  const { computers, conflicts } = await readCsv(text.join('\r\n'))
  equal(
    computers.map(({ line, name }) => [line, name]),
    [[2, 'pc\n1']],
  )
  equal(conflicts, [
    { line: 5, reason: 'ip: expected an IPv4 address, got "x"' },
    { line: 6, reason: 'ip: expected an IPv4 address, got "x"' },
  ])
})

csv('each line with errors has one conflict with all of its errors', async () => {
  const text = lines(
    'name,ip,mac,hardware_id,remote',
    'pc-1,10.1.1.1,001b210a0b01,,',
    'pc-2,10.1.1.256,001b210a0b,x,maybe',
    'pc-3,10.1.1.3,001b210a0b03,,',
    ',,001b210a0b04,-1,',
    'pc-5,10.1.1.5',
    'pc-6,10.1.1.6,001b210a0b06',
    'pc-7,10.1.1.7,001b210a0b07,,,',
  )
  const { computers, conflicts } = await readCsv(text)
  equal(computers, [row(2, 1), row(4, 3), row(7, 6)])
  equal(conflicts, [
    {
      line: 3,
      reason:
        'ip: expected an IPv4 address, got "10.1.1.256", and mac: expected 12 hex digits, got "001b210a0b", ' +
        'and hardware_id: expected a whole number, got "x", and ' +
        'remote: expected true or false, got "maybe"',
    },
    {
      line: 5,
      reason:
        'hardware_id: expected a whole number, got "-1", and name: the value is missing, and ' +
        'ip: the value is missing',
    },
    { line: 6, reason: 'mac: the value is missing' },
    { line: 8, reason: 'columns: expected at most 5, got 6' },
  ])
})

csv('an address in two lines is a conflict of the second line', async () => {
  const text = lines(
    'name,ip,mac',
    'pc-1,10.1.1.1,00:1b:21:0a:0b:01',
    'pc-2,10.1.1.1,001b210a0b02',
    'pc-3,10.1.1.3,001B210A0B01',
    'pc-1,10.1.1.4,001b210a0b04',
  )
  const { computers, conflicts } = await readCsv(text)
  equal(
    computers.map(({ line }) => line),
    [2, 5],
  )
  equal(conflicts, [
    { line: 3, reason: 'ip: expected another one than in line 2, got 10.1.1.1' },
    { line: 4, reason: 'mac: expected another one than in line 2, got 001b210a0b01' },
  ])
})

csv('an unknown column is a conflict with the nearest name, and the lines are still checked', async () => {
  equal((await readCsv(lines('name,ip,mac,netmsk', 'pc-1,x,001b210a0b01,'))).conflicts, [
    { line: 1, reason: 'columns: expected netmask, got unknown key "netmsk"' },
    { line: 2, reason: 'ip: expected an IPv4 address, got "x"' },
  ])
})

csv('a first line without any name of a column is one conflict, and the beginning of a name leads to it', async () => {
  equal((await readCsv(lines('pc-1,10.1.1.1,001b210a0b01', 'pc-2,10.1.1.2,001b210a0b02'))).conflicts, [
    {
      line: 1,
      reason:
        'columns: expected their names in the first line, such as name,ip,mac,room, got "pc-1,10.1.1.1,001b210a0b01"',
    },
  ])
  equal((await readCsv(lines('name,ip,mac,serial', 'pc-1,10.1.1.1,001b210a0b01,A1'))).conflicts, [
    { line: 1, reason: 'columns: expected serial_number, got unknown key "serial"' },
  ])
})

csv('a missing or repeated column is a conflict', async () => {
  equal((await readCsv(lines('nme,ip,IP', 'a,b,c'))).conflicts, [
    {
      line: 1,
      reason:
        'columns: expected name, got unknown key "nme", and columns: expected one of each, got ip again, ' +
        'and name: the column is missing, and mac: the column is missing',
    },
  ])
})

csv('a text without a header row is a conflict with the missing columns', async () => {
  for (const text of ['', '\ufeff', '\r\n\r\n']) {
    const { computers, conflicts } = await readCsv(text)
    equal(computers, [])
    equal(conflictLines({ computers, conflicts }), [1])
    match(conflicts[0]?.reason ?? '', 'name: the column is missing, and ip:')
  }
})

csv('a header row alone has no computers and no conflicts', async () => {
  equal(await readCsv('name,ip,mac'), { computers: [], conflicts: [] })
})

csv('a misquoted line does not affect the other lines', async () => {
  const text = lines(
    'name,ip,mac',
    '"pc-1,10.1.1.1,001b210a0b01',
    'pc-2,10.1.1.2,001b210a0b02',
    'pc "3",10.1.1.3,001b210a0b03',
    '',
    '"pc-4"4,10.1.1.4,001b210a0b04',
    'pc-5,x,001b210a0b05',
    'pc-6,10.1.1.6,"001b210a0b06',
  )
  const { computers, conflicts } = await readCsv(text)
  equal(computers, [row(3, 2)])
  equal(conflictLines({ computers, conflicts }), [2, 4, 6, 7, 8])
  is(
    conflicts[1]?.reason,
    'quotes: expected quotes around a whole value, doubled inside it, got "pc \\"3\\",10.1.1.3,001b210a0b03"',
  )
})

csv('reading stops after a hundred misquoted lines', async () => {
  const text = `name,ip,mac\n${'"x" y,1,2\n'.repeat(5000)}`
  equal(
    conflictLines(await readCsv(text)),
    Array.from({ length: 100 }, (_, index) => index + 2),
  )
})

csv('conflicts are listed for the first two hundred lines, with the number of the others', async () => {
  const { computers, conflicts } = await readCsv(`name,ip,mac\n${'a,1,2\n'.repeat(5000)}pc-1,10.1.1.1,001b210a0b01\n`)
  equal(computers, [row(5002, 1)])
  is(conflicts.length, 201)
  equal(conflicts[200], { line: 202, reason: '4800 more lines with conflicts from here on' })
})

csv.run()
