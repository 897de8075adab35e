// Gets what the package is made of: the files of the commit from git, Node and the other packages from npm.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** By Debian's names of architectures. npm has no Node of these versions whose files have other checksums. */
export const nodes = {
  amd64: {
    cpu: 'x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    cpu: 'arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
} as const
export type Architecture = keyof typeof nodes

/** Optional packages that servers need: for the store in PostgreSQL, and for imports. `fleet mcp` runs elsewhere. */
const serverPackages = ['mysql2', 'pg', 'pg-connection-string']

const run = (file: string, args: string[], cwd: string) =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 << 20 })

/** Completions and the manual page are printed by the working tree. */
export function checkTree(root: string): void {
  const changes = run('git', ['status', '--porcelain', '--untracked-files=no'], root)
  if (changes !== '') throw new Error(`expected a tree without changes, got\n${changes}`)
}

export const commitTime = (root: string): number => Number(run('git', ['log', '-1', '--format=%ct'], root))

/** Extracts what package.json lists as the files of the product, as they are in the commit. */
export function extractSource(root: string, folder: string): void {
  const { files } = JSON.parse(run('git', ['show', 'HEAD:package.json'], root))
  const archive = join(folder, '../source.tar')
  const paths = [...files, 'package.json', 'LICENSE', 'README.md']
  run('git', ['archive', '--format=tar', `--output=${archive}`, 'HEAD', '--', ...paths], root)
  mkdirSync(folder)
  run('tar', ['-xf', archive, '-C', folder], root)
}

/** Resolves to the folder of the package of Node. */
export function fetchNode(architecture: Architecture, folder: string): string {
  const { cpu, version, integrity } = nodes[architecture]
  mkdirSync(folder)
  const [packed] = JSON.parse(run('npm', ['pack', '--json', `node-linux-${cpu}@${version}`], folder))
  const archive = readFileSync(join(folder, packed.filename))
  const got = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  if (got !== integrity) throw new Error(`${packed.filename}: expected ${integrity}, got ${got}`)
  run('tar', ['-xzf', packed.filename, 'package/bin/node', 'package/LICENSE'], folder)
  return join(folder, 'package')
}

/** Installs the packages of the lock file that servers need; `folder` gets `node_modules`. No script of them runs. */
export function installModules(root: string, architecture: Architecture, folder: string): string {
  mkdirSync(folder)
  const {
    devDependencies: _,
    peerDependencies,
    peerDependenciesMeta: __,
    ...about
  } = JSON.parse(run('git', ['show', 'HEAD:package.json'], root))
  const more = Object.fromEntries(serverPackages.map(name => [name, peerDependencies[name]]))
  const dependencies = { ...about.dependencies, ...more }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...about, dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), run('git', ['show', 'HEAD:package-lock.json'], root))
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  const platform = ['--os=linux', `--cpu=${nodes[architecture].cpu}`, '--libc=glibc']
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...platform], folder)
  const modules = join(folder, 'node_modules')
  rmSync(join(modules, '.bin'), { recursive: true })
  return modules
}
