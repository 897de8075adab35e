// The port for images, and the files that come over it, when connections, commands and daemons end at the wrong time.
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { ReceivedImage } from '../../host/images/transfer/received-image.ts'
import { Transfers } from '../../host/images/transfer/transfers.ts'
import { createLog } from '../../host/log/log.ts'
import { pollUntil } from '../harness/poll.ts'

const directory = mkdtempSync(join(tmpdir(), 'transfers-'))
const own = join(directory, '.fleet-host')
mkdirSync(own)
const rests = () => readdirSync(own).sort()
const names = () => readdirSync(directory).filter(file => file !== '.fleet-host')
const addr = '127.0.0.1'

const test = suite('transfers of images')
test.after(() => rmSync(directory, { recursive: true }))
test.after.each(() => {
  for (const file of names()) rmSync(join(directory, file))
})

/** On a port that is taken until `free` is called. */
async function openTransfers(host?: string) {
  const taken = createServer().listen(0, addr)
  await once(taken, 'listening')
  // `as`: it listens on a port.
  const { port } = taken.address() as AddressInfo
  const errors: string[] = []
  const log = createLog(line => errors.push(line))
  const transfers = new Transfers({
    options: {
      agents: { ip: addr },
      images: { transfer: { port, multicast: { wait_seconds: 0 } } },
      repository: { directory },
      // `as`: the options that it reads.
    } as never,
    ...{
      address: '10.9.9.9',
      log,
      host,
      nameOf: async () => 'pc-1',
      queueOf: async () => ({ queued: 0, most: Number.POSITIVE_INFINITY }),
    },
  })
  const begin = () => {
    const ticket = transfers.issue({ name: 'debian', repository: '10.9.9.9' }, true)
    if (!ticket) throw new Error('expected a ticket, got none')
    return { ticket: ticket.extension.transfer.ticket, ...ticket.watch(addr) }
  }
  const free = async () => {
    taken.close()
    await once(taken, 'close')
  }
  return { transfers, port, begin, free, errors }
}

test('a port that is taken fails the part with the reason, and is tried again for the next one', async () => {
  const { transfers, port, begin, free, errors } = await openTransfers()
  const first = begin()
  await pollUntil(() => errors.length > 0)
  const { result, reason = '' } = await first.judge()
  is(result, 'failure')
  match(reason, new RegExp(`^images\\.transfer\\.port ${port}: .*EADDRINUSE`))
  first.end()
  await free()
  const second = begin()
  await pollUntil(async () => (await ask(port, second.ticket, 'GET /about')) === 200)
  equal(await second.judge(), { result: 'success' })
  second.end()
  await transfers.close()
})

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Resolves to the status; 0 when the connection fails. */
function ask(port: number, ticket: string, route: string): Promise<number> {
  const [method, path] = route.split(' ')
  return new Promise(resolve => {
    const outgoing = request({ agent, host: addr, port, method, path, headers: { Authorization: ticket } }, response =>
      response.resume().on('end', () => resolve(response.statusCode ?? 0)),
    )
    outgoing.on('error', () => resolve(0)).end()
  })
}

test('a computer that sends no more is let go when its command ends, also on a connection that was kept', async () => {
  const { transfers, port, begin, free } = await openTransfers()
  await free()
  const copy = begin()
  await pollUntil(async () => (await ask(port, copy.ticket, 'GET /about')) === 200)
  const options = { agent, host: addr, port, method: 'PUT', path: '/image', headers: { Authorization: copy.ticket } }
  const outgoing = request(options)
  outgoing.write('the beginning')
  await pollUntil(() => rests().length === 1)
  ok(outgoing.reusedSocket)
  const closed = once(outgoing, 'error')
  copy.end()
  await closed
  await pollUntil(() => rests().length === 0)
  await transfers.close()
})

test('a computer gets the reason when the disk gets full, also when it sends on meanwhile', async () => {
  const { transfers, port, begin, free, errors } = await openTransfers()
  await free()
  // The name has a number.
  const files = Array.from({ length: 20 }, (_, index) => join(own, `received-${addr}.${index + 1}.img`))
  for (const file of files) symlinkSync('/dev/full', file)
  const { ticket, end } = begin()
  await pollUntil(async () => (await ask(port, ticket, 'GET /about')) === 200)
  const outgoing = request({ host: addr, port, method: 'PUT', path: '/image', headers: { Authorization: ticket } })
  outgoing.write(Buffer.alloc(65_536))
  const [response] = await once(outgoing, 'response')
  is((await response.setEncoding('utf8').toArray()).join(''), `no space left in ${directory}`)
  await new Promise<void>((resolve, reject) => outgoing.on('error', reject).end(Buffer.alloc(9_000_000), resolve))
  equal(
    errors.map(line => line.includes(`image debian, ${addr}: no space left in ${directory}`)),
    [true],
  )
  end()
  for (const file of files) rmSync(file, { force: true })
  await transfers.close()
})

/** Slices of an image, of which `last` comes when it is resolved. */
async function* slices(last?: Promise<unknown>): AsyncGenerator<Buffer> {
  yield Buffer.from('an ')
  await last
  yield Buffer.from('image')
}

test('an image is published with files that others read, whatever the umask is', async () => {
  const umask = process.umask(0o077)
  try {
    const received = new ReceivedImage(directory, addr)
    const { sha256 } = await received.receive(slices())
    await received.publish('debian', { sha256, description: { by: 'pc-1' } })
    equal(names().sort(), ['debian.img', 'debian.img.full.sum', 'debian.img.json'])
    for (const file of names()) is(statSync(join(directory, file)).mode & 0o777, 0o644, file)
    equal(rests(), [])
  } finally {
    process.umask(umask)
  }
})

test('a command that ends while its image is published leaves the older one as it is', async () => {
  for (const file of ['debian.img', 'debian.img.full.sum', 'debian.img.json'])
    writeFileSync(join(directory, file), 'older')
  const received = new ReceivedImage(directory, addr)
  const { sha256 } = await received.receive(slices())
  const published = received.publish('debian', { sha256, description: {} })
  const discarded = received.discard()
  const reason = await published.then(
    () => '',
    error => error.message,
  )
  await discarded
  is(reason, 'the command has ended')
  for (const file of names()) is(readFileSync(join(directory, file), 'utf8'), 'older', file)
  equal(rests(), [])
})

test('an image whose command ends before its file is open leaves nothing', async () => {
  const received = new ReceivedImage(directory, addr)
  const failed = received.receive(slices()).catch(error => error.message)
  await received.discard()
  is(await failed, 'the command has ended')
  equal(rests(), [])
})

test('a computer sends its image once at a time', async () => {
  const received = new ReceivedImage(directory, addr)
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  const first = received.receive(slices(promise))
  const second = await received.receive(slices()).catch(error => error.message)
  is(second, 'expected one request at a time for this image, got another one')
  resolve()
  is((await first).size, 8)
  await received.discard()
})

test('what a crash has left is deleted at the next start, of this host only', async () => {
  const ofOthers = ['received-10.0.0.1.2-b.img', 'received-10.0.0.1.2-b-a.img', 'creations-a.json']
  const ofA = ['received-10.0.0.1.1-a.img', 'received-10.0.0.1.1-a.img.sum', 'received-10.0.0.2.3-a.img.json']
  const alone = ['received-10.0.0.1.1.img', 'received-10.0.0.1.1.img.json']
  for (const file of [...ofOthers, ...ofA, ...alone]) writeFileSync(join(own, file), '')
  await (await openTransfers('a')).free()
  equal(rests(), [...ofOthers, ...alone].sort())
  await (await openTransfers()).free()
  equal(rests(), ofOthers.sort())
  for (const file of ofOthers) rmSync(join(own, file))
})

test('a folder that cannot be read is reported, and the daemon starts', async () => {
  rmSync(own, { recursive: true })
  writeFileSync(own, '')
  const { free, errors } = await openTransfers()
  await free()
  match(errors.join('\n'), /rests of images that were received not deleted: ENOTDIR/)
})

test.run()
