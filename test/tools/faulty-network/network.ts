// The hosts' network namespaces at a bridge, and what goes wrong on their lines: the database, the agents and the callers
// have addresses of the bridge itself.
import { execFileSync } from 'node:child_process'

/** 10.79.0.x. */
export type Address = string

const addressOf = (last: number): Address => `10.79.0.${last}`

export const databaseAddress = addressOf(1)
export const callerAddress = addressOf(2)
export const hostNames = ['a', 'b', 'c']
export const hostAddresses = hostNames.map((_, index) => addressOf(11 + index))
export const agentAddresses = [101, 102, 103, 104, 105, 106].map(addressOf)

/** In one direction, between a host and the other addresses; `lost`: from 0 to 1, which is silence. */
export interface LineFault {
  host: string
  direction: 'egress' | 'ingress'
  others: readonly Address[]
  lost: number
}

/** What a host sends is as slow as on a line of so many kilobits a second. */
export interface SlowHost {
  host: string
  kilobits: number
}

const run = (program: string, words: string, ...last: string[]) =>
  void execFileSync(program, [...words.split(' '), ...last])

/** In the namespaces of this process, with which all of it ends. */
export function openNetwork(): void {
  execFileSync('mkdir', ['-p', '/run/netns'])
  run('mount', '-t tmpfs tmpfs /run/netns')
  run('ip', 'link set lo up')
  run('ip', 'link add bridge type bridge')
  run('ip', 'link set bridge up')
  for (const address of [databaseAddress, callerAddress, ...agentAddresses])
    run('ip', `address add ${address}/24 dev bridge`)
  for (const [index, name] of hostNames.entries()) {
    run('ip', `netns add ${name}`)
    run('ip', `link add port-${name} type veth peer name eth0 netns ${name}`)
    run('ip', `link set port-${name} master bridge up`)
    for (const device of ['lo', 'eth0']) run('ip', `-n ${name} link set ${device} up`)
    run('ip', `-n ${name} address add ${hostAddresses[index]}/24 dev eth0`)
    run('tc', `-n ${name} qdisc add dev eth0 clsact`)
  }
}

let lastPreference = 0

/** Returns what ends it. */
export function breakLine({ host, direction, others, lost }: LineFault): () => void {
  lastPreference += 1
  const filter = `dev eth0 ${direction} pref ${lastPreference}`
  run('tc', `-n ${host} filter add ${filter} protocol ip bpf da bytecode`, dropping(direction, others, lost))
  return () => run('tc', `-n ${host} filter delete ${filter}`)
}

export function slowDown({ host, kilobits }: SlowHost): () => void {
  run('tc', `-n ${host} qdisc add dev eth0 root tbf rate ${kilobits}kbit burst 4000 limit 300000`)
  return () => run('tc', `-n ${host} qdisc delete dev eth0 root`)
}

/** Of classic BPF: loads a word at a place, compares it, and ends with a number. */
const [load, isEqual, isAtLeast, end] = [0x20, 0x15, 0x35, 0x06]
/** Where the packet of IP begins, and where a random number is. */
const [packet, random] = [2 ** 32 - 0x100000, 2 ** 32 - 0x1000 + 56]
const [source, destination] = [packet + 12, packet + 16]
const [dropped, passed] = [2, 2 ** 32 - 1]

/** The filter's program: netem is not in every kernel, this is. */
function dropping(direction: LineFault['direction'], others: readonly Address[], lost: number): string {
  const share = Math.min(2 ** 32 - 1, Math.floor(lost * 2 ** 32))
  const compared = others.map((other, index) => [isEqual, others.length - index, 0, numberOf(other)])
  const program = [
    [load, 0, 0, direction === 'egress' ? destination : source],
    ...compared,
    [end, 0, 0, passed],
    [load, 0, 0, random],
    [isAtLeast, 0, 1, share],
    [end, 0, 0, passed],
    [end, 0, 0, dropped],
  ]
  return [program.length, ...program.map(words => words.join(' '))].join(',')
}

const numberOf = (address: Address): number => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
