// Encrypts the secrets in settings of packs with a key that only the data folder has, and not the store.
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDataFolder, isNotFound } from '../../system/file-system.ts'
import { replaceFile } from '../../system/replace-file.ts'

const algorithm = 'aes-256-gcm'
const keyBytes = 32
/** The length that NIST SP 800-38D recommends for GCM. */
const nonceBytes = 12
const tagBytes = 16

/** The key and its name, which encrypted values begin with. */
interface Key {
  bytes: Buffer
  name: string
}

export class Secrets {
  readonly #folder: string
  #key: Key | undefined

  /** `folder`: option `store.path`. */
  constructor(folder: string) {
    this.#folder = folder
  }

  get file(): string {
    return join(this.#folder, 'secrets.key')
  }

  /** `context`: what the value is for; it can be decrypted for that only. Throws when the key is not readable. */
  encrypt(value: unknown, context: string): string {
    const key = this.#findKey() ?? this.#createKey()
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, key.bytes, nonce).setAAD(Buffer.from(context))
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
    return `${key.name}:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')}`
  }

  /** Throws with the reason when it cannot be decrypted. */
  decrypt(encrypted: string, context: string): unknown {
    const key = this.#findKey()
    if (!key) throw new Error(`${this.file} is missing`)
    const [name, text = ''] = encrypted.split(':')
    if (name !== key.name) throw new Error(`encrypted with another key than that in ${this.file}`)
    const bytes = Buffer.from(text, 'base64')
    const decipher = createDecipheriv(algorithm, key.bytes, bytes.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    const decrypted = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
    return JSON.parse(decrypted.toString('utf8'))
  }

  /** Whether a key is there; one that is not there is created by the first `encrypt`. */
  hasKey(): boolean {
    return this.#findKey() !== undefined
  }

  /** Reads the file each time until it is there: with several hosts somebody copies it. */
  #findKey(): Key | undefined {
    if (this.#key) return this.#key
    try {
      this.#key = toKey(readFileSync(this.file, 'utf8'), this.file)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    return this.#key
  }

  #createKey(): Key {
    createDataFolder(this.#folder)
    const text = randomBytes(keyBytes).toString('hex')
    replaceFile(this.file, `${text}\n`, { flush: true })
    this.#key = toKey(text, this.file)
    return this.#key
  }
}

function toKey(text: string, file: string): Key {
  const digits = text.trim()
  if (!/^[0-9a-f]{64}$/.test(digits)) throw new Error(`${file}: expected 64 hexadecimal digits`)
  const bytes = Buffer.from(digits, 'hex')
  return { bytes, name: hash('sha256', bytes).slice(0, 8) }
}
