// In place of curl, which Wine has not, and of certutil, which computes no digests there.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const programs = {
  curl: `
const { createWriteStream } = require('node:fs')
const [, url, , file] = process.argv.slice(2)
require('node:http').get(url.replace('localhost', '127.0.0.1'), response => {
  if (response.statusCode !== 200) process.exit(22)
  response.pipe(createWriteStream(file))
}).on('error', () => process.exit(7))
`,
  certutil: `
const { createHash } = require('node:crypto')
const { readFileSync, writeFileSync } = require('node:fs')
const [, file] = process.argv.slice(2)
const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
writeFileSync('C:/output', 'SHA256-Hash von ' + file + ':\\r\\n' + digest + '\\r\\nCertUtil: ausgeführt.\\r\\n')
`,
}

/** Places them on `drive`, the folder of C:. Node prints to a file: it does not write to the pipes of Wine. */
export function placeDownloads(drive: string, node: string): void {
  for (const [name, program] of Object.entries(programs)) {
    const system = join(drive, 'windows/system32')
    rmSync(join(system, `${name}.exe`), { force: true })
    writeFileSync(join(drive, `${name}.cjs`), program)
    writeFileSync(join(drive, 'output'), '')
    const line = `@"Z:${node}" C:\\${name}.cjs %* >nul 2>nul <nul`
    writeFileSync(join(system, `${name}.cmd`), name === 'curl' ? `${line}\r\n` : `${line}\r\n@type C:\\output\r\n`)
  }
}
