// Whether a part that has waited may be sent: with the rights that who asked for it has now.

import { refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import type { CommandServices } from '../command-services.ts'
import type { JobsDeps } from '../deps.ts'
import { askCommand, checkRun } from '../steps/check-run.ts'
import type { QueuedPart } from './queued-parts.ts'

/** Of parts that are ended because an account has changed. */
export const lostRights = 'no longer allowed: the rights of who asked for it have changed'

export class PartRights {
  readonly #deps: JobsDeps

  constructor(deps: JobsDeps) {
    this.#deps = deps
  }

  /** To be awaited before a part is judged: its computer may have left the rooms of a limited account. */
  refresh({ account }: Pick<QueuedPart, 'account'>): Promise<unknown> | undefined {
    const { access, resolveRights } = this.#deps
    return account !== undefined && access.rightsOf(account)?.isLimited ? resolveRights(account) : undefined
  }

  /** What its command has against it for a limited caller: since it was asked for, an image may have become another's. */
  async ask(
    addr: string,
    { account, command, payload }: Pick<QueuedPart, 'account' | 'command' | 'payload'>,
    services: CommandServices,
  ): Promise<string | undefined> {
    const { access, findCommand } = this.#deps
    const loaded = findCommand(command)
    const rights = account === undefined ? undefined : access.rightsOf(account)
    const refusal = rights && loaded && (await askCommand(rights, loaded, { ...payload, clients: [addr] }, services))
    return refusal && notAllowed(refusal)
  }

  /** Why a part may not be sent. Nobody knows whose the jobs of earlier versions are: theirs may. */
  refusalOf(addr: string, part: Pick<QueuedPart, 'account' | 'command' | 'payload'>): string | undefined {
    const { access, findCommand } = this.#deps
    const { account, command } = part
    if (account === undefined) return undefined
    const rights = access.rightsOf(account)
    // Only rights for some rooms depend on the payload, and there may be many parts.
    const params = rights?.isLimited ? part.payload : {}
    const run = { commands: [{ command, params }], clients: [addr] }
    const refusal = rights ? checkRun(rights, run, findCommand) : refuse('who asked for it has no access any more')
    return refusal && notAllowed(refusal)
  }
}

const notAllowed = ({ refused }: Refusal) => `no longer allowed: ${refused}`
