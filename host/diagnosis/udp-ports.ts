// Which UDP ports programs of this machine have open, and whether one of them serves a file by TFTP.
import { createSocket } from 'node:dgram'
import { readFile } from 'node:fs/promises'

export const tftpPort = 69
export const dhcpPort = 67

/** As the kernel lists them; undefined on systems without that list. */
export async function openUdpPorts(): Promise<ReadonlySet<number> | undefined> {
  const texts = await Promise.all(
    ['/proc/net/udp', '/proc/net/udp6'].map(file => readFile(file, 'utf8').catch(() => undefined)),
  )
  if (texts.every(text => text === undefined)) return undefined
  // `  12: 00000000:0045 …`: the local address and port in hex digits.
  const ports = texts.flatMap(text =>
    Array.from((text ?? '').matchAll(/^ *\d+: [\dA-F]+:([\dA-F]{4}) /gm), ([, hex]) => hex),
  )
  return new Set(ports.map(hex => Number.parseInt(hex ?? '', 16)))
}

/** Milliseconds: a server on this machine answers at once. */
const patience = 1000

const [read, data, failure] = [1, 3, 5]

/** The first 512 bytes of the file, the error of the server, or undefined without an answer. */
export async function askTftp(
  { address, port }: { address: string; port: number },
  path: string,
): Promise<{ content: Buffer } | { error: string } | undefined> {
  const socket = createSocket('udp4')
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, patience, undefined)
      socket.on('error', reject)
      socket.on('message', (message, sender) => {
        clearTimeout(timer)
        resolve(parse(message))
        // Ends the transfer, which another port of the server has begun.
        socket.send(Buffer.concat([words(failure, 0), Buffer.from('done\0')]), sender.port, sender.address)
      })
      socket.send(Buffer.concat([words(read), Buffer.from(`${path}\0octet\0`)]), port, address)
    })
  } finally {
    socket.close()
  }
}

const words = (...numbers: number[]) => Buffer.from(numbers.flatMap(number => [number >> 8, number & 255]))

function parse(message: Buffer): { content: Buffer } | { error: string } {
  const [code, body] = [message.readUInt16BE(0), message.subarray(4)]
  if (code === data) return { content: body }
  return { error: code === failure ? body.toString().replaceAll('\0', '') : `a message of kind ${code}` }
}
