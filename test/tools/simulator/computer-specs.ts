// Computes the rooms and computers of a simulated lab of a given size, with names and loopback addresses.

/** What runs on a computer. */
export type System = 'oglive' | 'linux' | 'windows'

/** `number` counts the computers of the whole lab from 1. */
export type ComputerSpec = { name: string; ip: string; mac: string; number: number } & ComputerHabits

/** All computers of the first room run the live system. The other rooms are in use. */
export interface ComputerHabits {
  /** What it runs when the lab starts; without it, it stays off. */
  starts?: System | undefined
  /** Its scripts and inventories fail. */
  isBroken?: boolean
}
export type RoomSpec = { name: string; netmask: string; computerSpecs: ComputerSpec[] }

const perNetwork = 250 // computers in one /24 network
const firstNetwork = 10 // second byte of the first room's addresses

/** Computer c of room r has the address 127.10.r.c. A room of more than 250 computers uses several such networks. */
export function createRoomSpecs(rooms: number, computers: number): RoomSpec[] {
  const networks = Math.ceil(computers / rooms / perNetwork)
  return Array.from({ length: rooms }, (_, room) => {
    const from = Math.floor((room * computers) / rooms)
    const length = Math.floor(((room + 1) * computers) / rooms) - from
    const computerSpecs = Array.from({ length }, (_, computer) =>
      createComputerSpec(room, computer, networks, from + computer + 1),
    )
    return { name: `Room ${room + 1}`, netmask: '255.255.255.0', computerSpecs }
  })
}

function createComputerSpec(room: number, computer: number, networks: number, number: number): ComputerSpec {
  const network = 1 + room * networks + Math.floor(computer / perNetwork)
  const bytes = [127, firstNetwork + (network >> 8), network & 255, 1 + (computer % perNetwork)]
  const hex = bytes.map(byte => byte.toString(16).padStart(2, '0'))
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    name: `lab-r${two(room + 1)}-c${two(computer + 1)}`,
    ip: bytes.join('.'),
    mac: `0200${hex.join('')}`,
    number,
    ...habitsOf(room, computer),
  }
}

const started: ComputerHabits['starts'][] = ['oglive', 'linux', 'windows', 'linux', 'oglive', 'windows']
const brokenOne = 4 // of ten

function habitsOf(room: number, computer: number): ComputerHabits {
  if (room === 0) return { starts: 'oglive', isBroken: false }
  return { starts: started[computer % started.length], isBroken: computer % 10 === brokenOne }
}
