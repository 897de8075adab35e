// Boot templates as text: what makes a file one, and how a computer's kernel parameters get into it.
import type { Computer, Room } from '../../stores/store.ts'

/** A computer as boot files tell of it; `computer.boot` is the mode. */
export interface BootSubject {
  computer: Pick<Computer, 'name' | 'ip' | 'mac' | 'netmask' | 'netiface' | 'livedir' | 'boot'>
  room: Pick<Room, 'name' | 'gateway' | 'ntp' | 'dns'>
  /** The address of its repository. */
  repository: string
  /** The description of its hardware profile, '' none. */
  hardprofile: string
}

/** What all computers are told of the server; `address` is where the live system finds it. */
export interface BootServer {
  address: string
  lang: string
}

/** The text of a boot file. */
export type Template = (subject: BootSubject, server: BootServer) => string

const marker = /^##(BOOT-TEMPLATE|NO-TOCAR-ESTA-LINEA) +\S/

/** Kernel parameters that the template itself has: the one makes way for ours, the other keeps ours out. */
const ownVga = /(?<![\w.-])vga=\d+\b/g
const ownLivedir = /(?<![\w.-])oglivedir=/

const slots = /INFOHOST|(\bset[ \t]+ISODIR=)(?:"[^"\n]*"|'[^'\n]*'|[^\s;]*)/g

/**
 * Undefined for a text whose first line is no marker with a name. The marker stays in what is rendered: both boot
 * loaders take it for a comment, and it tells people and the sites' scripts which mode a client's file was made from.
 */
export function readTemplate(text: string): Template | undefined {
  if (!marker.test(text)) return undefined
  const source = text.replaceAll(ownVga, '')
  const withLivedir = !ownLivedir.test(source)
  return (subject, server) => {
    const infohost = parameters(subject, server, withLivedir)
    const livedir = plain(subject.computer.livedir)
    // One pass and a function: a value that reads like a slot or like `$&` is only a value.
    return source.replaceAll(slots, (_, set?: string) => (set === undefined ? infohost : set + livedir))
  }
}

function parameters(subject: BootSubject, { address, lang }: BootServer, withLivedir: boolean): string {
  const { computer, room, repository, hardprofile } = subject
  const server = plain(address)
  const ip = [computer.ip, address, room.gateway, computer.netmask, computer.name, computer.netiface, 'none']
  const always = [
    `LANG=${plain(lang)}`,
    `ip=${ip.map(field).join(':')}`,
    `group=${plain(room.name)}`,
    `ogrepo=${plain(repository)}`,
    `oglive=${server}`,
    `oglog=${server}`,
    `ogshare=${server}`,
    ...(withLivedir ? [`oglivedir=${plain(computer.livedir)}`] : []),
    'ogprof=false',
  ]
  const ifSet = Object.entries({ hardprofile, ogntp: room.ntp, ogdns: room.dns })
    .map(([key, value]) => [key, plain(value)])
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${value}`)
  return [...always, ...ifSet, 'vga=788'].map(parameter => ` ${parameter}`).join('')
}

/** Characters that mean nothing to GRUB, GRUB4DOS, the kernel's command line or a shell that reads it. */
const harmless = /^[\w.,:@+-]*$/

/**
 * A stored value as it may stand in a boot file: spaces become `_`, letters lose their accents, and whatever is still
 * not known to be harmless (line breaks, quotes, `$`, `;`, `{`, `%`, `/`, `=`, …) is left out.
 */
function plain(value: string): string {
  if (harmless.test(value)) return value
  return value
    .replaceAll(/\p{Zs}/gu, '_')
    .normalize('NFD')
    .replaceAll(/[^\w.,:@+-]/g, '')
}

/** One of the fields of `ip=`, which are separated by colons. */
const field = (value: string) => plain(value).replaceAll(':', '')
