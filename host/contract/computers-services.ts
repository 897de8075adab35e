// What commands do with records of computers, their inventory and boot modes.

import type { adoption } from '../../commands/_schemas/computer-fields.ts'
import type { importReport, payload } from '../../commands/_schemas/computer-import.ts'
import type {
  Computer,
  ComputerValues,
  HardwareItem,
  New,
  Place,
  Repository,
  Room,
  Software,
} from '../../stores/store.ts'
import type { FromSchema, InventoryReply } from './from-schema.ts'
import type { Changer, Client, Refusal, Request, Rights, TextResponse } from './request.ts'

export interface InventoryService {
  /** Stores the disks and the serial number of a reply, and sets speed and status. False: it has no record. */
  refresh(reply: InventoryReply, client: Client): Promise<boolean>
  /** Refuses a reply with `id: expected 2, got 1` for the first number in digits of `sent` that is another there. */
  compareIds(sent: Readonly<Record<string, string>>, reply: Readonly<Record<string, unknown>>): Refusal | undefined
  /** Parses lines of the form `cpu=Some processor`. */
  parseHardware(lines: string): HardwareItem[]
  /** Parses a list whose first line names the operating system. */
  parseSoftware(lines: string): Software
  /** A line of a list of software without its version, and the version, as in `GET /software?search=…`. */
  splitProgram(line: string): { name: string; version?: string }
  /** MiB of a device's description such as `DDR4 16 GiB 3200 MHz`; 0 when it says none. */
  sizeOf(description: string): number
}

/** The keys of `client/add`: four required keys, the others have defaults. */
export type NewComputer = Pick<Computer, 'name' | 'ip' | 'mac' | 'room'> & ComputerValues

/** Which clients become computers of a room; `names` and `macs` are by address and precede what the agents say. */
export type Adoption = FromSchema<typeof adoption>

export type ImportRequest = FromSchema<typeof payload>

/** The result of an import. Nothing is stored when there is a conflict. */
export type ImportReport = FromSchema<typeof importReport>
export type ImportRow = NonNullable<ImportReport['rows']>[number]

export interface ComputersService {
  /**
   * Adds a computer, and its boot files when its boot mode has a template. `changer` is warned, here and where a room
   * changes, of an address outside of the network of the room.
   */
  add(computer: NewComputer, changer?: Changer): Promise<Refusal | undefined>
  /** Gives connected clients without a record one: all or, with a refusal, none. Warns as `add` does. */
  adopt(adoption: Adoption, changer?: Changer): Promise<Refusal | undefined>
  /** Updates a computer and its boot files. With `changer`, here and below, it can be taken back. */
  update(ip: string, change: ComputerValues, changer?: Changer): Promise<Refusal | undefined>
  /** Gives computers a place, or none with null: all or, when one is unknown, none. */
  arrange(places: { client: string; place: Place | null }[]): Promise<Refusal | undefined>
  /** Adds tags to computers and removes tags: on all or, when one is unknown or would have too many, on none. */
  tag(clients: string[], change: { add: string[]; remove: string[] }, changer?: Changer): Promise<Refusal | undefined>
  /** Updates a room and the boot files of its computers. */
  updateRoom(id: number, change: Partial<New<Room>>, changer?: Changer): Promise<Refusal | undefined>
  /** Updates a repository and the boot files of the computers that use it. With `changer` the audit log has what was changed. */
  updateRepository(id: number, change: Partial<New<Repository>>, changer?: Changer): Promise<Refusal | undefined>
  /** Moves computers to a room and updates their boot files: all or, when one is unknown, none. */
  move(clients: string[], room: number, changer?: Changer): Promise<Refusal | undefined>
  /** To be called after records were deleted: drops outputs and queued parts, and removes boot files. */
  cleanUp(computers: Computer[]): Promise<void>
  /** Adds all computers of the text and changes existing ones, or does nothing. */
  import(request: ImportRequest, changer?: Changer): Promise<ImportReport | Refusal>
  /** All computers within the limits as CSV. */
  export(rights: Rights): Promise<string>
}

export interface BootService {
  /** The names of the boot modes, sorted. */
  modes(): Promise<string[]>
  /** Of the modes whose templates say what they do. */
  describeModes(): Promise<{ mode: string; description: string }[]>
  /** Sets the boot mode of the computers and writes their boot files: all or none. Unknown addresses are skipped. */
  setMode(clients: string[], mode: string): Promise<Refusal | undefined>
  /** Sets the live system of the computers and writes the boot files of those whose mode has a template. */
  setLiveSystem(clients: string[], livedir: string): Promise<Refusal | undefined>
  /** The boot files that a computer would have in a mode. */
  preview(client: string, mode: string): Promise<{ path: string; content: string }[] | Refusal>
  /** The live systems of option `boot.oglives`, those that this server has built, and the index of the default one. */
  liveSystems(): Promise<{
    default: number
    oglive: object[]
    building?: { name: string; percent: number; line: string }
  }>
  /** A file of a live system that this server has built, `rest`: its name and that of the file. 404: there is none. */
  liveFile(request: Pick<Request, 'rest' | 'header'>): Promise<TextResponse>
}
