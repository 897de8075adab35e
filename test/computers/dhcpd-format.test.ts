// The hosts of a dhcpd.conf: which declarations are read, and which line each error has.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { readDhcpd } from '../../host/computers/import/formats.ts'
import type { Imported } from '../../host/computers/import/validate-rows.ts'

const lines = (...text: string[]) => text.join('\n')
const conflictLines = ({ conflicts }: Imported) => conflicts.map(({ line }) => line)
const row = (line: number, n: number) => ({ line, name: `pc-${n}`, ip: `10.1.1.${n}`, mac: `001b210a0b0${n}` })

const dhcpd = suite('dhcpd.conf import')

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

dhcpd('hosts are read at any depth of nesting, other declarations are ignored', async () => {
  const expected = {
    computers: [{ ...row(23, 1), mac: '001B210a0b01' }, row(24, 2), row(28, 3), { ...row(32, 4), name: 'pc "4" {a};' }],
    conflicts: [],
  }
  equal(await readDhcpd(real), expected)
  equal(await readDhcpd(`\ufeff${real.replaceAll('\n', '\r\n')}`), expected)
})

dhcpd('a text without hosts has no computers', async () =>
  equal(await readDhcpd('authoritative;\n'), { computers: [], conflicts: [] }),
)

dhcpd('a wrong value is a conflict of its own line, a missing one of the line where the host begins', async () => {
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
  equal(await readDhcpd(text), {
    computers: [row(1, 1)],
    conflicts: [
      { line: 3, reason: 'mac: expected 12 hex digits, got "00:1b:21:0a:0b"' },
      { line: 4, reason: 'ip: expected an IPv4 address, got "pc-2.lab.example"' },
      { line: 6, reason: 'mac: hardware ethernet is missing' },
      { line: 7, reason: 'ip: fixed-address is missing' },
      { line: 9, reason: 'mac: expected another one than in line 1, got 001b210a0b01' },
      { line: 10, reason: 'ip: expected an IPv4 address, got "10.1.1.1, 10.2.1.1"' },
      { line: 12, reason: 'name: its name is missing, and ip: expected another one than in line 1, got 10.1.1.1' },
    ],
  })
})

const syntaxErrors: Record<string, [text: string, line: number, reason: string]> = {
  'a statement without a semicolon in a block': [
    'host a { hardware ethernet 00:1b:21:0a:0b:01;\n  fixed-address 10.1.1.1\n}',
    2,
    'fixed-address: expected a ; at the end of the statement, got none',
  ],
  'a statement without a semicolon at the end of the text': [
    'name,ip,mac',
    1,
    'name,ip,mac: expected a ; at the end of the statement, got none',
  ],
  'a block that is not closed': ['\ngroup {\n  x;', 2, 'group: expected a } at the end of the block, got none'],
  'a block that was not opened': ['authoritative;\n}', 2, '}: expected a { before it, got none'],
  'a quote that is not closed': [
    'option x "y\n; host a { }\n',
    1,
    'quote: expected a closing quote within 1024 characters, got none',
  ],
}

for (const [name, [text, line, reason]] of Object.entries(syntaxErrors)) {
  dhcpd(`${name} is a conflict`, async () => equal((await readDhcpd(text)).conflicts, [{ line, reason }]))
}

dhcpd('a missing semicolon in a host is a conflict, and the host is not imported', async () => {
  const { computers, conflicts } = await readDhcpd(
    'host a {\nhardware ethernet 00:1b:21:0a:0b:01\nfixed-address 10.1.1.1;\n}',
  )
  equal(computers, [])
  equal(conflictLines({ computers, conflicts }), [1, 2])
})

dhcpd('two thousand hosts are read', async () => {
  const hosts = Array.from({ length: 2000 }, (_, n) => {
    const mac = (n + 1)
      .toString(16)
      .padStart(12, '0')
      .replaceAll(/..(?!$)/g, '$&:')
    return `host pc-${n} { hardware ethernet ${mac}; fixed-address 10.1.${n >> 8}.${n & 255}; }`
  })
  const { computers, conflicts } = await readDhcpd(`group {\n${hosts.join('\n')}\n}`)
  equal(conflicts, [])
  is(computers.length, 2000)
  equal(computers[1999], { line: 2001, name: 'pc-1999', ip: '10.1.7.207', mac: '0000000007d0' })
})

dhcpd.run()
