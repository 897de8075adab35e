// The secrets in documents of a collection: what its schema declares with `writeOnly` is encrypted in the store.
import type { PackSecrets } from './pack-secrets.ts'
import { isObject, nameOf, secretPaths, setAt, valueAt } from './setting-values.ts'

/** In place of a secret. A text there was stored before the schema declared it as one. */
interface Sealed {
  $encrypted: string
}

export interface DocumentSecrets {
  /** Changes the value: what the store gets. */
  seal(key: string, value: unknown): void
  /** Changes the value back. A secret that cannot be decrypted is absent. */
  open(key: string, value: unknown): void
}

export function createDocumentSecrets(
  { pack, name, schema }: { pack: string; name: string; schema: object },
  secrets: PackSecrets,
): DocumentSecrets {
  const paths = secretPaths(schema)
  return {
    seal(key, value) {
      if (!isObject(value)) return
      for (const path of paths) {
        const secret = valueAt(value, path)
        if (secret === undefined) continue
        setAt(value, path, { $encrypted: secrets.seal(secret, [pack, name, key, nameOf(path)]) } satisfies Sealed)
      }
    },
    open(key, value) {
      if (!isObject(value)) return
      for (const path of paths) {
        const sealed = valueAt(value, path)
        if (!isObject(sealed) || typeof sealed.$encrypted !== 'string') continue
        setAt(value, path, secrets.open(sealed.$encrypted, [pack, name, key, nameOf(path)]))
      }
    },
  }
}
