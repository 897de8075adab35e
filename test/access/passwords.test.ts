// Hashes of passwords: their cost, and what matches them.
import { scryptSync } from 'node:crypto'
import { suite } from 'uvu'
import { is, match } from 'uvu/assert'
import { hashPassword, matchesPassword } from '../../host/access/passwords.ts'

const test = suite('passwords')

const password = 'Contrase\u00f1a 1'

test('a hash has the cost that OWASP recommends for scrypt, and a salt of its own', async () => {
  const hashes = await Promise.all([hashPassword(password), hashPassword(password)])
  for (const hash of hashes) match(hash, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  is.not(hashes[0], hashes[1])
  is(await matchesPassword(password, hashes[0]), true)
  is(await matchesPassword('contrase\u00f1a 1', hashes[0]), false)
})

test('letters may be composed in another way than when the password was set', async () => {
  is(await matchesPassword(password.normalize('NFD'), await hashPassword(password)), true)
})

test('a hash of another cost is checked with that cost', async () => {
  const salt = Buffer.alloc(16, 7)
  const key = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 })
  const hash = ['scrypt', 4, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$')
  is(await matchesPassword(password, hash), true)
  is(await matchesPassword('other', hash), false)
})

test('nothing matches a user that does not exist', async () => {
  is(await matchesPassword(''), false)
})

test.run()
