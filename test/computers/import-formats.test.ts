// Lists of computers as text: what CSV and dhcpd.conf may look like, and which line each fault is told of.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { readCsv, readDhcpd, writeCsv } from '../../host/computers/import/formats.ts'
import type { Imported } from '../../host/computers/import/validate-rows.ts'

const lines = (...text: string[]) => text.join('\n')
const where = ({ conflicts }: Imported) => conflicts.map(({ line }) => line)
const row = (line: number, n: number) => ({ line, name: `pc-${n}`, ip: `10.1.1.${n}`, mac: `001b210a0b0${n}` })

const csv = suite('CSV')

csv('quoted commas and quotes, CRLF, a byte-order mark, columns in any order and case', () => {
  const text = [
    '\ufeffMAC,"Name",ip,Serial_Number,remote,maintenance,hardware_id,ROOM,netmask',
    '00:1B:21:0a:0b:0c,"pc 1, ""left""",10.1.1.1,"S,1",yes,0,7,2,255.255.255.0',
    '',
    ' 00-1b-21-0a-0b-0d , pc-2 , 10.1.1.2 ,,TRUE,no,,,',
    '001b210a0b0e,pc-3,10.1.1.3,,1,False,,,',
    ',,,,,,,,',
    '',
  ].join('\r\n')
  equal(readCsv(text), {
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
        room: 2,
        netmask: '255.255.255.0',
      },
      { line: 4, name: 'pc-2', ip: '10.1.1.2', mac: '001b210a0b0d', remote: true, maintenance: false },
      { line: 5, name: 'pc-3', ip: '10.1.1.3', mac: '001b210a0b0e', remote: true, maintenance: false },
    ],
    conflicts: [],
  })
})

csv('semicolons and tabs separate, too, and an empty column at the end is none', () => {
  for (const sign of [';', '\t']) {
    const text = lines('name,ip,mac,', 'pc-1,10.1.1.1,001b210a0b01,').replaceAll(',', sign)
    equal(readCsv(text), { computers: [row(2, 1)], conflicts: [] })
  }
})

csv('lines are counted as people see them', () => {
  const text = ['name,ip,mac', '"pc\r\n1",10.1.1.1,001b210a0b01', '', 'pc-2,x,001b210a0b02', 'pc-3,x,001b210a0b03']
  const { computers, conflicts } = readCsv(text.join('\r\n'))
  equal(
    computers.map(({ line, name }) => [line, name]),
    [[2, 'pc\n1']],
  )
  equal(conflicts, [
    { line: 5, reason: 'ip: expected an IPv4 address, got "x"' },
    { line: 6, reason: 'ip: expected an IPv4 address, got "x"' },
  ])
})

csv('three bad lines are named, all faults of each', () => {
  const text = lines(
    'name,ip,mac,hardware_id,remote',
    'pc-1,10.1.1.1,001b210a0b01,,',
    'pc-2,10.1.1.256,001b210a0b,x,maybe',
    'pc-3,10.1.1.3,001b210a0b03,,',
    ',,001b210a0b04,-1,',
    'pc-5,10.1.1.5',
    'pc-6,10.1.1.6,001b210a0b06,,',
  )
  const { computers, conflicts } = readCsv(text)
  equal(computers, [row(2, 1), row(4, 3), row(7, 6)])
  equal(conflicts, [
    {
      line: 3,
      reason:
        'ip: expected an IPv4 address, got "10.1.1.256", and mac: wrong form, got "001b210a0b"; ' +
        '12 hex digits would be right, and hardware_id: expected a whole number, got "x", and ' +
        'remote: expected true or false, got "maybe"',
    },
    {
      line: 5,
      reason:
        'hardware_id: expected a whole number, got "-1", and name: the value is missing, and ' +
        'ip: the value is missing',
    },
    { line: 6, reason: 'columns: expected 5, got 2' },
  ])
})

csv('an address in two lines is a conflict of the second', () => {
  const text = lines(
    'name,ip,mac',
    'pc-1,10.1.1.1,00:1b:21:0a:0b:01',
    'pc-2,10.1.1.1,001b210a0b02',
    'pc-3,10.1.1.3,001B210A0B01',
    'pc-1,10.1.1.4,001b210a0b04',
  )
  const { computers, conflicts } = readCsv(text)
  equal(
    computers.map(({ line }) => line),
    [2, 5],
  )
  equal(conflicts, [
    { line: 3, reason: 'ip: repeated, got 10.1.1.1; line 2 has it' },
    { line: 4, reason: 'mac: repeated, got 001b210a0b01; line 2 has it' },
  ])
})

csv('an unknown column is a conflict that names the nearest, and the lines are checked all the same', () => {
  equal(readCsv(lines('name,ip,mac,netmsk', 'pc-1,x,001b210a0b01,')).conflicts, [
    { line: 1, reason: 'columns: expected netmask, got unknown key "netmsk"' },
    { line: 2, reason: 'ip: expected an IPv4 address, got "x"' },
  ])
})

csv('a missing or repeated column is a conflict', () => {
  equal(readCsv(lines('nme,ip,IP', 'a,b,c')).conflicts, [
    {
      line: 1,
      reason:
        'columns: expected name, got unknown key "nme", and columns: repeated, got ip again; one of each would be ' +
        'right, and name: the column is missing, and mac: the column is missing',
    },
  ])
})

csv('a text without a header row says what is missing', () => {
  for (const text of ['', '\ufeff', '\r\n\r\n']) {
    const { computers, conflicts } = readCsv(text)
    equal(computers, [])
    equal(where({ computers, conflicts }), [1])
    match(conflicts[0]?.reason ?? '', 'name: the column is missing, and ip:')
  }
})

csv('a header row alone is no computer and no conflict', () => {
  equal(readCsv('name,ip,mac'), { computers: [], conflicts: [] })
})

csv('what a wrong quote does to its line it does to no other', () => {
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
  const { computers, conflicts } = readCsv(text)
  equal(computers, [row(3, 2)])
  equal(where({ computers, conflicts }), [2, 4, 6, 7, 8])
  is(
    conflicts[1]?.reason,
    'quotes: wrong form, got "pc \\"3\\",10.1.1.3,001b210a0b03"; quotes around a whole value, doubled inside it, ' +
      'would be right',
  )
})

csv('a text of misquoted lines is given up after a hundred', () => {
  const text = `name,ip,mac\n${'"x" y,1,2\n'.repeat(5000)}`
  equal(
    where(readCsv(text)),
    Array.from({ length: 100 }, (_, index) => index + 2),
  )
})

csv('of very many wrong lines the first two hundred are told, and how many more there are', () => {
  const { computers, conflicts } = readCsv(`name,ip,mac\n${'a,1,2\n'.repeat(5000)}pc-1,10.1.1.1,001b210a0b01\n`)
  equal(computers, [row(5002, 1)])
  is(conflicts.length, 201)
  equal(conflicts[200], { line: 202, reason: 'from here on there are 4800 more such lines' })
})

csv.run()

const written = suite('written CSV')

const computer = {
  name: 'Señal "1", left',
  ip: '10.1.1.1',
  mac: '001b210a0b01',
  room: 2,
  netmask: '255.255.255.0',
  boot: 'pxe',
  remote: true,
  serial_number: ' 1\n2 ',
  hardware_id: 0,
  repo_id: 1,
  netiface: 'eth0',
  netdriver: 'generic',
  livedir: '',
  maintenance: false,
}

written('has a header row, CRLF line ends, and quotes where they are needed', () => {
  is(
    writeCsv([computer]),
    'name,ip,mac,room,netmask,boot,remote,serial_number,hardware_id,repo_id,netiface,netdriver,livedir,maintenance\r\n' +
      '"Señal ""1"", left",10.1.1.1,001b210a0b01,2,255.255.255.0,pxe,true," 1\n2 ",0,1,eth0,generic,,false\r\n',
  )
})

written('is read back, less what is empty', () => {
  const { livedir, ...others } = computer
  equal(readCsv(writeCsv([computer])), { computers: [{ line: 2, ...others }], conflicts: [] })
})

written.run()

const dhcpd = suite('dhcpd.conf')

const real = `# dhcpd.conf of the labs { not a block; "
authoritative;
default-lease-time 600;
option domain-name "lab.example";
option space PXE;
option PXE.mtftp-ip code 1 = ip-address;
option arch code 93 = unsigned integer 16;

key omapi { algorithm hmac-md5; secret "c2VjcmV0"; };
class "pxeclients" {
  match if substring (option vendor-class-identifier, 0, 9) = "PXEClient";
  if option arch = 00:07 { filename "grub/x86_64-efi/core.efi"; } else { filename "grldr"; }
}

shared-network campus {
  subnet 10.1.1.0 netmask 255.255.255.0 {
    option routers 10.1.1.254;
    option domain-name-servers 10.1.1.2, 10.1.1.3;
    pool { range 10.1.1.200 10.1.1.250; deny unknown-clients; }
    group {
      use-host-decl-names on;
      next-server 10.1.1.1;
      host pc-1 { hardware ethernet 00:1B:21:0a:0b:01; fixed-address 10.1.1.1; }
      host pc-2 {
        hardware ethernet 0:1b:21:a:b:2; # the old one: 00:1b:21:0a:0b:ff;
        fixed-address
          10.1.1.2;
      } host pc-3 { Hardware Ethernet 00:1b:21:0a:0b:03; Fixed-Address 10.1.1.3; }
    }
  }
}
HOST "declared" {
  option host-name "pc \\"4\\" {a};";
  if known { fixed-address 10.9.9.9; option host-name "no"; }
  filename "a # b";
  hardware ethernet 00:1b:21:0a:0b:04;
  fixed-address 10.1.1.4;
}
`

dhcpd('hosts are found wherever they are nested, and nothing else is', () => {
  const expected = {
    computers: [{ ...row(23, 1), mac: '001B210a0b01' }, row(24, 2), row(28, 3), { ...row(32, 4), name: 'pc "4" {a};' }],
    conflicts: [],
  }
  equal(readDhcpd(real), expected)
  equal(readDhcpd(`\ufeff${real.replaceAll('\n', '\r\n')}`), expected)
})

dhcpd('a text without hosts has none', () => equal(readDhcpd('authoritative;\n'), { computers: [], conflicts: [] }))

dhcpd('a fault is told of its own line, what is missing of the line where the host begins', () => {
  const text = lines(
    'host pc-1 { hardware ethernet 00:1b:21:0a:0b:01; fixed-address 10.1.1.1; }',
    'host pc-2 {',
    '  hardware ethernet 00:1b:21:0a:0b;',
    '  fixed-address pc-2.lab.example;',
    '}',
    'group { host pc-3 { hardware token-ring 00:1b:21:0a:0b:03; fixed-address 10.1.1.3; }',
    'host pc-4 { hardware ethernet 00:1b:21:0a:0b:04; } }',
    'host pc-5 {',
    '  hardware ethernet 00:1b:21:0a:0b:01;',
    '  fixed-address 10.1.1.1, 10.2.1.1;',
    '}',
    'host { hardware ethernet 00:1b:21:0a:0b:06; fixed-address 10.1.1.1; }',
  )
  equal(readDhcpd(text), {
    computers: [row(1, 1)],
    conflicts: [
      { line: 3, reason: 'mac: expected 12 hex digits, got "00:1b:21:0a:0b"' },
      { line: 4, reason: 'ip: expected an IPv4 address, got "pc-2.lab.example"' },
      { line: 6, reason: 'mac: hardware ethernet is missing' },
      { line: 7, reason: 'ip: fixed-address is missing' },
      { line: 9, reason: 'mac: repeated, got 001b210a0b01; line 1 has it' },
      { line: 10, reason: 'ip: expected an IPv4 address, got "10.1.1.1, 10.2.1.1"' },
      { line: 12, reason: 'name: its name is missing, and ip: repeated, got 10.1.1.1; line 1 has it' },
    ],
  })
})

const broken: Record<string, [string, number, string]> = {
  'a statement without an end in a block': [
    'host a { hardware ethernet 00:1b:21:0a:0b:01;\n  fixed-address 10.1.1.1\n}',
    2,
    'fixed-address: the statement has no end; a ; would be right',
  ],
  'a statement without an end at the end': [
    'name,ip,mac',
    1,
    'name,ip,mac: the statement has no end; a ; would be right',
  ],
  'a block that is never closed': ['\ngroup {\n  x;', 2, 'group: its { is never closed'],
  'a block that was never opened': ['authoritative;\n}', 2, '}: no { is open'],
  'a quote that is never closed': ['option x "y\n; host a { }\n', 1, 'quote: it is never closed'],
}

for (const [name, [text, line, reason]] of Object.entries(broken)) {
  dhcpd(`${name} is told`, () => equal(readDhcpd(text).conflicts, [{ line, reason }]))
}

dhcpd('a semicolon that was forgotten in a host is told', () => {
  const { computers, conflicts } = readDhcpd(
    'host a {\nhardware ethernet 00:1b:21:0a:0b:01\nfixed-address 10.1.1.1;\n}',
  )
  equal(computers, [])
  equal(where({ computers, conflicts }), [1, 2])
})

dhcpd('two thousand hosts', () => {
  const hosts = Array.from({ length: 2000 }, (_, n) => {
    const mac = (n + 1)
      .toString(16)
      .padStart(12, '0')
      .replaceAll(/..(?!$)/g, '$&:')
    return `host pc-${n} { hardware ethernet ${mac}; fixed-address 10.1.${n >> 8}.${n & 255}; }`
  })
  const { computers, conflicts } = readDhcpd(`group {\n${hosts.join('\n')}\n}`)
  equal(conflicts, [])
  is(computers.length, 2000)
  equal(computers[1999], { line: 2001, name: 'pc-1999', ip: '10.1.7.207', mac: '0000000007d0' })
})

dhcpd.run()
