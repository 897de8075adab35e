// Writes an image to a partition: the daemon sends it, and partclone writes it while it comes.
import { createHash, type Hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { messageOf } from '../../../agent-program/agent-log.ts'
import type { ActionContext } from '../../../agent-program/agent-system.ts'
import { runProgram, tryProgram } from '../machine.ts'
import { type Keep, throughCache } from './cache.ts'
import { growFilesystem } from './check-filesystem.ts'
import { CopyReport } from './copy-report.ts'
import { type CopyRequest, findPartition, readCopyRequest, textOf } from './copy-request.ts'
import { personalise } from './personalise.ts'
import { type Program, partcloneArguments, startPair } from './program-pair.ts'
import { receiveMulticast } from './receive-multicast.ts'
import { type ImageDescription, join, TransferClient } from './transfer-client.ts'

/**
 * Rejects with the reason; when the image has begun to come, the partition then has no file system, so that nothing takes
 * half an image for one.
 */
export async function restoreImage(body: unknown, context: ActionContext): Promise<CopyRequest> {
  const { signal } = context
  const request = readCopyRequest(body)
  const { device } = await findPartition(request, signal)
  const client = new TransferClient(context, request.transfer)
  const description = await client.describe()
  const copy = (slices: AsyncGenerator<Buffer>) => copyImage(device, description, slices, context)
  const load = async (keep: Keep = slices => slices) => {
    const copyKept = (slices: AsyncGenerator<Buffer>) => copy(keep(slices))
    if (!(await copyByMulticast(client, copyKept, context))) await copyKept(client.download())
  }
  const isCached = /TORRENT|CACHE/i.test(textOf(body, 'type'))
  await (isCached ? throughCache({ name: request.name, description, copy, load }, context) : load())
  try {
    const { filesystem } = await findPartition(request, signal)
    if (filesystem === '') throw new Error(`${device}: expected a file system, got none`)
    await growFilesystem(device, filesystem, signal)
    await personalise(device, filesystem, description.computer, signal)
  } catch (error) {
    throw new Error(`the image was restored, but what follows has failed: ${messageOf(error)}`)
  }
  return request
}

/** Resolves to whether the image is there. Why it is not is in the output of the command. */
async function copyByMulticast(
  client: TransferClient,
  copy: (slices: AsyncGenerator<Buffer>) => Promise<void>,
  { signal, onOutput }: ActionContext,
): Promise<boolean> {
  try {
    const transmission = await client.join()
    if (transmission) await copy(receiveMulticast(transmission, signal))
    return transmission !== undefined
  } catch (error) {
    signal.throwIfAborted()
    onOutput(`multicast failed, the image is sent to this computer alone: ${messageOf(error)}\n`)
    return false
  }
}

async function copyImage(
  device: string,
  description: ImageDescription,
  slices: AsyncGenerator<Buffer>,
  context: ActionContext,
): Promise<void> {
  const { value: first } = await slices.next()
  if (!first) throw new Error('the image: expected a file with content, got an empty one')
  try {
    await runProgram('wipefs', ['--all', device], context.signal)
    await receiveImage(device, description, [first, slices], context)
  } catch (error) {
    // What sends it ends first.
    await slices.return(undefined)
    await tryProgram('wipefs', ['--all', device])
    throw error
  }
}

async function receiveImage(
  device: string,
  description: ImageDescription,
  [first, slices]: [Buffer, AsyncGenerator<Buffer>],
  { signal, onProgress }: ActionContext,
): Promise<void> {
  const { size = 0 } = description
  const report = new CopyReport(onProgress, size)
  const pair = startPair(
    decompressorOf(first),
    ['partclone.restore', '--source', '-', '--output', device, ...partcloneArguments],
    { signal },
  )
  pair.output.resume()
  const digest = digestOf(description)
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const slice of join(first, slices)) {
      digest?.hash.update(slice)
      report.add(slice.length)
      yield slice
    }
  }
  const [sent, ended] = await Promise.allSettled([pipeline(counted(), pair.input, { signal }), pair.ended])
  signal.throwIfAborted()
  if (sent.status === 'rejected' && !isBrokenPipe(sent.reason)) throw sent.reason
  if (sent.status === 'fulfilled') compareDigest(digest)
  if (ended.status === 'rejected') throw ended.reason
  if (report.bytes !== size) throw new Error(`the image: expected ${size} bytes, got ${report.bytes}`)
}

/** A program that fails does not read on: its own reason counts. */
const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(EPIPE|ECANCELED|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/.test(String(error.code))

/** By the first bytes; images of the family are compressed with lzop or gzip. */
function decompressorOf(first: Buffer): Program {
  const magic = first.toString('hex', 0, 4)
  if (magic === '28b52ffd') return ['zstd', '--decompress', '--quiet', '--stdout']
  if (magic === '894c5a4f') return ['lzop', '--decompress', '--stdout']
  return magic.startsWith('1f8b') ? ['gzip', '--decompress', '--stdout'] : ['cat']
}

interface Digest {
  name: string
  hash: Hash
  expected: string
}

/** Undefined for an image of which the daemon has none: partclone has checksums of its own in it. */
function digestOf({ sha256, md5 }: ImageDescription): Digest | undefined {
  if (sha256 !== undefined) return { name: 'SHA-256', hash: createHash('sha256'), expected: sha256 }
  return md5 === undefined ? undefined : { name: 'MD5', hash: createHash('md5'), expected: md5 }
}

function compareDigest(digest: Digest | undefined): void {
  if (!digest) return
  const got = digest.hash.digest('hex')
  if (got !== digest.expected)
    throw new Error(`the image is damaged: expected ${digest.name} ${digest.expected}, got ${got}`)
}
