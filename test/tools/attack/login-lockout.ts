// Wrong passwords from one address, and from twenty at once, while the administrator logs in with the right one.
import { setTimeout as wait } from 'node:timers/promises'
import { token as apiToken } from '../../harness/rest-call.ts'
import type { Attack, Target } from './attack.ts'
import { textUntil } from './peers.ts'

const [name, password] = ['admin', 'the right password of hers']
const responseTime = 25_000 // ms
/** Each more than the wait that the guesses before have caused. */
const waits = [0, 0, 0, 0, 2100]
const inventedNames = 11
const addresses = 20
/** Right logins during each attack, and milliseconds between them. */
const [logins, pause] = [3, 100]

const attackerAt = (index: number) => `127.68.0.${index + 1}`
const ownAddress = '127.68.1.1'

/** Logs in from an address; resolves to the status, 0 without a response in time. */
async function logIn(target: Target, addr: string, credentials: object): Promise<number> {
  const body = JSON.stringify(credentials)
  const socket = await target.caller(addr)
  const head = `POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${body.length}`
  const received = textUntil(socket, '\r\n\r\n', responseTime)
  socket.write(`${head}\r\n\r\n${body}`)
  const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(await received) ?? []
  socket.destroy()
  return Number(status)
}

/** Resolves to the statuses of right logins from an address. */
async function logInRight(target: Target, addr: string): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < logins; count += 1) {
    statuses.push(await logIn(target, addr, { name, password }))
    await wait(pause)
  }
  return statuses
}

const guess = (target: Target, addr: string, user: string) => logIn(target, addr, { name: user, password: 'wrong' })

export default {
  name: 'login-lockout',
  summary: 'wrong passwords from one address and from 20 at once while the administrator logs in with the right one',
  seconds: 60,
  async run(target) {
    await target.call('POST /user/add', { name, password, role: 'admin' })
    const rights: [string, number[]][] = []
    // By name: from one address, each when the wait for the one before has ended.
    for (const milliseconds of waits) {
      await wait(milliseconds)
      await guess(target, attackerAt(0), name)
    }
    rights.push(['another address, while its name is guessed', await logInRight(target, ownAddress)])
    // By address: invented names, from the address that the administrator has, too.
    const shared = attackerAt(addresses)
    for (let index = 0; index < inventedNames; index += 1) await guess(target, shared, `invented ${index}`)
    rights.push(['the same address, after invented names', await logInRight(target, shared)])
    rights.push(['the same address, with the API token', [await logIn(target, shared, { token: apiToken })]])
    // By capacity: twenty addresses at once, without a pause.
    let [isOver, guesses] = [false, 0]
    const attackers = Array.from({ length: addresses }, async (_, index) => {
      for (; !isOver && !target.isOver(); guesses += 1) await guess(target, attackerAt(index), name)
    })
    rights.push(['another address, while 20 guess at once', await logInRight(target, ownAddress)])
    isOver = true
    await Promise.all(attackers)
    const refusals = rights.map(([where, statuses]) => [where, statuses.filter(status => status !== 200)] as const)
    return {
      figures: `${guesses} guesses of 20 addresses; right logins refused: ${refusals.flatMap(([, each]) => each).length}`,
      problems: refusals.flatMap(([where, each]) =>
        each.length > 0 ? [`${each.length} right logins from ${where}: ${[...new Set(each)].join(', ')}`] : [],
      ),
    }
  },
} satisfies Attack
