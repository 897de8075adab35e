// Sample records for the rules.
import * as assert from 'uvu/assert'
import type { Computer, DiskReport, Image, New, Room, Software, Store } from '../../stores/store.ts'

export const room = (center: number, name: string): New<Room> => ({
  center,
  name,
  netmask: '255.255.255.0',
  location: 'first floor',
  gateway: '10.0.0.254',
  ntp: '10.0.0.1',
  dns: '10.0.0.2',
  group: 0,
  remote: false,
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
  center_id: 0,
  clonator: '',
  compressor: '',
  filesystem: '',
  ...values,
})

export const row = (partition: number, os = '', values: Partial<DiskReport['rows'][number]> = {}) => ({
  disk: 1,
  partition,
  code: 131,
  size: 1000,
  used_size: 10,
  filesystem: 'EXT4',
  os,
  ...values,
})

export const report = (...rows: DiskReport['rows']): DiskReport => ({ rows, serial_number: '' })

export const software = (os: string, ...programs: string[]): Software => ({ os, programs })

/** The report about an image of partition 1.1. */
export const createdImage = (id: number, installed: Software, version = 0, at = 0) => ({
  id,
  disk: 1,
  partition: 1,
  datasize: 4096,
  clonator: 'PARTCLONE',
  compressor: 'LZOP',
  filesystem: 'EXT4',
  software: installed,
  version,
  at,
})

export const restoredImage = (id: number, partition = 1, version = 0, at = 0) => ({
  id,
  disk: 1,
  partition,
  version,
  at,
})

export async function addCenter(store: Store, name = 'campus'): Promise<number> {
  const id = await store.centers.add({ name, comment: '' })
  assert.type(id, 'number')
  return id ?? 0
}

export async function addRoom(store: Store, center: number, name = 'lab'): Promise<number> {
  const id = await store.rooms.add(room(center, name))
  if (typeof id !== 'number') throw new Error(id)
  return id
}

/** Adds a center and a room with computers at these addresses, and resolves to the room's id. */
export async function addLab(store: Store, ...ips: string[]): Promise<number> {
  const id = await addRoom(store, await addCenter(store))
  assert.equal(await store.computers.add(ips.map(ip => computer(id, ip))), [])
  return id
}
