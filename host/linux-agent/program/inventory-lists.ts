// The inventories: hardware as lines `mmm=text` from /sys, /proc and dmidecode, software from dpkg or rpm.
import { cutLines, mostHardware } from '../../agent-program/inventory-limits.ts'
import { osName, type SystemFiles, tryProgram } from './machine.ts'

export async function listHardware(files: SystemFiles, signal?: AbortSignal): Promise<string> {
  const lines = [
    ...boardLines(files),
    ...processorLines(files),
    ...(await memoryLines(files, signal)),
    ...diskLines(files),
    ...pciLines(files),
    `boo=${files.exists('sys/firmware/efi') ? 'UEFI' : 'BIOS'}`,
  ]
  return lines.slice(0, mostHardware).join('\n')
}

function boardLines(files: SystemFiles): string[] {
  const texts = {
    mod: ['sys_vendor', 'product_name'],
    boa: ['board_vendor', 'board_name', 'board_version'],
    bio: ['bios_vendor', 'bios_version', 'bios_date'],
    cha: ['chassis_vendor', 'chassis_serial'],
  }
  return Object.entries(texts).flatMap(([mnemonic, names]) => {
    const values = names.map(name => files.read(`sys/class/dmi/id/${name}`)).filter(Boolean)
    return values.length === 0 ? [] : [`${mnemonic}=${values.join(' ')}`]
  })
}

/** One line for each kind of processor. */
function processorLines(files: SystemFiles): string[] {
  const names = files.read('proc/cpuinfo').matchAll(/^(?:model name|Model|Hardware)\s*:\s*(.+)$/gm)
  const kinds = new Map<string, number>()
  for (const [, name = ''] of names) kinds.set(name, (kinds.get(name) ?? 0) + 1)
  return Array.from(kinds, ([name, count]) => `cpu=${name}${count > 1 ? `, ${count} threads` : ''}`)
}

/** A line for each module where dmidecode may run, otherwise the sum. */
async function memoryLines(files: SystemFiles, signal?: AbortSignal): Promise<string[]> {
  const modules = parseModules((await tryProgram('dmidecode', ['--type', '17'], signal)) ?? '')
  if (modules.length > 0) return modules
  const kib = Number(/^MemTotal:\s*(\d+) kB$/m.exec(files.read('proc/meminfo'))?.[1] ?? 0)
  return kib === 0 ? [] : [`mem=${(kib / 1024 / 1024).toFixed(1)} GiB`]
}

function parseModules(text: string): string[] {
  return text.split(/\n\n+/).flatMap(block => {
    const read = (key: string) => new RegExp(`^[ \\t]*${key}: (.+)$`, 'm').exec(block)?.[1] ?? ''
    const size = read('Size')
    if (!/^\d/.test(size)) return []
    const values = [read('Manufacturer'), read('Type'), size, read('Speed')]
    return [`mem=${values.filter(value => !/^(|Unknown|Not Specified)$/.test(value)).join(' ')}`]
  })
}

function diskLines(files: SystemFiles): string[] {
  return files.list('sys/block').flatMap(name => {
    const model = files.read(`sys/block/${name}/device/model`)
    const size = Number(files.read(`sys/block/${name}/size`)) * 512
    const isDisc = files.read(`sys/block/${name}/device/type`) === '5'
    if (model === '') return []
    return [isDisc ? `cdr=${model}` : `dis=${model} ${Math.round(size / 1e9)} GB`]
  })
}

/** Mnemonics by the beginning of the class of a PCI device. */
const pciMnemonics: [string, string][] = [
  ['0101', 'ide'],
  ['01', 'sto'],
  ['02', 'net'],
  ['03', 'vga'],
  ['0401', 'aud'],
  ['0403', 'aud'],
  ['04', 'mul'],
  ['0600', 'bus'],
  ['0c00', 'fir'],
  ['0c03', 'usb'],
]

function pciLines(files: SystemFiles): string[] {
  const devices = files.list('sys/bus/pci/devices').map(name => `sys/bus/pci/devices/${name}`)
  const read = (path: string) => files.read(path).replace(/^0x/, '').toLowerCase()
  const functions = devices.flatMap(path => {
    const deviceClass = read(`${path}/class`)
    const [, mnemonic] = pciMnemonics.find(([prefix]) => deviceClass.startsWith(prefix)) ?? []
    return mnemonic ? [{ mnemonic, vendor: read(`${path}/vendor`), device: read(`${path}/device`) }] : []
  })
  const names = functions.length === 0 ? '' : readPciNames(files)
  return functions.map(({ mnemonic, vendor, device }) => `${mnemonic}=${pciName(names, vendor, device)}`)
}

const readPciNames = (files: SystemFiles) =>
  files.read('usr/share/misc/pci.ids') || files.read('usr/share/hwdata/pci.ids')

/** Names from the file of PCI ids, where it is installed: vendors at the beginning of a line, devices behind a tab. */
function pciName(names: string, vendor: string, device: string): string {
  const start = names.search(new RegExp(`^${vendor}  `, 'm'))
  if (!/^[0-9a-f]{4}$/.test(vendor) || start < 0) return `${vendor}:${device}`
  const section = names.slice(start).split(/\n(?=[0-9a-f])/, 1)[0] ?? ''
  const vendorName = section.slice(6).split('\n', 1)[0]
  const deviceName = new RegExp(`^\\t${device}  (.+)$`, 'm').exec(section)?.[1] ?? device
  return `${vendorName} ${deviceName}`
}

/** The system's name, then one installed program a line. Rejects when neither dpkg nor rpm lists programs. */
export async function listSoftware(files: SystemFiles, signal?: AbortSignal): Promise<string> {
  const programs = (await listDebian(signal)) ?? (await listRpm(signal))
  if (programs === undefined) throw new Error('software: expected dpkg-query or rpm, got neither')
  return cutLines([osName(files), ...programs.sort()])
}

async function listDebian(signal?: AbortSignal): Promise<string[] | undefined> {
  const format = `${['db:Status-Abbrev', 'Package', 'Version'].map(field => `\${${field}}`).join(' ')}\\n`
  const text = await tryProgram('dpkg-query', ['--show', '--showformat', format], signal)
  // Removed packages whose configuration is left have `rc`.
  return text?.split('\n').flatMap(line => /^.i\S* +(\S.*)$/.exec(line)?.[1] ?? [])
}

async function listRpm(signal?: AbortSignal): Promise<string[] | undefined> {
  const text = await tryProgram('rpm', ['-qa', '--queryformat', '%{NAME} %{VERSION}-%{RELEASE}\\n'], signal)
  return text?.split('\n').filter(line => line !== '')
}
