// The menu of computers with UEFI that have no boot file: that of the shipped mode for unknown computers.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultLiveName } from '../live-system/live-folder.ts'
import { type BootServer, type BootSubject, readTemplate } from './template.ts'

const nobody: BootSubject = {
  computer: { name: '', ip: '', mac: '', netmask: '', netiface: '', livedir: defaultLiveName, boot: '00unknown' },
  room: { name: '', gateway: '', ntp: '', dns: '' },
  repository: '',
  hardprofile: '',
}

export async function readUnknownMenu(templates: string, server: BootServer): Promise<string> {
  const path = join(templates, 'uefi', nobody.computer.boot)
  const template = readTemplate(await readFile(path, 'utf8'))
  if (!template) throw new Error(`${path}: expected a boot template`)
  return template(nobody, server)
}
