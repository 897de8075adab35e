// The events that rules may name, and what they are called in messages.
export const eventWords = {
  'job-finished': 'Job finished',
  'client-gone': 'Connection lost',
  'client-connected': 'Connected',
  'client-pending': 'Connected without a record',
  'client-refused': 'Connection refused',
  'mac-differs': 'Another hardware address than recorded',
  'inventory-changed': 'Programs, devices, disks or systems changed',
  'auth-failed': 'Wrong token or password',
  'session-login': 'Logged in',
  'session-logout': 'Logged out',
  'wake-timed-out': 'Did not wake up',
  'computer-added': 'Computer added',
  'computer-changed': 'Computer changed',
  'computer-removed': 'Computer removed',
  'image-added': 'Image added',
  'image-changed': 'Image changed',
  'image-removed': 'Image removed',
  'schedule-added': 'Schedule added',
  'schedule-changed': 'Schedule changed',
  'schedule-removed': 'Schedule removed',
  'account-added': 'Account added',
  'account-changed': 'Account changed',
  'account-removed': 'Account removed',
  'host-joined': 'Host joined',
  'host-gone': 'Host gone',
  'pack-alert': 'Alert of a pack',
  'module-failed': 'Module could not be loaded',
} as const

export type EventType = keyof typeof eventWords

// `as`: TypeScript takes the keys of an object for any text.
export const eventTypes = Object.keys(eventWords) as EventType[]

export const wordsOf = (type: EventType): string => eventWords[type]
