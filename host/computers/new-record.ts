// Completes a new computer record with the default values.
import type { Computer, New, Room } from '../../stores/store.ts'
import type { NewComputer } from '../contract/services.ts'

/** The boot mode of a computer that is added without one. */
export const defaultBoot = 'pxe'

/** The 12 digits of a hardware address, without separators. */
export const macDigits = (mac: string) => mac.replaceAll(/[:-]/g, '')

const withoutUndefined = <Values extends object>(values: Values): Values =>
  // `as`: the same keys.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values

/** `room` is the stored room, which has the netmask for a computer without one. */
export function completeRecord(computer: NewComputer, room: Room): New<Computer> {
  const { place, ...values } = computer
  return {
    boot: defaultBoot,
    remote: false,
    serial_number: '',
    hardware_id: 0,
    repo_id: 1,
    netiface: 'eth0',
    netdriver: 'generic',
    livedir: 'ogLive',
    maintenance: false,
    ...withoutUndefined(values),
    mac: macDigits(computer.mac),
    room: room.id,
    netmask: computer.netmask || room.netmask,
    ...(place && { place }),
  }
}
