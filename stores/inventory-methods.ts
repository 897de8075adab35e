// What is known of the disks, devices and programs of computers. Types only.
import type { PartitionContent } from './image-methods.ts'
import type { DiskReport, Frozen, HardwareItem, Partition, Software } from './types.ts'

/** A computer with what it has: lists that several computers share are named by their ids, 0 for none. */
export interface SurveyedComputer {
  id: number
  ip: string
  room: number
  /** Its list of devices. */
  hardware: number
  /** Ordered by disk, then partition. */
  rows: SurveyedPartition[]
}

/** `system` and `image` are names, '' for none; `software` is a list of programs. */
export interface SurveyedPartition extends Pick<Partition, 'disk' | 'partition' | 'size' | 'software'> {
  system: string
  image: string
}

/** A list of software and the computers of one room that have it, by their ids: once for each partition. */
export interface ListOwners {
  list: number
  room: number
  computers: number[]
}

/** A line of lists of software, and the ids of the lists that have it. */
export interface ListedProgram {
  program: string
  lists: number[]
}

export interface ProgramPage {
  /** A pattern as in `Where`. */
  like: string
  /** Lines after this one. */
  after?: string | undefined
  limit: number
}

/** Disks and programs of a computer, by its address. For an unknown address lists are empty, and writes give false. */
export interface InventoryMethods {
  /** Ordered by disk, then partition. */
  partitions(ip: string): Promise<Partition[]>
  /** Of these addresses the computers that have the partition, in any order. */
  contents(ips: readonly string[], disk: number, partition: number): Promise<PartitionContent[]>
  /** The installed operating systems, ordered in the same way. */
  sessions(ip: string): Promise<{ disk: number; partition: number; name: string }[]>
  hardware(ip: string): Promise<Frozen<HardwareItem[]>>
  /** The programs of one partition. */
  software(ip: string, disk: number, partition: number): Promise<string[]>
  /**
   * Replaces the computer's rows. A row keeps its image and software while size, filesystem and os are unchanged,
   * otherwise both become 0. Names get ids: see `filesystem-names.ts`. A name exists while a partition has it; its id
   * is never assigned to another name.
   */
  refresh(ip: string, report: DiskReport): Promise<boolean>
  setHardware(ip: string, items: HardwareItem[]): Promise<boolean>
  /** A partition without a row gets one, whose other values are zero. */
  setSoftware(ip: string, disk: number, partition: number, software: Software): Promise<boolean>
  /** What these computers have, in the order of their ids; ignores unknown addresses. */
  survey(ips: readonly string[]): Promise<SurveyedComputer[]>
  /** Which of these computers have which lists of software, in any order; ignores unknown addresses. */
  owners(ips: readonly string[]): Promise<ListOwners[]>
  /** Lists of devices by their ids, in any order; ignores unknown ids. */
  devices(ids: readonly number[]): Promise<{ id: number; items: HardwareItem[] }[]>
  /** The lines of these lists of software, each once, in the order of their characters. */
  programs(ids: readonly number[], page: ProgramPage): Promise<ListedProgram[]>
}
