// `npm run package`: builds the packages of the commit for Debian, their lists of contents and their checksums.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { billOfMaterials } from './bill-of-materials.ts'
import { buildDeb } from './build-deb.ts'
import { type Architecture, checkTree, commitTime, extractSource, fetchNode, installModules, nodes } from './gather.ts'

const usage = `npm run package -- [--arch NAME...] [--output DIR]

Builds fleet-host_VERSION_ARCH.deb of the commit that is checked out, with its bill of materials (.cdx.json), and
SHA256SUMS. Two builds of one commit have the same bytes. It needs git, npm and dpkg-deb.

  --arch NAME   ${Object.keys(nodes).join(' or ')}; default: all
  --output DIR  default: packages
`

const root = resolve(import.meta.dirname, '../../..')
const isArchitecture = (name: string): name is Architecture => Object.hasOwn(nodes, name)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      arch: { type: 'string', multiple: true, default: Object.keys(nodes) },
      output: { type: 'string', default: join(root, 'packages') },
      help: { type: 'boolean' },
    },
  })
  const { arch, output } = values
  if (values.help || !arch.every(isArchitecture)) return void process.stdout.write(usage)
  checkTree(root)
  mkdirSync(output, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'fleet-host-package-'))
  try {
    const source = join(folder, 'source')
    extractSource(root, source)
    const files: string[] = []
    for (const each of arch.filter(isArchitecture)) files.push(...(await buildFor(each, { folder, source, output })))
    const sums = files.map(
      file => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`,
    )
    writeFileSync(join(output, 'SHA256SUMS'), sums.join(''))
    process.stdout.write(sums.join(''))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resolves to the files that it has written. */
async function buildFor(architecture: Architecture, paths: { folder: string; source: string; output: string }) {
  const { folder, source, output } = paths
  const epoch = commitTime(root)
  const node = fetchNode(architecture, join(folder, `node-${architecture}`))
  const installed = join(folder, `modules-${architecture}`)
  const modules = installModules(root, architecture, installed)
  const bill = billOfMaterials(installed, node, architecture, epoch)
  rmSync(join(modules, '.package-lock.json'))
  const deb = await buildDeb({ source, modules, node, architecture, epoch, output })
  const list = deb.replace(/\.deb$/, '.cdx.json')
  writeFileSync(list, bill)
  return [deb, list]
}

await main()
