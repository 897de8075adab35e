// Sample tokens and users for the rules.
import type { New, Token, User } from '../../stores/store.ts'

export const user = (name: string, values: Partial<New<User>> = {}): New<User> => ({
  name,
  hash: `scrypt hash of the password of ${name}`,
  role: 'operate',
  centers: [],
  rooms: [],
  created: 1_700_000_000,
  by: 'admin',
  disabled: false,
  used: 0,
  ...values,
})

export const token = (name: string, values: Partial<New<Token>> = {}): New<Token> => ({
  ...user(name),
  hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  expires: 1_800_000_000,
  ...values,
})
