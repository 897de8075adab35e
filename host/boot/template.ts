// Parses a boot template and inserts the kernel parameters of a computer into it.
import type { Computer, Room } from '../../stores/store.ts'
import { type LiveServer, liveParameters } from '../live-system/kernel-parameters.ts'

/** The values of one computer for its boot files; `computer.boot` is the mode. */
export interface BootSubject {
  computer: Pick<Computer, 'name' | 'ip' | 'mac' | 'netmask' | 'netiface' | 'livedir' | 'boot'>
  room: Pick<Room, 'name' | 'gateway' | 'ntp' | 'dns'>
  /** The address of its repository. */
  repository: string
  /** The description of its hardware profile, '' none. */
  hardprofile: string
}

/** The values that are the same in all boot files; the live system reaches the server at `address`. */
export interface BootServer extends LiveServer {
  lang: string
}

/** Renders the text of a boot file. */
export type Template = (subject: BootSubject, server: BootServer) => string

const marker = /^##(BOOT-TEMPLATE|NO-TOCAR-ESTA-LINEA) +\S/

/** Kernel parameters of the template itself: its `vga` is replaced by ours, its `oglivedir` is kept. */
const ownVga = /(?<![\w.-])vga=\d+\b/g
const ownLivedir = /(?<![\w.-])oglivedir=/

const slots = /INFOHOST|LIVEHOST|(\bset[ \t]+ISODIR=)(?:"[^"\n]*"|'[^'\n]*'|[^\s;]*)/g

/**
 * Undefined for a text whose first line is not a marker with a name. The marker stays in the boot file: boot loaders
 * treat it as a comment, and administrators and their scripts read from it which mode the file has.
 */
export function readTemplate(text: string): Template | undefined {
  if (!marker.test(text)) return undefined
  const source = text.replaceAll(ownVga, '')
  const withLivedir = !ownLivedir.test(source)
  return (subject, server) => {
    const infohost = parameters(subject, server, withLivedir)
    const livedir = safe(subject.computer.livedir)
    const livehost = liveParameters({ ...server, address: safe(server.address) }, livedir, safe(subject.computer.name))
    // One pass with a function, so that a value with a slot's name or `$&` in it is inserted as it is.
    return source.replaceAll(slots, (slot: string, set?: string) =>
      set === undefined ? (slot === 'INFOHOST' ? infohost : livehost) : set + livedir,
    )
  }
}

function parameters(subject: BootSubject, { address, lang }: BootServer, withLivedir: boolean): string {
  const { computer, room, repository, hardprofile } = subject
  const server = safe(address)
  const ip = [computer.ip, address, room.gateway, computer.netmask, computer.name, computer.netiface, 'none']
  const fixed = [
    `LANG=${safe(lang)}`,
    `ip=${ip.map(field).join(':')}`,
    `group=${safe(room.name)}`,
    `ogrepo=${safe(repository)}`,
    `oglive=${server}`,
    `oglog=${server}`,
    `ogshare=${server}`,
    ...(withLivedir ? [`oglivedir=${safe(computer.livedir)}`] : []),
    'ogprof=false',
  ]
  const optional = Object.entries({ hardprofile, ogntp: room.ntp, ogdns: room.dns })
    .map(([key, value]) => [key, safe(value)])
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${value}`)
  return [...fixed, ...optional, 'vga=788'].map(parameter => ` ${parameter}`).join('')
}

/** Characters without a special meaning in GRUB, GRUB4DOS, the kernel's command line and shells. */
const harmless = /^[\w.,:@+-]*$/

/**
 * Makes a stored value safe for a boot file: replaces spaces by `_`, removes the accents of letters, and then all
 * characters that are not harmless (line breaks, quotes, `$`, `;`, `{`, `%`, `/`, `=`, …).
 */
function safe(value: string): string {
  if (harmless.test(value)) return value
  return value
    .replaceAll(/\p{Zs}/gu, '_')
    .normalize('NFD')
    .replaceAll(/[^\w.,:@+-]/g, '')
}

/** A field of `ip=`. Colons separate the fields. */
const field = (value: string) => safe(value).replaceAll(':', '')
