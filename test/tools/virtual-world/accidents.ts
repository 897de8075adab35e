// What goes wrong in a simulated run: of computers, hosts, connections and the database, until it is mended.
import type { Computer } from './computers.ts'
import type { Accident } from './scenario.ts'
import type { VirtualSocket } from './virtual-socket.ts'
import type { World } from './world.ts'

export class Accidents {
  readonly #world: World
  readonly #computers: readonly Computer[]

  constructor(world: World, computers: readonly Computer[]) {
    this.#world = world
    this.#computers = computers
  }

  begin(step: Accident): void {
    if ('computer' in step) this.#harmComputer(step)
    else if (step.type === 'lose-host') this.#world.hosts[step.host]?.lose()
    else if ('host' in step) this.#harmHost(step)
    else this.#harmDatabase(step)
  }

  /** Everything works from now on. */
  mend(): void {
    const { database, hosts, network, note } = this.#world
    note('everything is mended')
    Object.assign(database.faults, { away: new Set(), failing: 0, losing: 0 })
    for (const { way } of network.sockets) way.heal()
    for (const host of hosts) if (!host.life && !host.isLost) void host.start()
  }

  #harmComputer(step: Extract<Accident, { computer: number }>): void {
    const computer = this.#computers[step.computer]
    if (!('lasts' in step)) computer?.[step.type]()
    else if (step.type === 'lose-power') computer?.losePower(step.lasts)
    else if (computer?.socket) {
      computer.wasSilent = true
      this.#mute(computer.socket, step.lasts)
    }
  }

  /** Nothing arrives in one direction, or in both, for that time. */
  #mute({ way, peer }: VirtualSocket, milliseconds: number): void {
    const { chance, time } = this.#world
    const ways = [way, ...(peer ? [peer.way] : [])]
    const silent = chance.isTrue(0.5) ? ways : [chance.pick(ways)]
    for (const each of silent) each.isSilent = true
    time.after(milliseconds, () => {
      for (const each of silent) each.heal()
    })
  }

  #harmHost({ type, host: index, lasts }: Extract<Accident, { host: number; lasts: number }>): void {
    const { hosts, time, database } = this.#world
    const host = hosts[index]
    if (!host?.life) return
    const { life, name } = host
    if (type === 'pause') {
      life.pausedUntil = Math.max(life.pausedUntil, time.now + lasts)
      host.pausedUntil = life.pausedUntil
    } else if (type === 'no-database') {
      database.faults.away.add(name)
      time.after(lasts, () => database.faults.away.delete(name))
    } else {
      if (type === 'kill') host.kill()
      else void host.stop()
      time.after(lasts, () => {
        // One that stops slowly is killed, as systemd does.
        if (host.life === life) host.kill()
        if (!host.life && !host.isLost) void host.start()
      })
    }
  }

  #harmDatabase({ type, lasts }: { type: 'failing-database' | 'lost-replies'; lasts: number }): void {
    const { faults } = this.#world.database
    const name = type === 'failing-database' ? 'failing' : 'losing'
    faults[name] = 0.3
    this.#world.time.after(lasts, () => {
      faults[name] = 0
    })
  }
}
