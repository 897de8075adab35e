// The network of the lab: a bridge with the address of the server, in the network namespace of this process.
import { execFileSync } from 'node:child_process'

export const address = '10.77.0.1'

/** Of the computer with a record. */
export const master = '10.77.0.51'

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

/** With an interface for each of three computers. The pair of interfaces makes the bridge ready before the first one runs. */
export function openNetwork(): void {
  const taps = [1, 2, 3].flatMap(number => [
    `tuntap add ${tapOf(number)} mode tap`,
    `link set ${tapOf(number)} master br0`,
    `link set ${tapOf(number)} up`,
  ])
  for (const command of [...commands.split('\n'), ...taps]) execFileSync('ip', command.split(' '))
}
