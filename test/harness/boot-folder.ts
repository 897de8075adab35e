// Renders boot files in a folder of their own, without a host: for tests of templates and of writing files.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BootDeps, createBoot } from '../../host/boot/boot-files.ts'
import type { BootSubject } from '../../host/boot/template.ts'

export const shippedTemplates = join(import.meta.dirname, '../../boot-templates')

const root = mkdtempSync(join(tmpdir(), 'boot-'))
process.on('exit', () => rmSync(root, { recursive: true }))

const server = { address: '10.1.1.1', restPort: 8888, agentPort: 8889, lang: 'es_ES.UTF-8' }

export type BootFolder = ReturnType<typeof openBootFolder>

let count = 0

/** Opens an empty folder; `deps` replaces the defaults. */
export function openBootFolder(deps: Partial<BootDeps> = {}) {
  count += 1
  const folder = join(root, String(count))
  const templates = deps.templates ?? join(folder, 'templates')
  const output = join(folder, 'output')
  mkdirSync(join(folder, 'templates/uefi'), { recursive: true })
  const log = { info() {}, warn() {}, error() {} }
  return {
    ...createBoot({ templates, output, server, log, ...deps }),
    templates,
    output,
    /** Writes a template; `uefi/x` is the twin of `x`. */
    template: (name: string, text: string) => writeFileSync(join(templates, name), text),
    /** All files below the output folder, also hidden ones: path → text. */
    files: () => filesBelow(output),
  }
}

function filesBelow(output: string): Record<string, string> {
  const paths = ['menu.lst', 'grub'].flatMap(folder => {
    const entries = existsSync(join(output, folder)) ? readdirSync(join(output, folder), { withFileTypes: true }) : []
    return entries.filter(entry => entry.isFile()).map(entry => `${folder}/${entry.name}`)
  })
  return Object.fromEntries(paths.sort().map(path => [path, readFileSync(join(output, path), 'utf8')]))
}

/** The paths of the boot files of `subjectOf`. */
export const menuPath = 'menu.lst/01-00-1B-21-0A-0B-0C'
export const grubPath = 'grub/01-00:1b:21:0a:0b:0c'

/** A computer in the mode `boot`; `computer` and `room` replace its defaults. */
export function subjectOf(
  boot: string,
  computer: Partial<BootSubject['computer']> = {},
  room: Partial<BootSubject['room']> = {},
): BootSubject {
  return {
    computer: {
      name: 'pc-20',
      ip: '10.1.1.20',
      mac: '001B210a0B0c',
      netmask: '255.255.255.0',
      netiface: 'eth0',
      livedir: 'ogLive',
      boot,
      ...computer,
    },
    room: { name: 'Lab', gateway: '10.1.1.254', ntp: '', dns: '', ...room },
    repository: '10.1.1.2',
    hardprofile: '',
  }
}

/** The computer number `index`, with its own address and hardware address. */
export function numberedSubject(boot: string, index: number, name = `pc-${index}`): BootSubject {
  return subjectOf(boot, { name, ip: `10.1.1.${index}`, mac: index.toString(16).padStart(12, '0') })
}

/** Every field has characters that must not get into a boot file. */
export const unsafeSubject: BootSubject = {
  computer: {
    name: 'Señal "1" $(reboot);\nÀ\u2028`x`',
    ip: '10.1.1.20',
    mac: '001B210a0B0c',
    netmask: '255.255.255.0\r\n',
    netiface: 'eth0:1 | x',
    livedir: "../ogLive-5'",
    boot: '',
  },
  room: { name: "Aula 'Ñandú'\nn.º 1 {a}", gateway: '10.1.1.254 "é"\n}', ntp: '10.1.1.3,10.1.1.4', dns: '' },
  repository: "10.1.1.2\n'ü' && x",
  hardprofile: 'Perfil nº 2 <i7> #1 %ISODIR% 50\\50',
}
