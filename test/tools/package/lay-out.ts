// Lays out what the package installs, in a folder that stands for the root of a computer.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runFleet } from '../../../host/cli/program.ts'

/** Folders that the package is made of. */
export interface Contents {
  /** The files of a commit. */
  source: string
  /** `node_modules` with the packages that the daemon needs on the computers that the package is for. */
  modules: string
  /** The npm package of Node for these computers: `bin/node` and `LICENSE`. */
  node: string
}

const program = 'usr/lib/fleet-host'

/** Paths of docs/, which are those of an installation with npm, and those of the package. */
const paths = [
  ['/opt/fleet-host', `/${program}`],
  ['/usr/bin/node', `/${program}/bin/node`],
  ['/usr/local/bin/fleet', '/usr/bin/fleet'],
] as const
const units = ['fleet-host.service', 'fleet-host-backup.service', 'fleet-host-backup.timer']

export async function layOut(root: string, { source, modules, node }: Contents): Promise<void> {
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const installed = join(root, program)
  const read = (path: string) => readFileSync(join(installed, path), 'utf8')
  cpSync(source, installed, { recursive: true })
  cpSync(modules, join(installed, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  mkdirSync(join(installed, 'bin'))
  copyFileSync(join(node, 'bin/node'), join(installed, 'bin/node'))
  write(`${program}/host/cli/fleet.mjs`, read('host/cli/fleet.mjs').replace(/^#!.*/, `#!/${program}/bin/node`))
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  symlinkSync(`../../${program}/host/cli/fleet.mjs`, join(root, 'usr/bin/fleet'))
  for (const unit of units)
    write(
      `usr/lib/systemd/system/${unit}`,
      paths.reduce((text, [from, to]) => text.replaceAll(from, to), read(`docs/${unit}`)),
    )
  mkdirSync(join(root, 'etc/fleet-host/commands'), { recursive: true })
  write('usr/share/bash-completion/completions/fleet', await printed('completion', 'bash'))
  write('usr/share/zsh/vendor-completions/_fleet', await printed('completion', 'zsh'))
  write('usr/share/man/man1/fleet.1.gz', gzipSync(await printed('man-page'), { level: 9 }))
  const licenses = `fleet-host\n\n${read('LICENSE')}\nNode.js, in ${program}/bin/node\n\n`
  write('usr/share/doc/fleet-host/copyright', licenses + readFileSync(join(node, 'LICENSE'), 'utf8'))
  for (const name of ['CHANGELOG.md', 'README.md', 'docs'])
    symlinkSync(`../../../lib/fleet-host/${name}`, join(root, 'usr/share/doc/fleet-host', name))
}

/** What `fleet` prints: that of this tree, as the Node of the package may be for other processors. */
async function printed(...args: string[]): Promise<string> {
  let text = ''
  const out = { write: (more: string) => (text += more) }
  const code = await runFleet(args, { environment: {}, out, error: process.stderr, input: undefined })
  if (code !== 0) throw new Error(`fleet ${args.join(' ')}: expected exit code 0, got ${code}`)
  return text
}

/** All files below a folder, sorted, relative to it; no folders. */
export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
