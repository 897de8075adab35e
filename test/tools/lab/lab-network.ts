// The network of the lab: a bridge with the address of the server, in the network namespace of this process.
import { execFileSync } from 'node:child_process'

export const address = '10.77.0.1'

/** Those of the lab; the first one has the system that the others get. */
export const numbers = [1, 2, 3]

/** What the DHCP server gives a virtual computer, by its number. */
export const clientOf = (number: number): string => `10.77.0.5${number}`

/** The hardware address of a virtual computer, by its number. */
export const macOf = (number: number): string => `52:54:00:12:34:0${number}`

/** The network interface of a virtual computer, by its number. */
export const tapOf = (number: number): string => `tap${number}`

const commands = `link set lo up
link add br0 type bridge
link add v0 type veth peer name v1
link set v0 master br0
link set v0 up
link set v1 up
address add ${address}/24 dev br0
link set br0 up`

const ip = (command: string) => execFileSync('ip', command.split(' '))

/** With an interface for each computer. The pair of interfaces makes the bridge ready before the first one runs. */
export function openNetwork(): void {
  const taps = numbers.flatMap(number => [
    `tuntap add ${tapOf(number)} mode tap`,
    `link set ${tapOf(number)} master br0`,
    `link set ${tapOf(number)} up`,
  ])
  for (const command of [...commands.split('\n'), ...taps]) ip(command)
}

/** Takes the cable of a computer out, or plugs it in. */
export const setCable = (number: number, to: 'up' | 'down'): void => void ip(`link set ${tapOf(number)} ${to}`)
