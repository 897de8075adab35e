// What a real dnsmasq does with the files of the pack dhcp, in a network of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import {
  canMakeNetworks,
  hasProgram,
  moveComputer,
  rowsOf,
  startDhcpLab,
  startDhcpNetwork,
} from '../harness/dhcp-lab.ts'
import { skipFile } from '../harness/skip-file.ts'

if (!canMakeNetworks()) skipFile('root')
if (!hasProgram('dnsmasq') || !hasProgram('busybox')) skipFile('dnsmasq')

/** Kinds of firmware by DHCP option 93, as docs/dhcp.md has them. */
const firmware = [
  ['bios', 0],
  ['efi32', 6],
  ['efi64', 7],
  ['efi64', 9],
  ['arm64', 11],
].map(([kind, number]) => `dhcp-match=set:fleet-${kind},option:client-arch,${number}`)

function writeConfiguration(folder: string, source: string): string {
  const file = join(folder, 'dnsmasq.conf')
  const lines = [
    'port=0',
    'user=root',
    'interface=cable',
    'dhcp-authoritative',
    'log-facility=-',
    'no-ping',
    ...firmware,
  ]
  const files = [`dhcp-leasefile=${folder}/leases`, `pid-file=${folder}/pid`, source, `dhcp-optsfile=${folder}/options`]
  writeFileSync(file, `${[...lines, 'dhcp-range=set:fleet-room-1,10.77.0.100,10.77.0.200,1h', ...files].join('\n')}\n`)
  return file
}

const test = suite('reservations of dnsmasq')

for (const [kind, source] of [
  ['a file', 'dhcp-hostsfile=FOLDER/hosts/fleet'],
  ['a folder', 'dhcp-hostsdir=FOLDER/hosts'],
] as const)
  test(`with ${kind}, a client gets its address, name and boot file, and after a change of the record the new address`, async () => {
    const lab = await startDhcpLab()
    const { folder } = lab
    const network = startDhcpNetwork(folder)
    mkdirSync(join(folder, 'hosts'))
    const dnsmasq = { hosts_file: join(folder, 'hosts/fleet'), options_file: join(folder, 'options') }
    const boot = [{ room: 1, next_server: '10.77.0.9', efi64: 'grubx64.efi', bios: 'lpxelinux.0' }]
    try {
      is((await lab.set({ dnsmasq, boot })).reason, '')
      await lab.accepted('/dhcp/sync')
      const configuration = writeConfiguration(folder, source.replace('FOLDER', folder))
      await network.serve('started', 'dnsmasq', ['--keep-in-foreground', `--conf-file=${configuration}`])
      is((await lab.set({ automatic: true, dnsmasq: { ...dnsmasq, pid_file: join(folder, 'pid') }, boot })).reason, '')
      equal(await network.lease(), ['10.77.0.11', '10.77.0.9', 'grubx64.efi', 'pc-1'])
      await moveComputer(lab)
      await lab.advance('6 seconds')
      equal(
        (await rowsOf(lab)).map(({ state }: { state: string }) => state),
        ['in step'],
      )
      is((await network.lease())[0], '10.77.0.21')
      await lab.accepted('/client/delete', { clients: ['10.77.0.21'] })
      await lab.advance('6 seconds')
      match((await network.lease())[0] ?? '', /^10\.77\.0\.1\d\d$/)
    } finally {
      await network.stop()
      await lab.stop()
    }
  })

test.run()
