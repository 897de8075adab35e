// The shapes of the answers about one computer, images and the server.

export interface PartitionAnswer {
  disk: number
  /** 0 is the disk itself. */
  partition: number
  code: number
  /** KiB. */
  size: number
  /** Percent. */
  used_size: number
  filesystem: number
  os: number
  image: number
}

export interface InstalledSystem {
  disk: number
  partition: number
  name: string
}

export interface ComputerAnswer {
  name: string
  ip: string
  mac: string
  room: number
  netmask: string
  boot: string
  remote: boolean
  serial_number: string
  hardware_id: number
  repo_id: number
  netiface: string
  netdriver: string
  livedir: string
  maintenance: boolean
  place?: { row: number; column: number }
}

/** `at`: ISO time of its end. */
export interface FileCheck {
  state: 'not checked' | 'queued' | 'running' | 'ok' | 'damaged' | 'no checksum' | 'unreadable'
  at?: string
  percent?: number
}

/** An older file of an image. */
export interface VersionAnswer {
  /** `<image>.v<version>` */
  name: string
  version: number
  size: number
  modified: string
  check: FileCheck
}

export interface ImageAnswer {
  id: number
  name: string
  /** Bytes of the file. */
  size: number
  /** Bytes of the data in it. */
  datasize: number
  /** Local time of the server: `Mon Sep 14 10:30:00 2026`. */
  modified: string
  repo_id: number
  /** 0: none. */
  center_id: number
  /** '' when it is not known. */
  system: string
  /** Where it was made; absent when that is not known. */
  disk?: number
  partition?: number
  /** How many computers have a partition that was restored from it, or that it was made of. */
  computers: number
  check: FileCheck
  /** The newest first. */
  versions: VersionAnswer[]
}

export interface DiskUsage {
  total: number
  free: number
}

export interface ImagesAnswer {
  images: ImageAnswer[]
  disk: DiskUsage
}

export interface ModuleAnswer {
  file: string
  command: string
  origin: string
  /** How many were loaded since the start. */
  versions: number
  /** These are absent when no version is in service. */
  route?: string
  forward?: string
  version?: number
  loaded_at?: string
  /** Why the newest content is not in service. */
  error?: string
}

/** A connected client without a record. */
export interface PendingAnswer {
  client: string
  name?: string
  /** 12 hex digits. */
  mac?: string
  serial?: string
  os?: string
}
