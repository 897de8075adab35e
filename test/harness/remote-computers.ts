// Computers of daemons that are processes: they connect again when their connection ends, and keep what they are sent.
import { type Agent, connectAgent, type Request } from '../../host/test-kit/simulated-agent.ts'
import { pollUntil } from './poll.ts'
import { base, imageReply, live, writeImage } from './remote-labs.ts'
import { type CallResponse, call, token } from './rest-call.ts'

/** Milliseconds between two attempts to connect. */
const retryTime = 50

export interface RemoteComputer {
  addr: string
  /** Paths of requests, over all connections. */
  received: string[]
  isOn: boolean
  end(): Promise<void>
}

/** `images`: where it writes what it creates. `portOf`: of the host to connect to; undefined: it waits. */
export function startComputer(addr: string, images: string, portOf: () => number | undefined): RemoteComputer {
  let isEnded = false
  let agent: Agent | undefined
  const reply = ({ path, body }: Request) => {
    if (path !== '/refresh') computer.received.push(path)
    if (path === '/poweroff') {
      computer.isOn = false
      setImmediate(() => void agent?.close().catch(() => {}))
    }
    if (path === '/refresh') return { status: 200, body: live }
    if (path === '/image/restore') return { status: 200, body: { disk: '1', partition: '1', image_id: '1' } }
    if (path !== '/image/create') return { status: 200 }
    writeImage(images, 'debian')
    return { status: 200, body: { ...Object(body), ...imageReply } }
  }
  const computer: RemoteComputer = {
    addr,
    received: [],
    isOn: false,
    async end() {
      isEnded = true
      agent?.destroy()
      await running
    },
  }
  async function run(): Promise<void> {
    while (!isEnded) {
      const port = computer.isOn ? portOf() : undefined
      agent =
        port === undefined ? undefined : await connectAgent({ port, addr, auto: { '*': reply } }).catch(() => undefined)
      await agent?.closed
      agent = undefined
      await new Promise(resolve => setTimeout(resolve, retryTime))
    }
  }
  const running = run()
  return computer
}

/** Enables the pack, adds the computers to room 1, switches them on, and gives them the image. Resolves to brokers' requests. */
export async function prepareRemoteLab(port: () => Promise<number>, computers: readonly RemoteComputer[]) {
  const send = async (route: string, payload?: object): Promise<CallResponse> =>
    call(await port(), route, payload, { Authorization: token })
  const expectDone = async (route: string, payload: object) => {
    const { status, headers, json } = await send(route, payload)
    if (status !== 200) throw new Error(`${route}: ${status} ${headers['x-reason']}`)
    return json
  }
  await expectDone('POST /pack/enable', { pack: 'remote-labs' })
  await expectDone('POST /center/add', { name: 'Center' })
  await expectDone('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1, remote: true })
  for (const [index, { addr }] of computers.entries())
    await expectDone('POST /client/add', { name: `pc-${index}`, ip: addr, mac: `02000000000${index}`, room: 1 })
  for (const computer of computers) computer.isOn = true
  const isConnected = async () => (await send('GET /clients')).json.clients.length === computers.length
  await pollUntil(isConnected)
  const addrs = computers.map(({ addr }) => addr)
  const place = { disk: '1', partition: '1', name: 'debian', repository: '10.9.9.9' }
  const hasImage = async (count: number) => (await send('GET /images')).json.images[0]?.computers === count
  // Queued: a client that is busy with its first refresh is not skipped.
  await expectDone('POST /image/create?queue=1', {
    ...place,
    clients: addrs.slice(0, 1),
    id: '0',
    code: '131',
    description: 'x',
  })
  const others = { ...place, clients: addrs.slice(1), type: 'UNICAST', profile: '0', id: '1' }
  await pollUntil(() => hasImage(1))
  if (others.clients.length > 0) await expectDone('POST /image/restore?queue=1', others)
  await pollUntil(() => hasImage(addrs.length))
  return {
    send,
    async broker(name: string) {
      const { token: key } = await expectDone('POST /token/add', { name, role: 'operate', rooms: [1] })
      return async (route: string, payload?: object, at = port): Promise<CallResponse> => {
        const [method, path] = route.split(' ')
        return call(await at(), `${method} ${base}/${path}`, payload, { Authorization: key })
      }
    },
  }
}
