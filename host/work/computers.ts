// Computer records with all that hangs on them: defaults, boot files, outputs, the queue; one by one and in texts.
import type { Computer, ComputersRoom, FleetRoom, New, NewComputer, Room, Store } from '../command.ts'
import { readCsv, readDhcpd, writeCsv } from '../site/import.ts'
import type { BootFiles } from './boot-files.ts'
import { refuse } from './refuse.ts'

export interface ComputersParts {
  store: Store
  fleet: FleetRoom
  bootFiles: BootFiles
  /** Cancels what waits for addresses. */
  cancelFor(clients: string[]): void
}

export function createComputers({ store, fleet, bootFiles, cancelFor }: ComputersParts): ComputersRoom {
  return {
    async add(given) {
      const room = await store.rooms.find(given.room)
      if (!room) return refuse(`room: there is no room ${given.room}`)
      const computer = complete(given, room)
      return bootFiles.follow([computer], async () => {
        const [conflict] = await store.computers.add([computer])
        return conflict && `${computer.ip}: ${conflict.reason}`
      })
    },

    async update(ip, change) {
      const before = await store.computers.find(ip)
      if (!before) return refuse(`ip: there is no computer ${ip}`)
      const wanted = { ...change, ...(change.mac !== undefined && { mac: bare(change.mac) }) }
      const refused = await bootFiles.follow([{ ...before, ...wanted }], async () => {
        const outcome = await store.computers.update([ip], wanted)
        return outcome === 'updated' ? undefined : `${ip}: ${outcome}`
      })
      if (!refused && wanted.mac && wanted.mac.toLowerCase() !== before.mac.toLowerCase())
        await bootFiles.remove([before])
      return refused
    },

    async updateRoom(room) {
      const computers = await store.computers.list(room.id)
      const change = async () => {
        const outcome = await store.rooms.update(room)
        return outcome === 'updated' ? undefined : `room ${room.id}: ${outcome}`
      }
      return bootFiles.follow(computers, change, room)
    },

    async deleted(computers) {
      const addrs = computers.map(({ ip }) => ip)
      fleet.forgetOutput(addrs)
      cancelFor(addrs)
      await bootFiles.remove(computers)
    },

    async import(text, format, roomId, dryRun) {
      const room = await store.rooms.find(roomId)
      if (!room) return refuse(`room: there is no room ${roomId}`)
      const { computers, conflicts } = format === 'csv' ? readCsv(text) : readDhcpd(text)
      const fresh: { line: number; computer: New<Computer> }[] = []
      const report = { added: 0, exists: 0, conflicts: [...conflicts] }
      for (const { line, ...given } of computers) {
        const place = given.room === undefined ? room : await store.rooms.find(given.room)
        if (!place) {
          report.conflicts.push({ line, reason: `room: there is no room ${given.room}` })
          continue
        }
        const computer = complete({ ...given, room: place.id }, place)
        const there = await store.computers.find(computer.ip)
        if (!there) fresh.push({ line, computer })
        else if (isSame(there, computer)) report.exists += 1
        else report.conflicts.push({ line, reason: `ip: ${computer.ip} is taken by ${there.name}` })
      }
      if (report.conflicts.length > 0) return { ...report, conflicts: report.conflicts.sort((a, b) => a.line - b.line) }
      const added = fresh.map(({ computer }) => computer)
      if (!dryRun && added.length > 0) {
        const refused = await bootFiles.follow(added, async () => {
          for (const { index, reason } of await store.computers.add(added)) {
            report.conflicts.push({ line: fresh[index]?.line ?? 0, reason })
          }
          return report.conflicts[0]?.reason
        })
        // Others may have been quicker with an address.
        if (report.conflicts.length > 0) return report
        if (refused) return refused
      }
      return { ...report, added: added.length }
    },

    async export() {
      return writeCsv(await store.computers.list())
    },
  }
}

const bare = (mac: string) => mac.replaceAll(/[:-]/g, '')
const isSame = (a: New<Computer>, b: New<Computer>) => a.name === b.name && a.mac.toLowerCase() === b.mac.toLowerCase()

function complete({ name, ip, mac, room: id, ...given }: NewComputer, room: Room): New<Computer> {
  return {
    ...{ name, ip, mac: bare(mac), room: id },
    netmask: given.netmask || room.netmask,
    boot: given.boot ?? 'pxe',
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
