// Installs the agent for Windows from install.cmd, which this program is a part of, or updates it.
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { messageOf } from '../../agent-program/agent-log.ts'
import { agentName, digestOf } from '../../agent-program/program-file.ts'
import { type InstallArguments, mergeOptions } from './installed-options.ts'
import { endTask, startTask, taskName, taskXml } from './windows-task.ts'

/** Seconds for the agent to connect: a virus scanner may look at node.exe first. */
const longestWait = 30

/** `args`: SHA-256 of the program, server, port and address for updates of the download, then `--server` and `--port`. */
export async function installAgent(args: string[]): Promise<void> {
  try {
    await install(args)
  } catch (error) {
    console.error(`fleet-agent: ${messageOf(error)}`)
    process.exitCode = 1
  }
}

async function install(args: string[]): Promise<void> {
  const { sha256, ...own } = readArguments(args)
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) throw new Error(`expected Node 20 or newer, got ${process.version} (${process.execPath})`)
  const program = await readProgram(sha256)
  const programs = process.env.ProgramW6432 || process.env.ProgramFiles || ''
  const folder = join(programs, 'fleet-agent')
  const within = (name: string) => join(folder, name)
  const [file, log, optionsFile, taskFile] = [
    within('fleet-agent.js'),
    within('agent.log'),
    within('options.json'),
    within('task.xml'),
  ]
  await mkdir(folder, { recursive: true }).catch(expectAdministrator)
  const options = mergeOptions(await readFile(optionsFile, 'utf8').catch(() => '{}'), own)
  await endTask()
  const node = await placeNode(programs, within('node.exe')).catch(expectAdministrator)
  await place(file, program)
  await place(optionsFile, `${JSON.stringify(options, null, 2)}\n`)
  await rm(log, { force: true })
  const command = `"${file}" --config "${optionsFile}" --log-file "${log}"`
  await writeFile(taskFile, `\ufeff${taskXml({ program: node, folder, args: command })}`, 'utf16le')
  await startTask(taskFile)
  await report(log, options)
}

function readArguments(args: string[]): InstallArguments & { sha256: string } {
  const options = { server: { type: 'string' }, port: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const { server = '', port = '' } = values
  const [sha256 = '', defaultServer = '', defaultPort = '', defaultUrl = ''] = positionals
  if (!/^([a-z0-9][a-z0-9.-]*)?$/i.test(server))
    throw new Error(`--server: expected an IPv4 address or a host name, got ${server}`)
  if (!/^\d{0,5}$/.test(port)) throw new Error(`--port: expected a port, got ${port}`)
  return { sha256, server, port, defaultServer, defaultPort, defaultUrl }
}

/** The part of install.cmd behind the commands for cmd.exe, with the first line that was left out there. */
async function readProgram(sha256: string): Promise<Buffer> {
  const file = await readFile(process.argv[1] ?? '')
  const end = '\n*/\n'
  const program = Buffer.concat([Buffer.from('#!/usr/bin/env node\n'), file.subarray(file.indexOf(end) + end.length)])
  const digest = digestOf(program)
  if (digest === sha256) return program
  throw new Error(`the program was changed on its way: expected SHA-256 ${sha256}, got ${digest}`)
}

/** An installed Node is used where it is, as its updates are. Returns the absolute path. */
async function placeNode(programs: string, path: string): Promise<string> {
  const { execPath } = process
  const isSame = (other: string) => execPath.toLowerCase() === other.toLowerCase()
  if (isSame(join(programs, 'nodejs', 'node.exe'))) return execPath
  if (isSame(path)) return path
  const present = await readFile(path).then(digestOf, () => '')
  if (present === digestOf(await readFile(execPath))) return path
  // A program that runs cannot be replaced, but renamed.
  await rm(`${path}.old`, { force: true })
  if (present !== '') await rename(path, `${path}.old`)
  await copyFile(execPath, path)
  return path
}

/** Whoever reads the file meanwhile has the old one or the new one. */
async function place(path: string, content: Buffer | string): Promise<void> {
  await writeFile(`${path}.new`, content)
  await rename(`${path}.new`, path)
}

function expectAdministrator(error: unknown): never {
  const isRefused = error instanceof Error && 'code' in error && /^(EPERM|EACCES)$/.test(String(error.code))
  throw isRefused ? new Error(`expected an administrator: ${messageOf(error)}`) : error
}

async function report(log: string, { server, port }: { server: string; port: number }): Promise<void> {
  console.log(`${agentName} is installed as the scheduled task ${taskName}`)
  if (await connects(log)) {
    console.log(`fleet-agent: it is connected to ${server}:${port}. Next, at the server: fleet pending`)
    return console.log(`Options, log: ${dirname(log)}; removal: install.cmd --uninstall`)
  }
  console.log(
    `fleet-agent: it is not connected to ${server}:${port} after ${longestWait} s, and tries again every second.`,
  )
  console.log(`  Can this computer reach that port? What it says: ${log}`)
  process.exitCode = 1
}

async function connects(log: string): Promise<boolean> {
  const end = Date.now() + longestWait * 1000
  while (Date.now() < end) {
    if ((await readFile(log, 'utf8').catch(() => '')).includes(': connected to ')) return true
    await wait(200)
  }
  return false
}
