// The files of one real agent of the lab: its program, its options, and a folder in place of `/` that gives it a name of its own.
import { chownSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Endpoint } from './arguments.ts'

export interface AgentFiles {
  spec: { name: string; ip: string }
  /** Where scripts start; theirs to write to. */
  folder: string
  program: string
  config: string
  /** Exists when the agent was told to turn the computer off. */
  offFile: string
}

/** Whether this program may become another user. */
export const isRoot = process.getuid?.() === 0
/** The user and group `nobody`: the number is the same on all distributions. */
export const nobody = 65_534

/** The files of this machine that the agents report as theirs. The process of an agent may not read all of them. */
const shared = ['etc', 'usr', 'run', 'proc/cpuinfo', 'proc/meminfo', 'sys/block', 'sys/bus', 'sys/class/block']
const boardFolder = 'sys/class/dmi/id'
const serialFile = join(boardFolder, 'product_serial')

const perNetwork = 250 // agents in one /24 network

/** `number` counts from 1; `folder` is new for each agent. */
export function createAgentFiles(number: number, folder: string, code: string, agents: Endpoint): AgentFiles {
  const network = Math.floor((number - 1) / perNetwork)
  const host = 1 + ((number - 1) % perNetwork)
  const hex = [network, host].map(byte => byte.toString(16).padStart(2, '0'))
  const spec = { name: `lab-real-${String(number).padStart(2, '0')}`, ip: `127.9.${network}.${host}` }
  const files = { program: join(folder, 'fleet-agent.js'), config: join(folder, 'options.json') }
  const offFile = join(folder, 'off')
  const root = join(folder, 'root')
  const contents = {
    [files.program]: code,
    [files.config]: JSON.stringify(optionsOf(spec.ip, root, offFile, agents)),
    [join(root, 'proc/sys/kernel/hostname')]: spec.name,
    [join(root, serialFile)]: `LAB-REAL-${number}`,
    [join(root, 'sys/class/net/lab0/address')]: `02:00:7f:09:${hex.join(':')}`,
    [join(root, 'sys/class/net/lab0/speed')]: '1000',
  }
  for (const [file, content] of Object.entries(contents)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const board = listFolder(join('/', boardFolder)).map(name => join(boardFolder, name))
  for (const path of [...shared, ...board]) {
    const target = join('/', path)
    const link = join(root, path)
    mkdirSync(dirname(link), { recursive: true })
    if (path !== serialFile && existsSync(target)) symlinkSync(target, link)
  }
  // Of what it may change: its program, when it is updated, and what scripts write.
  if (isRoot) for (const path of [folder, ...Object.values(files)]) chownSync(path, nobody, nobody)
  return { spec, folder, ...files, offFile }
}

/** The parent of a script is the agent, whose end is that of the computer. */
const optionsOf = (addr: string, root: string, offFile: string, { host, port }: Endpoint) => ({
  server: host,
  port: String(port),
  'local-address': addr,
  interface: 'lab0',
  'poweroff-command': `touch '${offFile}'; kill $PPID`,
  'reboot-command': 'kill $PPID',
  root,
})

function listFolder(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : []
}
