// Whether wake-up packets of this server can reach computers: a broadcast stays in the networks of its interfaces.
import { networkInterfaces } from 'node:os'
import type { Options } from '../config/options.ts'
import type { DoctorFinding } from '../contract/services.ts'
import { subnetOf } from '../system/networks.ts'
import { slices } from '../system/request-slices.ts'
import { fine, problem, warning } from './finding.ts'

type Target = { ip: string; netmask: string; room: string }

const advice =
  'give this server an interface in that network, or let its router forward directed broadcasts to port 9, or run another host of the fleet there'

const addressesOf = (name?: string) =>
  Object.entries(networkInterfaces())
    .flatMap(([key, addresses = []]) => (name === undefined || key === name ? addresses : []))
    .filter(({ family }) => family === 'IPv4')

export const ownAddresses = (): string[] => addressesOf().map(({ address }) => address)

/** `targets`: those whose networks are looked for, with the names of their rooms. */
export async function checkWakeUps(
  { wol }: Pick<Options, 'wol'>,
  targets: readonly Target[],
): Promise<DoctorFinding[]> {
  const { interface: name } = wol
  const own = addressesOf().map(({ address, netmask }) => ({ netmask, network: subnetOf(address, netmask) }))
  const rooms = new Map<string, Set<string>>()
  await slices.forEach(targets, ({ ip, netmask, room }) => {
    if (own.some(near => subnetOf(ip, near.netmask) === near.network)) return
    const network = subnetOf(ip, netmask)
    rooms.set(network, (rooms.get(network) ?? new Set()).add(room))
  })
  const far = Array.from(rooms, ([network, names]) => `${network} (${[...names].join(', ')})`)
  return [...checkInterface(name), ...far.slice(0, listed).map(checkNetwork), ...summary(far.length, targets.length)]
}

/** Networks with a finding of their own. */
const listed = 20

const checkNetwork = (network: string) =>
  warning('wake-up', `no interface of this server is in ${network}: its broadcasts end at a router`, advice)

function summary(far: number, targets: number): DoctorFinding[] {
  if (far > listed) return [warning('wake-up', `${far - listed} more networks are as far`, advice)]
  if (far > 0 || targets === 0) return []
  const network = targets === 1 ? 'its network' : 'each network with computers'
  return [fine('wake-up', `this server has an interface in ${network}`)]
}

function checkInterface(name: string | undefined): DoctorFinding[] {
  if (name === undefined) return []
  const [address] = addressesOf(name)
  if (address) return [fine('wake-up', `wol.interface ${name} has the address ${address.address}`)]
  const names = Object.keys(networkInterfaces()).join(', ')
  return [
    problem(
      'wake-up',
      `wol.interface: this server has no interface ${name} with an IPv4 address`,
      `write one of ${names}`,
    ),
  ]
}
