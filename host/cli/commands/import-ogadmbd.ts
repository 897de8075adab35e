// `fleet store import-ogadmbd`: fills an empty store with an existing site's database.
import { readFileSync } from 'node:fs'
import { createLog, message } from '../../log/log.ts'
import { missingPackages } from '../../system/version.ts'
import { CliError, orThrow, usageError } from '../cli-error.ts'
import type { SourceAddress } from '../import-ogadmbd/source-database.ts'
import { type FlagsOf, subcommand } from './subcommand.ts'
import { configOption, readOptions } from './subcommand-options.ts'

const options = {
  '--password-file <file>': 'the password of the user; default: that of the URL, else none',
  '--socket <path>': 'a unix socket, in place of host and port of the URL',
  '--dry-run': 'only print what would be imported and what would be left out',
  '--json': 'print JSON',
  ...configOption,
} as const

type Flags = FlagsOf<typeof options>

export const importOgadmbd = subcommand({
  command: 'import-ogadmbd <url>',
  argument: 'mysql://user@host[:port]/ogAdmBD',
  description: 'fill an empty store with the database of an existing server of the family; only reads that one',
  options,
  async run(context, flags, url) {
    const address = parseAddress(url, flags)
    try {
      // Loaded here because they load Ajv, esbuild and mysql2, which no other subcommand should wait for.
      const [{ importSite }, { formatReport }, { store, limits }] = await Promise.all([
        import('../import-ogadmbd/import-site.ts'),
        import('../import-ogadmbd/site-report.ts'),
        readOptions(flags.config),
      ])
      const log = createLog(text => context.printError(text.trimEnd()))
      const dryRun = flags.dryRun === true
      const report = await importSite(address, { store, limits, log, dryRun })
      if (flags.json) return context.printJson({ written: !dryRun, tables: report.counts, problems: report.problems })
      for (const line of formatReport(report, context.width())) context.print(line)
      context.print(dryRun ? 'dry run: nothing was written' : `all that was kept is in ${store.adapter} ${store.path}`)
    } catch (error) {
      throw error instanceof CliError ? error : new CliError(missingPackages(error) ?? message(error))
    }
  },
})

const defaultPort = 3306

function parseAddress(text: string, { passwordFile, socket }: Flags): SourceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const database = decode(url?.pathname.slice(1) ?? '')
  const user = decode(url?.username ?? '')
  const isMysql = url?.protocol === 'mysql:' || url?.protocol === 'mariadb:'
  // The text is not repeated: it may have a password.
  if (!url || !isMysql || !user || !database || database.includes('/') || !url.hostname) {
    throw usageError('expected mysql://user@host/ogAdmBD, got another address')
  }
  const password = passwordFile === undefined ? decode(url.password) : readPassword(passwordFile)
  return { host: url.hostname, port: Number(url.port) || defaultPort, user, password, database, socket }
}

function decode(text: string): string {
  const expected = 'expected mysql://user@host/ogAdmBD with escapes such as %40, got a % without digits'
  return orThrow(
    () => decodeURIComponent(text),
    () => usageError(expected),
  )
}

/** Without the line end that editors add. */
const readPassword = (file: string): string =>
  orThrow(
    () => readFileSync(file, 'utf8').replace(/\r?\n$/, ''),
    reason => usageError(`--password-file: ${reason}`),
  )
