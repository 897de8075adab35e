// The daemon of this machine, as its options file describes it.
import type { Options } from '../../config/options.ts'
import { readToken, tokenFile } from '../../config/token.ts'
import { type ApiClient, createApiClient } from '../api/client.ts'
import { parseUrl, readCertificates, type Settings } from '../api/settings.ts'
import { CliError, orThrow } from '../cli-error.ts'
import { readOptions } from './subcommand-options.ts'

/** From the options or the data folder; never creates a token. */
export function findToken(options: Options): string {
  const token = orThrow(
    () => readToken(options, {}),
    reason => new CliError(`token: ${reason}`),
  )
  if (token) return token.value
  throw new CliError(`token: there is none in ${tokenFile(options)}; the daemon creates the file at its first start`)
}

/** Without a token. The daemon has no name here, so that its certificate is compared with the file. */
export function localSettings({ rest: { ip, port, tls } }: Options): Settings {
  const host = ip === '0.0.0.0' ? '127.0.0.1' : ip
  if (!tls) return { url: parseUrl(`http://${host}:${port}`), token: '' }
  return { url: parseUrl(`https://${host}:${port}`), token: '', ca: readCertificates(tls.cert), isPinned: true }
}

/** To the daemon that has this options file, with its token. */
export async function connectLocally(config: string): Promise<ApiClient> {
  const options = await readOptions(config)
  return createApiClient({ ...localSettings(options), token: findToken(options) })
}
