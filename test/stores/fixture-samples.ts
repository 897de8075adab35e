// Sample records of the stored fixtures. The fixtures contain these values, so none of them may change.
import type { Computer, DiskReport, Image, Job, New, Part, Room, Schedule, Software } from '../../stores/store.ts'

export const time = 1_700_000_000_000

export const room = (center: number, name: string, values: Partial<New<Room>> = {}): New<Room> => ({
  center,
  name,
  netmask: '255.255.255.0',
  location: 'first floor',
  gateway: '10.0.0.254',
  ntp: '10.0.0.1',
  dns: '',
  group: 0,
  remote: false,
  ...values,
})

export const computer = (room: number, ip: string, values: Partial<New<Computer>> = {}): New<Computer> => ({
  name: `pc-${ip}`,
  ip,
  mac: '0a0b0c0d0e0f',
  room,
  netmask: '255.255.255.0',
  boot: 'pxe',
  remote: false,
  serial_number: '',
  hardware_id: 0,
  repo_id: 1,
  netiface: 'eth0',
  netdriver: 'generic',
  livedir: 'ogLive',
  maintenance: false,
  ...values,
})

export const image = (name: string, values: Partial<New<Image>> = {}): New<Image> => ({
  name,
  description: 'an image',
  repo_id: 1,
  type: 1,
  datasize: 0,
  software_id: 0,
  group_id: 0,
  center_id: 1,
  clonator: '',
  compressor: '',
  filesystem: '',
  ...values,
})

export const row = (partition: number, os = '', values: Partial<DiskReport['rows'][number]> = {}) => ({
  disk: 1,
  partition,
  code: 131,
  size: 1000 * (partition + 1),
  used_size: 10 * partition,
  filesystem: 'EXT4',
  os,
  ...values,
})

export const createdImage = (id: number, software: Software) => ({
  id,
  disk: 1,
  partition: 1,
  datasize: 4096,
  clonator: 'PARTCLONE',
  compressor: 'LZOP',
  filesystem: 'EXT4',
  software,
  version: 0,
  at: 0,
})

export const schedule = (values: Partial<New<Schedule>> = {}): New<Schedule> => ({
  type: 'task',
  task: 1,
  name: 'nightly',
  suspended: 0,
  since: time,
  by: 'admin',
  years: 0xffffffff,
  months: 0xfff,
  weeks: 63,
  week_days: 127,
  days: 0x7fffffff,
  hours: 4,
  am_pm: 1,
  minutes: 30,
  ...values,
})

export const job = (name: string, values: Partial<New<Job>> = {}): New<Job> => ({
  created: time,
  origin: 'request',
  name,
  by: '',
  steps: [{ command: 'shell-run', payload: { run: 'echo "ñ"\n', echo: true } }],
  ...values,
})

export const part = (client: string, values: Partial<Part> = {}): Part => ({
  client,
  step: 0,
  state: 'queued',
  reason: '',
  queued: time,
  sent: 0,
  ended: 0,
  expires: 900,
  output: '',
  ...values,
})

export const parts = (count: number, values: Partial<Part> = {}): Part[] =>
  Array.from({ length: count }, (_, at) => part(`10.0.1.${at}`, values))

export const success = (job: number, index: number, output = '') => ({
  job,
  index,
  state: 'success' as const,
  sent: time + 1000,
  ended: time + 2000 + 7 * index,
  output,
})
