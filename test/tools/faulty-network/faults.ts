// Which lines fail in a phase, and how: drawn from the seed.
import type { Chance } from '../virtual-world/chance.ts'
import { agentAddresses, breakLine, databaseAddress, hostNames, slowDown } from './network.ts'

export interface Fault {
  name: string
  begin(): () => void
}

const directions = [['egress'], ['ingress'], ['egress', 'ingress']] as const

/** One or two; no two are about the line of the same host. */
export function drawFaults(chance: Chance): Fault[] {
  const first = chance.pick(hostNames)
  const others = hostNames.filter(name => name !== first)
  return [first, ...(chance.isTrue(0.3) ? [chance.pick(others)] : [])].map(host => drawFault(chance, host))
}

function drawFault(chance: Chance, host: string): Fault {
  if (chance.isTrue(0.15)) {
    const kilobits = chance.pick([32, 128, 512])
    return { name: `${host} sends ${kilobits} kbit/s`, begin: () => slowDown({ host, kilobits }) }
  }
  const isDatabase = chance.isTrue(0.7)
  const addrs = isDatabase ? [databaseAddress] : agentAddresses.filter(() => chance.isTrue(0.6))
  const lost = chance.pick([1, 1, 0.5, 0.2])
  const silent = chance.pick(directions)
  return {
    name: `${host} ${silent.join(' and ')} lose ${lost} of ${isDatabase ? 'the database' : addrs.join(' ')}`,
    begin() {
      const ends = silent.map(direction => breakLine({ host, direction, others: addrs, lost }))
      return () => {
        for (const end of ends) end()
      }
    },
  }
}
