// The import page recognises the format of a text.
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { recogniseFormat } from '../../host/console/app/pages/import/recognise-format.ts'

const cases: [string, string, string, ReturnType<typeof recogniseFormat>][] = [
  ['a header row', 'name,ip,mac\npc-1,10.1.1.1,001b210a0b0c\n', '', 'csv'],
  ['a header row in any order, quoted, after a byte order mark', '\uFEFF"IP";"Mac";"Name"\n', 'list.conf', 'csv'],
  ['a host declaration', '# lab\nhost pc-1 {\n  hardware ethernet 00:1b:21:0a:0b:0c;\n}\n', '', 'dhcpd'],
  [
    'a host in one line',
    'host pc-1 { hardware ethernet 00:1b:21:0a:0b:0c; fixed-address 10.1.1.1; }',
    'a.csv',
    'dhcpd',
  ],
  ['a subnet', 'subnet 10.1.1.0 netmask 255.255.255.0 {\n}\n', '', 'dhcpd'],
  ['rows with a column called host', 'host,address\npc-1,10.1.1.1\n', 'list.csv', 'csv'],
  ['a text that says nothing, by its name', 'option domain-name "x"', 'dhcpd.conf', 'dhcpd'],
  ['a text that says nothing', 'hello', '', undefined],
  ['nothing', '', '', undefined],
]

const test = suite('format of an import')

for (const [name, text, file, format] of cases) {
  test(`${name} is ${format ?? 'not recognised'}`, () => {
    is(recogniseFormat(text, file), format)
  })
}

test.run()
