// Imports an ogAdmBD database into an empty store, or only reports what an import would do.
import { join } from 'node:path'
import { stop } from 'esbuild'
import type { StoreOptions } from '../../../stores/store.ts'
import { toWireJson } from '../../agents/connection/codec.ts'
import type { Limits } from '../../config/options.ts'
import type { Check } from '../../contract/loaded-file.ts'
import type { Log } from '../../log/log.ts'
import { loadCommand } from '../../modules/load-file.ts'
import { describeStore, loadAdapter } from '../../store/open-store.ts'
import { builtInFolder } from '../installation.ts'
import { readCenters, readComputers, readRepositories, readRoomGroups, readRooms } from './read-computers.ts'
import { dropUnusedNames, readFilesystems, readImages, readPartitions, readSystems } from './read-images.ts'
import { importedCommands } from './read-parameters.ts'
import { readProcedures, readTasks } from './read-procedures.ts'
import { readHardware, readHardwareProfiles, readSoftware, readSoftwareProfiles } from './read-profiles.ts'
import { readSchedules } from './read-schedules.ts'
import { type CommandChecks, createSite, type Site, type SiteImport, toEntries } from './site.ts'
import { SiteReport } from './site-report.ts'
import { type SourceAddress, withSource } from './source-database.ts'

export interface ImportDeps {
  store: StoreOptions
  limits: Limits
  log: Log
  /** The store is not even opened. */
  dryRun: boolean
}

/** Rejects with an error of one line; the store is unchanged then. */
export async function importSite(source: SourceAddress, deps: ImportDeps): Promise<SiteReport> {
  const { store: options, limits, log, dryRun } = deps
  if (dryRun) return (await readSite(source, limits.forward)).report
  const { default: open } = await loadAdapter(options)
  const store = await open(options, log, limits)
  try {
    if (!(await store.backup.isEmpty())) {
      throw new Error(`store ${await describeStore(options)}: not empty; an import needs a new one`)
    }
    const { site, report } = await readSite(source, limits.forward)
    await store.backup.load(toEntries(site))
    return report
  } finally {
    await store.close()
  }
}

/** The commands whose payloads have the values of records. */
const recordCommands = ['center-add', 'room-add', 'client-add', 'repository-add', 'procedure-add', 'schedule-create']

/** The rows of the whole database. `forwardBytes`: the longest body that agents are sent. */
async function readSite(address: SourceAddress, forwardBytes: number): Promise<{ site: Site; report: SiteReport }> {
  const report = new SiteReport()
  const checks = await loadCommandChecks([...recordCommands, ...importedCommands], forwardBytes)
  const site = createSite()
  await withSource(address, report, source => readTables({ source, report, checks, site }))
  return { site, report }
}

/** A valid value for `clients`. */
const anyClients = ['127.0.0.1']

/** Loads these commands. `forwardBytes`: the longest body that agents are sent. */
async function loadCommandChecks(commands: Iterable<string>, forwardBytes: number): Promise<CommandChecks> {
  const checks = new Map<string, Check>()
  for (const command of commands) {
    const { checkPayload } = await loadCommand(join(builtInFolder, `${command}.ts`))
    checks.set(command, checkPayload ?? (() => undefined))
  }
  await stop()
  const mismatch = (command: string, payload: object) => {
    const check = checks.get(command)
    return check ? check(payload) : `there is no command ${command}`
  }
  return {
    mismatch,
    stepMismatch(command, params) {
      const length = toWireJson(params).length
      if (length > forwardBytes) return `expected at most ${forwardBytes} bytes for an agent, got ${length}`
      return mismatch(command, { ...params, clients: anyClients })
    },
  }
}

/** Each table after those that its rows name. */
async function readTables(task: SiteImport): Promise<void> {
  const { source, site, report } = task
  await readCenters(task)
  const groups = await readRoomGroups(task)
  await readRooms(task, groups)
  await readRepositories(task)
  const systems = await readSystems(task)
  const filesystems = await readFilesystems(task)
  const softwareProfiles = await readSoftwareProfiles(task)
  const hardwareProfiles = await readHardwareProfiles(task)
  await readImages(task, softwareProfiles)
  await readComputers(task, hardwareProfiles)
  await readPartitions(task, { filesystems, systems, software: softwareProfiles })
  await readHardware(task, hardwareProfiles)
  const systemOf = (id: number) => site.systems.get(systems.get(id) ?? 0)?.name ?? ''
  const softwareOf = await readSoftware(task, softwareProfiles, systemOf)
  dropUnusedNames(task, filesystems)
  const procedures = await readProcedures(task, softwareOf)
  const tasks = await readTasks(task, groups)
  await readSchedules(task, { procedures, tasks }, Date.now())
  const users = await source.count('usuarios')
  report.addRead('usuarios', users)
  if (users > 0)
    report.dropRow({ table: 'usuarios', id: '' }, 'passwords are old hashes: `fleet user add` adds users', users)
}
