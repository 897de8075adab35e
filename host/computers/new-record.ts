// Completes a new computer record with the default values.
import type { Computer, New, Room } from '../../stores/store.ts'
import type { NewComputer } from '../contract/services.ts'

/** The boot mode of a computer that is added without one. */
export const defaultBoot = 'pxe'

/** The 12 digits of a hardware address, without separators. */
export const macDigits = (mac: string) => mac.replaceAll(/[:-]/g, '')

/** `room` is the stored room, which has the netmask for a computer without one. */
export function completeRecord(computer: NewComputer, room: Room): New<Computer> {
  const { place, tags } = computer
  return {
    name: computer.name,
    ip: computer.ip,
    mac: macDigits(computer.mac),
    room: room.id,
    netmask: computer.netmask || room.netmask,
    boot: computer.boot ?? defaultBoot,
    remote: computer.remote ?? false,
    serial_number: computer.serial_number ?? '',
    hardware_id: computer.hardware_id ?? 0,
    repo_id: computer.repo_id ?? 1,
    netiface: computer.netiface ?? 'eth0',
    netdriver: computer.netdriver ?? 'generic',
    livedir: computer.livedir ?? 'ogLive',
    maintenance: computer.maintenance ?? false,
    ...(place && { place }),
    ...(tags && { tags }),
  }
}
