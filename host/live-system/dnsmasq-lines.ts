// The configuration of dnsmasq with which computers find the boot loaders of this server.

import { isIPv4 } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'
import { httpImage } from './http-image.ts'

export interface DnsmasqRequest {
  /** The server's address, which computers reach. */
  address: string
  restPort: number
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>
  /** The folder of the TFTP server. */
  output: string
  /** The addresses that dnsmasq gives, `10.1.1.50,10.1.1.99`; undefined where another DHCP server gives them. */
  range: string | undefined
}

/** The numbers by which the firmware of a computer names its kind, dnsmasq's names for them, and the boot loader. */
const firmware = {
  0: { name: 'x86PC', tag: 'bios', loader: 'grub.pxe' },
  7: { name: 'BC_EFI', tag: 'uefi', loader: 'shimx64.efi' },
  9: { name: 'x86-64_EFI', tag: 'uefi', loader: 'shimx64.efi' },
}

/** Throws when the address is none of this server, or the range is none of its network. */
export function dnsmasqLines({ address, restPort, interfaces, output, range }: DnsmasqRequest): string {
  const { name, netmask } = interfaceOf(address, interfaces)
  const network = networkOf(address, netmask)
  if (range !== undefined) checkRange(range, network, netmask)
  return [
    range === undefined
      ? '# The name of the boot loader for computers that get their address from another DHCP server, and TFTP.'
      : '# DHCP and TFTP.',
    '# No DNS.',
    'port=0',
    `interface=${name}`,
    'bind-interfaces',
    ...(range === undefined ? proxyLines(network, netmask) : serverLines(range, netmask)),
    ...httpLines(`http://${address}:${restPort}/live/${httpImage}`),
    'enable-tftp',
    `tftp-root=${output}`,
  ].join('\n')
}

const proxyLines = (network: string, netmask: string): string[] => [
  `dhcp-range=${network},proxy,${netmask}`,
  'dhcp-pxe-vendor=PXEClient,HTTPClient',
  ...Object.values(firmware).map(({ name, loader }) => `pxe-service=${name},"Live system",${loader}`),
]

const serverLines = (range: string, netmask: string): string[] => [
  `dhcp-range=${range},${netmask},12h`,
  // Firmware and systems have different ones: without this line a computer would get several addresses.
  'dhcp-ignore-clid',
  ...Object.entries(firmware).map(([number, { tag }]) => `dhcp-match=set:${tag},option:client-arch,${number}`),
  ...new Set(Object.values(firmware).map(({ tag, loader }) => `dhcp-boot=tag:${tag},${loader}`)),
]

/** Firmware that boots by HTTP takes an offer only which says so itself. */
const httpLines = (url: string): string[] => [
  'dhcp-match=set:http,option:client-arch,16',
  'dhcp-option-force=tag:http,60,HTTPClient',
  `dhcp-boot=tag:http,${url}`,
]

function interfaceOf(address: string, interfaces: DnsmasqRequest['interfaces']): { name: string; netmask: string } {
  for (const [name, addresses = []] of Object.entries(interfaces)) {
    const found = addresses.find(each => each.address === address && !each.internal)
    if (found) return { name, netmask: found.netmask }
  }
  throw new Error(`boot.server: expected an IPv4 address of this server that computers reach, got ${address}`)
}

function checkRange(range: string, network: string, netmask: string): void {
  const ends = range.split(',')
  const isFit = ends.length === 2 && ends.every(end => isIPv4(end) && networkOf(end, netmask) === network)
  if (!isFit) throw new Error(`--range: expected two addresses of the network ${network}, got ${JSON.stringify(range)}`)
}

function networkOf(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  return address
    .split('.')
    .map((part, index) => Number(part) & (mask[index] ?? 0))
    .join('.')
}
