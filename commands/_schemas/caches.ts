// The schemas of the commands for the image cache of live systems.

/** Only characters that mean nothing to a shell, and no option. */
export const cachedName = {
  type: 'string',
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}$',
  expected: 'letters, digits and _ . + -',
} as const

/** Of `POST /shell/run`. */
export const scriptReply = { type: 'object', properties: { out: { type: 'string' } } } as const
