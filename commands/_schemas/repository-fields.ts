// The schema of a repository's fields, as callers write them.
export const repositoryFields = {
  name: { type: 'string', minLength: 1, description: 'unique' },
  ip: { $ref: 'ipv4' },
  slots: {
    type: 'integer',
    minimum: 0,
    maximum: 10_000,
    description: 'how many clients may copy images from or to it at once; 0: any number',
  },
} as const
