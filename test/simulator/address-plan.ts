// Which rooms and computers a lab of a given size has, and where on the loopback network each of them sits.

/** `netmask` is what the daemon is told; every computer has an address of its own below 127.10.0.0. */
export type Seat = { name: string; ip: string; mac: string; number: number }
export type Room = { name: string; netmask: string; seats: Seat[] }

const perNetwork = 250 // addresses used of a /24 network
const firstNetwork = 10 // second byte of the first room's addresses

/** Room r, computer c sits at 127.10.r.c; a room of more than 250 computers takes several such networks. */
export function planRooms(rooms: number, computers: number): Room[] {
  const networks = Math.ceil(computers / rooms / perNetwork)
  return Array.from({ length: rooms }, (_, room) => {
    const from = Math.floor((room * computers) / rooms)
    const length = Math.floor(((room + 1) * computers) / rooms) - from
    const seats = Array.from({ length }, (_, computer) => seat(room, computer, networks, from + computer + 1))
    return { name: `Room ${room + 1}`, netmask: '255.255.255.0', seats }
  })
}

function seat(room: number, computer: number, networks: number, number: number): Seat {
  const network = 1 + room * networks + Math.floor(computer / perNetwork)
  const bytes = [127, firstNetwork + (network >> 8), network & 255, 1 + (computer % perNetwork)]
  const hex = bytes.map(byte => byte.toString(16).padStart(2, '0'))
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    name: `lab-r${two(room + 1)}-c${two(computer + 1)}`,
    ip: bytes.join('.'),
    mac: `0200${hex.join('')}`,
    number,
  }
}
