// The files of dnsmasq: their texts, and how they are written.
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bootEntries, firmwares, roomOf, tagOf } from './_boot-options.ts'
import type { Settings } from './_dhcp-schemas.ts'
import { isAddress, readMac } from './_records.ts'
import type { DhcpServer, Reservation } from './_server-state.ts'

/** The first line of a file of this pack: no other file is replaced. */
const mark = '# Written by the pack dhcp of fleet-host, which overwrites changes.'

/** Without tags of rooms: dnsmasq 2.90 crashes when it reads a file anew whose tags it has used. */
export function hostsText(reservations: readonly Reservation[]): string {
  const lines = reservations.map(({ mac, ip, name }) => [mac, ip, ...(name === '' ? [] : [name])].join(','))
  return `${[mark, ...lines].join('\n')}\n`
}

/** Their tags of rooms come with the ranges of addresses in the configuration of dnsmasq. */
export function optionsText(settings: Pick<Settings, 'boot'>): string {
  const others = settings.boot.filter(entry => roomOf(entry) !== 0).map(entry => `tag:!${tagOf(entry)},`)
  const lines = bootEntries(settings).flatMap(entry => {
    const tags = roomOf(entry) === 0 ? others.join('') : `tag:${tagOf(entry)},`
    const files = firmwares.flatMap(({ key }) =>
      entry[key] ? [`${tags}tag:fleet-${key},option:bootfile-name,${entry[key]}`] : [],
    )
    return [...(entry.next_server ? [`${tags}option:server-ip-address,${entry.next_server}`] : []), ...files]
  })
  return `${[mark, ...lines].join('\n')}\n`
}

/** The entries of a text in the form of dhcp-hostsfile, or of a configuration with lines of dhcp-host. */
export function readHosts(text: string): Reservation[] {
  const entries: Reservation[] = []
  for (const line of text.split('\n')) {
    const [, fields = ''] = /^\s*(?:dhcp-host\s*=)?([^#=]*)/.exec(line) ?? []
    const entry = { mac: '', ip: '', name: '', tag: '', scope: 0 }
    for (const field of fields.split(',').map(each => each.trim())) {
      if (isAddress(field)) entry.ip = field
      else if (readMac(field) !== '') entry.mac = readMac(field)
      else if (!field.includes(':')) entry.name = field
    }
    if (entry.mac !== '' || entry.ip !== '') entries.push(entry)
  }
  return entries
}

/** '' where there is no file. */
async function readText(path: string): Promise<string> {
  if (path === '') return ''
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}

async function readMarked(path: string): Promise<string> {
  const text = await readText(path)
  if (text !== '' && !text.startsWith(mark))
    throw new Error(`${path}: expected a file of this pack, which begins with ${mark}`)
  return text
}

export function dnsmasqServer(settings: Settings): DhcpServer {
  const { hosts_file, options_file, pid_file, others } = settings.dnsmasq
  const options = optionsText(settings)
  return {
    name: `dnsmasq ${hosts_file}`,
    async read() {
      const hosts = await readMarked(hosts_file)
      const foreign = await Promise.all(others.map(path => readFile(path, 'utf8')))
      return {
        marked: readHosts(hosts),
        others: foreign.flatMap(readHosts),
        isStale: hosts === '' || (options_file !== '' && (await readMarked(options_file)) !== options),
        adapt: reservation => ({ ...reservation, tag: '' }),
        async write({ desired }) {
          await replace(hosts_file, hostsText(desired))
          if (options_file !== '') await replace(options_file, options)
          if (pid_file !== '') await notify(pid_file)
        },
      }
    },
  }
}

/** Readers see the old text or the new one. dnsmasq ignores names that begin with a dot. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)
  try {
    await writeFile(temporary, text, { flush: true, mode: 0o644 })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Has dnsmasq read its files again. Its number may be that of another process by now, which a SIGHUP would end. */
async function notify(pidFile: string): Promise<void> {
  const pid = Number((await readFile(pidFile, 'utf8')).trim())
  if (!Number.isInteger(pid) || pid < 2) throw new Error(`${pidFile}: expected the number of a process`)
  const name = (await readText(`/proc/${pid}/comm`)).trim()
  if (name !== 'dnsmasq')
    throw new Error(`${pidFile}: expected the number of a dnsmasq, got that of ${name || 'no process'}`)
  process.kill(pid, 'SIGHUP')
}
