// Whether computers get their boot files: a TFTP server must read the folder of boot.output and serve it.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Options } from '../config/options.ts'
import { serverAddress } from '../config/server-address.ts'
import type { DoctorFinding } from '../contract/services.ts'
import { isLoopback } from '../system/networks.ts'
import { fine, problem, statsOf, warning } from './finding.ts'
import { askTftp, dhcpPort, openUdpPorts, tftpPort } from './udp-ports.ts'
import { ownAddresses } from './wake-findings.ts'

export interface BootDeps {
  options: Options
  /** UDP port of the TFTP server; tests have one of their own. */
  tftpPort?: number
}

const check = 'boot files'

export async function checkBootFiles({ options, tftpPort: port = tftpPort }: BootDeps): Promise<DoctorFinding[]> {
  const { output } = options.boot
  const [name] = await readdir(join(output, 'menu.lst')).catch(() => [])
  if (name === undefined) return [fine(check, `no computer has a boot file in ${output}`)]
  const address = serverAddress(options)
  const closed = await closedFolder(output)
  if (closed !== undefined) {
    const text = `a TFTP server of another user cannot read ${output}: ${closed} is closed to others`
    return [warning(check, text, 'set boot.output to a folder outside of store.path, and restart the daemon')]
  }
  if (!isLoopback(address) && !ownAddresses().includes(address)) {
    const text = `computers are led to ${address}, which is no address of this server`
    return [warning(check, text, 'correct boot.server, if no other machine forwards that address to this server')]
  }
  return [await checkTftp(output, `menu.lst/${name}`, { address, port }), await checkDhcp(address)]
}

async function checkTftp(
  output: string,
  path: string,
  server: { address: string; port: number },
): Promise<DoctorFinding> {
  const where = `TFTP server at ${server.address}:${server.port}`
  const answer = await askTftp(server, path).catch(() => undefined)
  if (!answer) {
    const advice = `start one with the folder ${output} (docs/first-computer.md); none is needed where computers do not boot from the network`
    return warning(check, `no ${where} answers`, advice)
  }
  const advice = `let it serve the folder ${output}`
  if ('error' in answer) return problem(check, `the ${where} does not serve ${path}: ${answer.error}`, advice)
  const content = await readFile(join(output, path))
  const isSame = content.subarray(0, answer.content.length).equals(answer.content)
  if (!isSame) return problem(check, `the ${where} serves another file as ${path}`, advice)
  return fine(check, `the ${where} serves those of ${output}`)
}

async function checkDhcp(address: string): Promise<DoctorFinding> {
  const ports = await openUdpPorts()
  const unknown = 'whether a DHCP server runs on this server is not known'
  // A relay has the same port open.
  const known = ports?.has(dhcpPort)
    ? 'a DHCP server or relay runs on this server'
    : 'no DHCP server runs on this server'
  const text = ports ? known : unknown
  return fine(check, `${text}; DHCP must name ${address} as the server of boot files (next-server)`)
}

/** The first folder on the path that only its owner or group may enter; undefined when there is none. */
async function closedFolder(path: string): Promise<string | undefined> {
  const above = dirname(path) === path ? undefined : await closedFolder(dirname(path))
  const { mode = 0 } = (await statsOf(path)) ?? {}
  return above ?? ((mode & 0o001) === 0 ? path : undefined)
}
