// The copies of images to and from computers in live systems of this server: each may copy its image while its command runs.
import { randomBytes } from 'node:crypto'
import type { Options } from '../../config/options.ts'
import { type Log, message } from '../../log/log.ts'
import { isImageName, localName } from '../image-folder.ts'
import type { WatchedStep } from '../imaging-watch.ts'
import { isMulticast, Multicast, type QueueOf } from './multicast.ts'
import { deleteReceived, ReceivedImage } from './received-image.ts'
import { type Copy, createTransferServer, type TransferServer } from './transfer-server.ts'

/** What an agent is sent with a command that copies an image. */
interface IssuedTicket {
  extension: { transfer: { port: number; ticket: string; multicast?: true } }
  /** Called for each computer that is sent it; `end` is to be called when its command has ended. */
  watch(addr: string): { judge(): Promise<{ result: 'success' | 'failure'; reason?: string }>; end(): void }
}

interface TransfersDeps {
  options: Pick<Options, 'agents' | 'images' | 'repository'>
  /** Of this server, as payloads name it. */
  address: string
  log: Log
  queueOf: QueueOf
  /** The name in the record of a computer; undefined without one. */
  nameOf(addr: string): Promise<string | undefined>
  /** The name of this host, when others may have the same folder. */
  host?: string | undefined
}

export class Transfers {
  readonly #deps: TransfersDeps
  /** By the address of the computer, which runs one command at a time. */
  readonly #copies = new Map<string, Copy>()
  /** It listens from the first copy on: labs with live systems of the family need no such port. */
  #server: TransferServer | undefined
  readonly #multicast: Multicast

  /** Deletes what a crash has left. */
  constructor(deps: TransfersDeps) {
    this.#deps = deps
    const { options, log, host, queueOf } = deps
    this.#multicast = new Multicast({
      ...{ log, queueOf, options: options.images.transfer.multicast, directory: options.repository.directory },
      copies: () => this.#copies.values(),
    })
    try {
      deleteReceived(options.repository.directory, host)
    } catch (error) {
      log.warn('images', `rests of images that were received not deleted: ${message(error)}`)
    }
  }

  /** `isWrite`: the computer makes the image. Undefined for an image in the repository of another server. */
  issue(payload: unknown, isWrite: boolean, step?: WatchedStep): IssuedTicket | undefined {
    const { options, address } = this.#deps
    const name = localName(payload, address)
    if (name === undefined || !isImageName(name)) return undefined
    const ticket = randomBytes(24).toString('base64url')
    const { port, multicast } = options.images.transfer
    const isShared = multicast.wait_seconds > 0 && !isWrite && isMulticast(payload)
    return {
      extension: { transfer: { port, ticket, ...(isShared && { multicast: true as const }) } },
      watch: addr => this.#begin({ ticket, addr, name, step: isShared ? step : undefined }, isWrite),
    }
  }

  /** To be called when parts of jobs have changed. */
  onParts(): void {
    this.#multicast.look()
  }

  close(): Promise<void> | undefined {
    this.#multicast.close()
    return this.#server?.close()
  }

  #listen(): TransferServer {
    const { options, log, nameOf } = this.#deps
    return createTransferServer({
      ...{ options, log, nameOf, directory: options.repository.directory, multicast: this.#multicast },
      find: addr => this.#copies.get(addr),
      onFailure: reason => {
        for (const copy of this.#copies.values()) copy.obstacle = reason
        // The next copy tries again.
        this.#server = undefined
      },
    })
  }

  #begin(issued: Pick<Copy, 'ticket' | 'addr' | 'name' | 'step'>, isWrite: boolean) {
    const { options, log, host } = this.#deps
    const { addr, name } = issued
    if (!this.#server) {
      this.#server = this.#listen()
      // Those that found the port taken before may go on; it says so again when it still is.
      for (const each of this.#copies.values()) each.obstacle = undefined
    }
    const received = isWrite ? new ReceivedImage(options.repository.directory, addr, host) : undefined
    const end = new AbortController()
    const copy: Copy = { ...issued, received, signal: end.signal, obstacle: undefined }
    this.#copies.set(addr, copy)
    return {
      judge: async () =>
        copy.obstacle === undefined
          ? ({ result: 'success' } as const)
          : ({ result: 'failure', reason: copy.obstacle } as const),
      end: () => {
        if (this.#copies.get(addr) === copy) this.#copies.delete(addr)
        end.abort()
        this.#multicast.leave(copy)
        received?.discard().catch(error => log.error('images', `image ${name}: rest not deleted`, error))
      },
    }
  }
}
