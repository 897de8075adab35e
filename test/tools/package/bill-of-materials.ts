// Lists what is in the package, with versions and licenses, as CycloneDX in JSON: npm's list, and Node.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Architecture, nodes } from './gather.ts'

/** `folder` has `package.json`, its lock file and `node_modules`; `node` the package of Node. */
export function billOfMaterials(folder: string, node: string, architecture: Architecture, epoch: number): string {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application']
  const list = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20 }))
  const { cpu, version } = nodes[architecture]
  const binary = createHash('sha256').update(readFileSync(join(node, 'bin/node')))
  list.components.push({
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:npm/node-linux-${cpu}@${version}`,
    hashes: [{ alg: 'SHA-256', content: binary.digest('hex') }],
    licenses: [{ license: { id: 'MIT' } }],
  })
  // That of the folder otherwise.
  list.metadata.component.name = 'fleet-host'
  // Both would differ from build to build.
  list.metadata.timestamp = new Date(epoch * 1000).toISOString()
  delete list.serialNumber
  return `${JSON.stringify(list, null, 2)}\n`
}
