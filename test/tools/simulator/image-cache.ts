// The image cache of a simulated computer: what the scripts of cache/list, cache/fetch and cache/delete do there.

const kibibytes = 52_428_800
/** Bytes of each image. */
const imageBytes = 4_312_147_165

export class ImageCache {
  readonly #names = new Set<string>()

  /** The output of a script for caches; undefined for another one. */
  run(script: string): string | undefined {
    const [, end] = /^end\(\) \{ echo "([\w-]+: )\$1"/m.exec(script) ?? []
    if (end === undefined) return undefined
    const [, deleted] = /^for name in (.*); do$/m.exec(script) ?? []
    const [, fetched] = /'\/([^']+)\.img'/.exec(script) ?? []
    const lines = deleted ? this.#delete(deleted) : fetched ? this.#fetch(fetched) : this.#list()
    return [...lines, `${end}ok`, ''].join('\n')
  }

  #delete(quoted: string): string[] {
    const names = [...quoted.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
    return names.map(name => `${this.#names.delete(name) ? 'deleted' : 'not in the cache'}: ${name}`)
  }

  #fetch(name: string): string[] {
    this.#names.add(name)
    return [`${name}.img copied`]
  }

  #list(): string[] {
    const free = kibibytes - Math.ceil((this.#names.size * imageBytes) / 1024)
    return [`${free} of ${kibibytes} KiB free`, ...[...this.#names].map(name => `${imageBytes} ${name}`)]
  }
}
