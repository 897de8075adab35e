// The CSV of exported computers: its format, and that an import reads the same values.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { ListedComputer } from '../../host/computers/import/columns.ts'
import { csvHeader, csvRow, readCsv } from '../../host/computers/import/formats.ts'

const written = suite('CSV export')

const writeCsv = (computers: readonly ListedComputer[]) => csvHeader + computers.map(csvRow).join('')

const computer = {
  name: 'Señal "1", left',
  ip: '10.1.1.1',
  mac: '001b210a0b01',
  room: 'Center/Lab',
  netmask: '255.255.255.0',
  boot: 'pxe',
  remote: true,
  serial_number: ' 1\n2 ',
  hardware_id: 0,
  repo_id: 'default',
  netiface: 'eth0',
  netdriver: 'generic',
  livedir: '',
  maintenance: false,
  row: 2,
  column: 14,
  tags: 'cad os:win11',
}

written('the CSV has a header row, CRLF line ends, and quotes only where they are needed', () => {
  is(
    writeCsv([computer]),
    'name,ip,mac,room,netmask,boot,remote,serial_number,hardware_id,repo_id,netiface,netdriver,livedir,maintenance,row,column,tags\r\n' +
      '"Señal ""1"", left",10.1.1.1,001b210a0b01,Center/Lab,255.255.255.0,pxe,true," 1\n2 ",0,default,eth0,generic,\',false,2,14,cad os:win11\r\n',
  )
})

written('the CSV is imported with the same values, also with empty texts', async () => {
  equal(await readCsv(writeCsv([computer])), { computers: [{ line: 2, ...computer }], conflicts: [] })
  const empty = { ...computer, netmask: '', boot: '', netiface: '', netdriver: '' }
  equal(await readCsv(writeCsv([empty])), { computers: [{ line: 2, ...empty }], conflicts: [] })
})

written('a computer without a serial number has an empty cell, which is no value when it is imported', async () => {
  const { serial_number, ...others } = computer
  const text = writeCsv([{ ...others, serial_number: '' }])
  match(text, ',pxe,true,,0,')
  equal(await readCsv(text), { computers: [{ line: 2, ...others }], conflicts: [] })
})

written('a computer without a place and tags has empty cells, which are no values when they are imported', async () => {
  const { row, column, tags, ...others } = computer
  const text = writeCsv([{ ...others, row: 0, column: 0, tags: '' }])
  match(text, /,false,,,\r\n$/)
  equal(await readCsv(text), { computers: [{ line: 2, ...others }], conflicts: [] })
})

// Spreadsheets calculate values that begin with these.
for (const first of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
  written(
    `a value that begins with ${JSON.stringify(first)} is written as a text, and read back unchanged`,
    async () => {
      const value = `${first}cmd|' /C calc'!A0`
      const text = writeCsv([{ ...computer, name: value, serial_number: `'${value}`, livedir: `''${first}` }])
      const cells = text.slice(text.indexOf('\r\n') + 2).split(/,(?! )/)
      equal(
        cells.filter(cell => /^"?[=+\-@\t\r\n＝＋－＠]/.test(cell)),
        [],
      )
      const [read] = (await readCsv(text)).computers
      const lineFeeds = (text: string) => text.replaceAll('\r', '\n')
      equal([read?.name, read?.serial_number, read?.livedir], [value, `'${value}`, `''${first}`].map(lineFeeds))
    },
  )
}

written('other values that begin with an apostrophe are written and read unchanged', async () => {
  const text = writeCsv([{ ...computer, name: "'quoted'", serial_number: "''" }])
  match(text, "\r\n'quoted',")
  const [read] = (await readCsv(text)).computers
  equal([read?.name, read?.serial_number], ["'quoted'", "''"])
})

written.run()
