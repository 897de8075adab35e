// Values of records which callers write and read: fields of a room that are changed alone, and names.

export interface Register {
  name: string
  write: string
  payloadOf(value: string): object
  read: string
  query?: object
  /** Of the answer. */
  find(answer: Answer): string | undefined
}

/** Of the three routes that are read. */
interface Answer {
  location?: string
  ntp?: string
  groups?: { id: number; name: string }[]
  scope?: { id: number; name: string }[]
}

/** What each is before the first write. */
export const initial = 'initial'

/** Of the first records of a new database. */
export const registers: readonly Register[] = [
  ...(['location', 'ntp'] as const).flatMap(field =>
    [1, 2].map(room => ({
      name: `${field} of room ${room}`,
      write: 'POST /room/update',
      payloadOf: (value: string) => ({ room, [field]: value }),
      read: 'GET /room/info',
      query: { room },
      find: (answer: Answer) => answer[field],
    })),
  ),
  {
    name: 'name of the group',
    write: 'POST /group/update',
    payloadOf: name => ({ group: 1, name }),
    read: 'GET /groups',
    find: ({ groups }) => groups?.[0]?.name,
  },
  {
    name: 'name of the center',
    write: 'POST /center/update',
    payloadOf: name => ({ center: 1, name }),
    read: 'GET /scopes',
    find: ({ scope }) => scope?.[0]?.name,
  },
]

export const readRegister = (register: Register, text: string): string => register.find(JSON.parse(text)) ?? ''
