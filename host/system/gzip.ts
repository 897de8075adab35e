// Compresses responses for callers that accept it: what goes over a slow line, or to many consoles.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Bytes: shorter texts fit into one or two packets anyway. */
export const leastCompressed = 2048

/** `acceptEncoding`: the header of a request, '' without one. */
export const acceptsGzip = (acceptEncoding: string): boolean =>
  acceptEncoding.split(',').some(each => {
    const [coding = '', ...parameters] = each.split(';').map(part => part.trim().toLowerCase())
    return coding === 'gzip' && !parameters.some(parameter => /^q=0(\.0{0,3})?$/.test(parameter))
  })

const compressed = new WeakMap<Uint8Array, Promise<Buffer>>()

/** Compresses once what several callers are sent. */
export function compressOnce(bytes: Uint8Array): Promise<Buffer> {
  const known = compressed.get(bytes) ?? compress(bytes)
  compressed.set(bytes, known)
  return known
}
