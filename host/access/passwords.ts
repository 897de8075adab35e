// Hashes passwords with scrypt, which is slow and takes memory so that stolen hashes are hard to guess.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { passwordCost } from './password-cost.ts'

const keyBytes = 32
const saltBytes = 16

/** Resolves to a text with parameters, salt and key. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await derive(password, salt, passwordCost)
  const { logN, r, p } = passwordCost
  return ['scrypt', logN, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** A hash that no password has, for names without a user: they take as long as others. */
const nobody = ['scrypt', passwordCost.logN, passwordCost.r, passwordCost.p, 'AAAA', ''].join('$')

/** Whether a password has this hash. The same work is done without a hash. */
export async function matchesPassword(password: string, hash = nobody): Promise<boolean> {
  const [, logN, r, p, salt = '', expected = ''] = hash.split('$')
  const numbers = { logN: Number(logN), r: Number(r), p: Number(p) }
  const key = await derive(password, Buffer.from(salt, 'base64url'), numbers)
  const expectedKey = Buffer.from(expected, 'base64url')
  return key.length === expectedKey.length && timingSafeEqual(key, expectedKey)
}

function derive(password: string, salt: Buffer, { logN, r, p }: typeof passwordCost): Promise<Buffer> {
  // scrypt needs 128 * N * r bytes and a little more.
  const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
  return new Promise<Buffer>((resolve, reject) => {
    // Keyboards write the same letter in several forms.
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
