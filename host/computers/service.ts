// Computer records with all that hangs on them: defaults, boot files, outputs, the queue; one by one and in texts.
import type { Computer, New, Room, Store } from '../../stores/store.ts'
import type { BootFilesService } from '../boot/service.ts'
import { refuse } from '../refusal.ts'
import type { ComputersService, FleetService, ImportReport, NewComputer } from '../services.ts'
import { readCsv, readDhcpd, writeCsv } from './import/formats.ts'
import type { Imported } from './import/validate-rows.ts'

export interface ComputersDeps {
  store: Store
  fleet: FleetService
  bootFiles: BootFilesService
  /** Cancels what waits for addresses. */
  cancelFor(clients: string[]): void
}

/** A computer to be added, and the line that tells of it. */
interface Fresh {
  line: number
  computer: New<Computer>
}

export function createComputers({ store, fleet, bootFiles, cancelFor }: ComputersDeps): ComputersService {
  const { exclusive: inTurn } = bootFiles

  /** The computers of a text that are not there yet, and what is to be said of the others. */
  async function compare(found: Imported, room: Room): Promise<{ fresh: Fresh[]; report: ImportReport }> {
    const repositories = new Set((await store.repositories.list()).map(({ id }) => id))
    const fresh: Fresh[] = []
    const report = { added: 0, exists: 0, conflicts: [...found.conflicts] }
    for (const { line, ...given } of found.computers) {
      const conflict = (reason: string) => void report.conflicts.push({ line, reason })
      const place = given.room === undefined ? room : await store.rooms.find(given.room)
      if (!place) {
        conflict(`room: there is no room ${given.room}`)
        continue
      }
      const computer = complete({ ...given, room: place.id }, place)
      const there = await store.computers.find(computer.ip)
      if (there && !isSame(there, computer)) conflict(`ip: ${computer.ip} is taken by ${there.name}`)
      else if (there) report.exists += 1
      else if (!repositories.has(computer.repo_id)) conflict(`repo_id: there is no repository ${computer.repo_id}`)
      else fresh.push({ line, computer })
    }
    report.conflicts.sort((a, b) => a.line - b.line)
    return { fresh, report }
  }

  return {
    async add(given) {
      const add = async () => {
        const room = await store.rooms.find(given.room)
        if (!room) return refuse(`room: there is no room ${given.room}`)
        const computer = complete(given, room)
        return bootFiles.updateWith([computer], async () => {
          const [conflict] = await store.computers.add([computer])
          return conflict && `${computer.ip}: ${conflict.reason}`
        })
      }
      // Without boot files there is nothing to keep in turn: many that come at once share a write to the disk.
      return (await bootFiles.isUsable(given.boot ?? usualBoot)) ? inTurn(add) : add()
    },

    update: (ip, change) =>
      inTurn(async () => {
        const before = await store.computers.find(ip)
        if (!before) return refuse(`ip: there is no computer ${ip}`)
        const wanted = { ...before, ...change, mac: bare(change.mac ?? before.mac) }
        const refused = await bootFiles.updateWith([wanted], async () => {
          const outcome = await store.computers.update([ip], { ...change, mac: wanted.mac })
          return outcome === 'updated' ? undefined : `${ip}: ${outcome}`
        })
        // Also for a mode without a template, which leaves no file to boot from.
        const moved = wanted.boot !== before.boot || wanted.mac.toLowerCase() !== before.mac.toLowerCase()
        if (!refused && moved) await bootFiles.remove([before])
        return refused
      }),

    updateRoom: (id, change) =>
      inTurn(async () => {
        const before = await store.rooms.find(id)
        if (!before) return refuse(`room: there is no room ${id}`)
        const room = { ...before, ...change, id }
        return bootFiles.updateWith(
          await store.computers.list(id),
          async () => {
            const outcome = await store.rooms.update(room)
            return outcome === 'updated' ? undefined : `room ${id}: ${outcome}`
          },
          room,
        )
      }),

    async cleanUp(computers) {
      const addrs = computers.map(({ ip }) => ip)
      fleet.clearOutput(addrs)
      cancelFor(addrs)
      await inTurn(() => bootFiles.remove(computers))
    },

    import: (text, format, roomId, dryRun) =>
      inTurn(async () => {
        const room = await store.rooms.find(roomId)
        if (!room) return refuse(`room: there is no room ${roomId}`)
        const { fresh, report } = await compare(format === 'csv' ? readCsv(text) : readDhcpd(text), room)
        if (report.conflicts.length > 0) return report
        const added = fresh.map(({ computer }) => computer)
        if (!dryRun && added.length > 0) {
          const refused = await bootFiles.updateWith(added, async () => {
            for (const { index, reason } of await store.computers.add(added)) {
              report.conflicts.push({ line: fresh[index]?.line ?? 0, reason })
            }
            return report.conflicts[0]?.reason
          })
          // A room or repository may have gone meanwhile.
          if (report.conflicts.length > 0) return report
          if (refused) return refused
        }
        return { ...report, added: added.length }
      }),

    async export() {
      return writeCsv(await store.computers.list())
    },
  }
}

const usualBoot = 'pxe'
const bare = (mac: string) => mac.replaceAll(/[:-]/g, '')
const isSame = (a: New<Computer>, b: New<Computer>) => a.name === b.name && a.mac.toLowerCase() === b.mac.toLowerCase()

function complete({ name, ip, mac, room: id, ...given }: NewComputer, room: Room): New<Computer> {
  return {
    ...{ name, ip, mac: bare(mac), room: id },
    netmask: given.netmask || room.netmask,
    boot: given.boot ?? usualBoot,
    remote: given.remote ?? false,
    serial_number: given.serial_number ?? '',
    hardware_id: given.hardware_id ?? 0,
    repo_id: given.repo_id ?? 1,
    netiface: given.netiface ?? 'eth0',
    netdriver: given.netdriver ?? 'generic',
    livedir: given.livedir ?? 'ogLive',
    maintenance: given.maintenance ?? false,
  }
}
