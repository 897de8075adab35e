// `fleet boot setup`: the boot loaders in the folder of the TFTP server, and the configuration of dnsmasq.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type NetworkInterfaceInfo, tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { readUnknownMenu } from '../../host/boot/unknown-menu.ts'
import { writeBootLoaders } from '../../host/live-system/boot-loaders.ts'
import { dnsmasqLines } from '../../host/live-system/dnsmasq-lines.ts'
import { isInstalled } from '../../host/live-system/run-program.ts'
import { shippedTemplates } from '../harness/boot-folder.ts'
import { openShell } from '../harness/cli-shell.ts'

const shell = openShell()
const environment = process.env.PATH
const root = mkdtempSync(join(tmpdir(), 'fleet-boot-'))
const [library, output, data] = ['lib', 'tftp', 'data'].map(name => join(root, name)) as [string, string, string]
const server = { address: '10.1.1.1', restPort: 8080, agentPort: 8890, lang: 'en_US.UTF-8' }
const request = async () => ({
  output,
  library,
  address: server.address,
  liveFolder: join(data, 'live'),
  menu: await readUnknownMenu(shippedTemplates, server),
})

const hasMtools = isInstalled('mcopy')

const test = suite('boot setup')

test.before(() => {
  for (const folder of ['shim', 'grub/x86_64-efi-signed']) mkdirSync(join(library, folder), { recursive: true })
  mkdirSync(data)
  chmodSync(data, 0o700)
  writeFileSync(join(library, 'shim/shimx64.efi.signed'), 'shim')
  mkdirSync(join(root, 'bin'))
  process.env.PATH = `${join(root, 'bin')}:${environment}`
  for (const name of ['grub-mkimage', ...(hasMtools ? [] : ['mformat', 'mcopy'])]) program('exit 0', name)
})

/** In place of the one that makes GRUB's file. */
const program = (script: string, name = 'grub-mkimage') =>
  writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

test.after(() => {
  process.env.PATH = environment
  shell.remove()
  rmSync(root, { recursive: true })
})

test('without a boot loader the error names its package, and nothing is written', async () => {
  const reason = await writeBootLoaders(await request()).catch(({ message }) => message)
  is(reason, "expected Debian's boot loaders, got none: apt-get install grub-efi-amd64-signed grub-pc-bin")
  throws(() => statSync(output), 'ENOENT')
})

test('boot loaders, their configuration and the live systems are where a TFTP server serves them', async () => {
  writeFileSync(join(library, 'grub/x86_64-efi-signed/grubnetx64.efi.signed'), 'grub')
  mkdirSync(join(library, 'grub/i386-pc'))
  program('for word; do case $word in --output=*) echo "$@" > "$(echo "$word" | cut -c10-)" ;; esac; done')
  for (let run = 0; run < 2; run += 1) {
    await writeBootLoaders(await request())
    equal(['shimx64.efi', 'grubx64.efi'].map(read), ['shim', 'grub'])
    match(read('grub.pxe'), `--format=i386-pc-pxe --directory=${library}/grub/i386-pc --prefix=/grub `)
    is(readlinkSync(join(output, 'live')), join(data, 'live'))
    is(statSync(join(output, 'shimx64.efi')).mode & 0o777, 0o644)
    // Others may enter the data folder, but not list it.
    is(statSync(data).mode & 0o777, 0o711)
  }
})

test('firmware that boots by HTTP loads an image with the loaders, and GRUB goes on as from the TFTP server', () => {
  if (!hasMtools) return
  const inImage = (path: string) => execFileSync('mtype', ['-i', join(output, 'boot.img'), `::${path}`]).toString()
  equal(['EFI/BOOT/BOOTX64.EFI', 'EFI/BOOT/grubx64.efi'].map(inImage), ['shim', 'grub'])
  match(inImage('grub/grub.cfg'), /^set root=tftp,10\.1\.1\.1\nconfigfile \/grub\/grub\.cfg$/m)
})

test('when the file for BIOS cannot be made, the reason is that of the program', async () => {
  program('echo "cannot open kernel.img" >&2; exit 1')
  match(await writeBootLoaders(await request()).catch(({ message }) => message), 'cannot open kernel.img')
})

test('computers without a record get a menu with the default live system', () => {
  const lines = read('grub/grub.cfg').split('\n')
  equal(lines.slice(1, 3), ['set fleet_live=yes', 'export fleet_live'])
  equal(lines.slice(4, 7), ['  set fleet_mac=$net_default_mac', 'fi', 'configfile /grub/01-$fleet_mac'])
  const kernel = lines.find(line => line.includes('/vmlinuz'))
  const parameters = 'ip=dhcp fleet_server=10.1.1.1 fleet_port=8890'
  const fetch = 'fetch=http://10.1.1.1:8080/live/ogLive/root.squashfs'
  is(kernel?.trim(), `linux (\${network})/live/\${ISODIR}/vmlinuz boot=live components ${fetch} ${parameters}`)
})

const interfaces = (address: string): NodeJS.Dict<NetworkInterfaceInfo[]> => ({
  lo: [{ address: '127.0.0.1', netmask: '255.0.0.0', family: 'IPv4', mac: '', internal: true, cidr: null }],
  eth1: [{ address, netmask: '255.255.254.0', family: 'IPv4', mac: '', internal: false, cidr: null }],
})

test('dnsmasq takes the printed configuration, as DHCP server and beside another one', () => {
  const lines = (range?: string) => dnsmasqLines({ ...server, interfaces: interfaces('10.1.1.1'), output, range })
  match(
    lines('10.1.0.5,10.1.1.9'),
    /^interface=eth1\n.*^dhcp-range=10\.1\.0\.5,10\.1\.1\.9,255\.255\.254\.0,12h\ndhcp-ignore-clid\n/ms,
  )
  match(
    lines(),
    /^dhcp-range=10\.1\.0\.0,proxy,255\.255\.254\.0\ndhcp-pxe-vendor=PXEClient,HTTPClient\npxe-service=x86PC,.*grub\.pxe\n(pxe-service=.*shimx64\.efi\n){2}/m,
  )
  match(lines('10.1.0.5,10.1.1.9'), /^dhcp-boot=tag:bios,grub\.pxe\ndhcp-boot=tag:uefi,shimx64\.efi$/m)
  const http =
    /\ndhcp-match=set:http,.*,16\n.*tag:http,60,HTTPClient\ndhcp-boot=tag:http,http:\/\/10\.1\.1\.1:8080\/live\/boot\.img\n/
  for (const range of ['10.1.0.5,10.1.1.9', undefined]) match(lines(range), http)
  if (!isInstalled('dnsmasq')) return
  for (const text of [lines('10.1.0.5,10.1.1.9'), lines()]) {
    writeFileSync(join(root, 'dnsmasq.conf'), text)
    execFileSync('dnsmasq', ['--test', `--conf-file=${join(root, 'dnsmasq.conf')}`], { stdio: 'ignore' })
  }
})

test('an address that is none of this server, and a range of another network, are refused', () => {
  const lines = (address: string, range?: string) =>
    dnsmasqLines({ ...server, address, interfaces: interfaces('10.1.1.1'), output, range })
  throws(() => lines('127.0.0.1'), /boot.server: expected an IPv4 address of this server .*, got 127\.0\.0\.1/)
  throws(() => lines('10.1.1.2'), /got 10\.1\.1\.2/)
  for (const range of ['10.1.0.5', '10.1.0.5,10.1.2.9', '10.1.0.5,x', ''])
    throws(() => lines('10.1.1.1', range), /--range: expected two addresses of the network 10\.1\.0\.0/, range)
})

test('the command refuses TLS, by which no live system is loaded, and an address that computers do not reach', async () => {
  const run = async (options: object) => {
    const config = shell.write('options.json', JSON.stringify({ store: { path: 'data' }, ...options }))
    return (await shell.fleet('boot', 'setup', '--config', config)).error
  }
  const tls = { cert: join(root, 'cert.pem'), key: join(root, 'key.pem') }
  for (const file of Object.values(tls)) writeFileSync(file, '')
  match(await run({ rest: { tls } }), /^fleet: boot: rest\.tls: expected none, .*got certificates\n$/)
  match(await run({ boot: { server: '127.0.0.1' } }), /^fleet: boot: boot\.server: expected .* got 127\.0\.0\.1\n$/)
})

const read = (name: string): string => readFileSync(join(output, name), 'utf8')

test.run()
