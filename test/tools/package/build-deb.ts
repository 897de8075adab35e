// Builds the package of Debian from its contents with dpkg-deb: the same bytes from the same contents.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contents, layOut, listFiles } from './lay-out.ts'

export interface DebOptions extends Contents {
  /** As Debian names it: amd64, arm64. */
  architecture: string
  /** Seconds since 1970: no file is younger. */
  epoch: number
  /** The folder of the package. */
  output: string
  compression?: 'xz' | 'gzip'
}

const scripts = join(import.meta.dirname, 'control')

/** Resolves to the path of the package. */
export async function buildDeb({
  architecture,
  epoch,
  output,
  compression = 'xz',
  ...contents
}: DebOptions): Promise<string> {
  const { version, description } = JSON.parse(readFileSync(join(contents.source, 'package.json'), 'utf8'))
  const root = mkdtempSync(join(tmpdir(), 'fleet-host-deb-'))
  try {
    await layOut(root, contents)
    // Neither the umask of who builds it nor the modes of npm's archives.
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', root])
    writeControl(root, { version, architecture, description })
    execFileSync('find', [root, '-exec', 'touch', '-h', '-d', `@${epoch}`, '{}', '+'])
    const file = join(output, `fleet-host_${version}_${architecture}.deb`)
    // With more threads xz writes blocks, whose number depends on the computer.
    const args = ['--root-owner-group', `-Z${compression}`, '--threads-max=1', '--build', root, file]
    execFileSync('dpkg-deb', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: `${epoch}` },
    })
    return file
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function writeControl(root: string, about: { version: string; architecture: string; description: string }): void {
  const files = listFiles(root)
  const kilobytes = files.reduce((sum, file) => sum + Math.ceil(lstatSync(join(root, file)).size / 1024), 0)
  const folder = join(root, 'DEBIAN')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const write = (name: string, content: string, mode = 0o644) => {
    writeFileSync(join(folder, name), content)
    chmodSync(join(folder, name), mode)
  }
  write('control', controlOf(about, kilobytes))
  const sums = files
    .filter(file => lstatSync(join(root, file)).isFile())
    .map(
      file =>
        `${createHash('md5')
          .update(readFileSync(join(root, file)))
          .digest('hex')}  ${file}\n`,
    )
  write('md5sums', sums.join(''))
  for (const name of readdirSync(scripts))
    write(name, readFileSync(join(scripts, name), 'utf8').replaceAll('@VERSION@', about.version), 0o755)
}

/** The libraries are those that the binary of Node is linked to, in the versions whose symbols it needs. */
const controlOf = (
  { version, architecture, description }: Record<string, string>,
  kilobytes: number,
) => `Package: fleet-host
Version: ${version}
Architecture: ${architecture}
Maintainer: the fleet-host maintainers
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 5.1), passwd
Section: admin
Priority: optional
Description: administers a fleet of lab computers
 ${description}.
 It brings its own Node and all packages that it needs.
`
