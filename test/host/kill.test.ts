// A write with response 200 survives SIGKILL.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from '../harness/daemon-process.ts'

export const runs = { seconds: 10 }

const folder = newFolder()
const env = { FLEET_API_TOKEN: 'the-token' }
const start = () => startProgram(folder, { env })
const call = (program: Program, route: string, payload?: unknown) => program.call('the-token', route, payload)

const test = suite('SIGKILL')
test.after(async () => {
  await endPrograms()
  removeFolder(folder)
})

const writers = 8

/** Adds computers until the daemon has ended; calls `acknowledge` with each address whose response was 200. */
async function write(program: Program, writer: number, acknowledge: (ip: string) => void): Promise<void> {
  for (let index = 0; ; index += 1) {
    const ip = `10.${writer}.${index >> 8}.${index & 255}`
    const mac = `02000a${[writer, index >> 8, index & 255].map(part => part.toString(16).padStart(2, '0')).join('')}`
    const response = await call(program, 'POST /client/add', { name: `pc-${ip}`, ip, mac, room: 1 }).catch(
      () => undefined,
    )
    if (!response) return
    is(response.status, 200)
    acknowledge(ip)
  }
}

const storedAddresses = async (program: Program): Promise<string[]> => {
  const { json } = await call(program, 'GET /scopes')
  return json.scope[0].scope[0].scope.map(({ ip }: { ip: string }) => ip)
}

test('SIGKILL during 8 concurrent writers loses no write with response 200', async () => {
  let program = start()
  await call(program, 'POST /center/add', { name: 'Center' })
  await call(program, 'POST /room/add', { name: 'Room', netmask: '255.0.0.0', center: 1 })
  const acknowledged: string[] = []
  const enough = 400
  const acknowledge = (ip: string) => {
    acknowledged.push(ip)
    if (acknowledged.length === enough) program.kill('SIGKILL')
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(program, writer, acknowledge)))
  equal(await program.ended, { code: null, signal: 'SIGKILL' })
  ok(acknowledged.length >= enough)

  program = start()
  const stored = new Set(await storedAddresses(program))
  equal(
    acknowledged.filter(ip => !stored.has(ip)),
    [],
  )
  // Each writer may have one stored write whose response was lost.
  ok(stored.size <= acknowledged.length + writers)
  const [first = ''] = acknowledged
  const again = { name: 'again', ip: first, mac: '020000000001', room: 1 }
  is((await call(program, 'POST /client/add', again)).status, 400)
  is((await call(program, 'POST /client/add', { ...again, ip: '10.99.0.1' })).status, 200)
  program.kill('SIGKILL')
  await program.ended

  program = start()
  is((await storedAddresses(program)).at(-1), '10.99.0.1')
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
})

test.run()
