// Reads a whole ogAdmBD database as the rows of a store.
import { loadCommandChecks } from './command-checks.ts'
import { readCenters, readRepositories, readRoomGroups, readRooms } from './read-centers.ts'
import { readComputers } from './read-computers.ts'
import { readImages, readPartitions } from './read-images.ts'
import { dropUnusedNames, readFilesystems, readSystems } from './read-names.ts'
import { importedCommands } from './read-parameters.ts'
import { readProcedures } from './read-procedures.ts'
import { readHardware, readHardwareProfiles, readSoftware, readSoftwareProfiles } from './read-profiles.ts'
import { readSchedules } from './read-schedules.ts'
import { readTasks } from './read-tasks.ts'
import { createSite, type Site, type SiteImport } from './site.ts'
import { SiteReport } from './site-report.ts'
import { type SourceAddress, withSource } from './source-database.ts'

/** The commands whose payloads have the values of records. */
const recordCommands = ['center-add', 'room-add', 'client-add', 'repository-add', 'procedure-add', 'schedule-create']

export interface ReadSite {
  site: Site
  report: SiteReport
}

/** `forwardBytes`: the longest body that agents are sent. Rejects with an error of one line. */
export async function readSite(address: SourceAddress, forwardBytes: number): Promise<ReadSite> {
  const report = new SiteReport()
  const checks = await loadCommandChecks([...recordCommands, ...importedCommands], forwardBytes)
  const site = createSite()
  await withSource(address, report, source => readTables({ source, report, checks, site }))
  return { site, report }
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
  const software = new Set(softwareProfiles.keys())
  await readImages(task, software)
  await readComputers(task, new Set(hardwareProfiles.keys()))
  await readPartitions(task, { filesystems, systems, software })
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
