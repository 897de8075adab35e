// What commands do with images, their files and repositories, with what copies them, and with planned restores.
import type { payload as creation } from '../../commands/_schemas/image-create.ts'
import type { binEntry, imageVersion } from '../../commands/_schemas/image-files.ts'
import type { content, payload as restore } from '../../commands/_schemas/planned-restores.ts'
import type { Image } from '../../stores/store.ts'
import type { FromSchema } from './from-schema.ts'
import type { PartProgress } from './jobs-services.ts'
import type { Caller, Client, Refusal, ReplyFailure, Request, Rights } from './request.ts'

/** A file of the image repository, in the words of `GET /images`. */
export type ImageFile = Omit<ImageVersion, 'name' | 'version' | 'check'>

export interface RepositoryService {
  /** The address of this server: the address of repository 1. */
  address: string
  /** Whether an image may have this name: a file name without a path separator or NUL, not `.` or `../..`. */
  isValidName(name: string): boolean
  /** The file of an image, undefined when it does not exist or is not a regular file. */
  file(name: string): Promise<ImageFile | undefined>
  /** Bytes of the filesystem that holds the repository. */
  disk(): Promise<{ total: number; free: number }>
}

/** Images, their files and their repositories. */
export interface ImagesService extends RepositoryService, ImageFilesService {
  /** The address of a repository, undefined for an unknown id. */
  addressOf(repository: number): Promise<string | undefined>
  /** The repository that images of this address are recorded with: 1 when it is that of none. */
  idOf(address: string): Promise<number>
  /**
   * The id for an image that command `by` is going to create: of a new record, or of a record that has no file.
   * Undefined when the name is taken, also by a running create.
   */
  reserve(by: string, image: NewImage): Promise<number | undefined>
  /** A refusal of a name and an id that do not mean one image: of `image`, which has the name, or of an unknown id. */
  checkIdentity(payload: { name: string; id: string }, image: Image | undefined): Promise<Refusal | undefined>
  /** A refusal with 403 of a limited caller's image that would be written into one of others. */
  checkOwner(payload: CreationTarget, rights: Rights): Promise<Refusal | undefined>
  /** Which versions of all images, or of one, are how often on the computers of a caller: as `GET /image/stats`. */
  stats(rights: Rights, image?: number, after?: string): Promise<object | Refusal>
  /** How far the running parts of a job are, of those that copy images and whose logs report it. */
  progressOf(job: number): readonly PartProgress[]
}

/** An older file of an image. */
export type ImageVersion = FromSchema<typeof imageVersion>
export type ImageCheck = ImageVersion['check']
/** Deleted files, which are kept for some days. */
export type BinEntry = FromSchema<typeof binEntry>

/** The files of images in the folder of this server. */
export interface ImageFilesService {
  /**
   * To be called before an agent creates an image: keeps an older file of that name as a version. Returns why the agent
   * must not be sent the request. Does nothing for a repository of another server.
   */
  beginCreation(addr: string, payload: unknown): string | undefined
  /** To be called when it has ended: after a failure the image has its older file again. */
  endCreation(payload: unknown, result: 'success' | 'failure'): void
  /**
   * To be called when the agent has replied that it has created the image: its new version and the time for the store.
   * A failure when the file or its checksum is missing or empty.
   */
  created(image: CreatedFile): Promise<{ version: number; at: number } | ReplyFailure>
  /** The version that a name means in `image/restore`, 0 when that is not known, and the time for the store. */
  restored(image: Pick<CreatedFile, 'id' | 'name'>): Promise<{ version: number; at: number }>
  /** Of these images, which must be all, those that have a file: the file, its check and older versions, newest first. */
  read(names: readonly string[]): Promise<Map<string, ImageFile & { check: ImageCheck; versions: ImageVersion[] }>>
  /** The image that has this name, or a version of this name. */
  find(name: string): Promise<Image | undefined>
  /** Queues a check of the file of an image, or of one of its versions. */
  check(image: Image, version?: number): Promise<Refusal | undefined>
  /** Moves the files of an image and of its versions, or of one version only, to the bin. */
  delete(image: Image, version?: number): Promise<Refusal | undefined>
  /** The newest entry first. */
  bin(): Promise<BinEntry[]>
  /** Brings files back: an image, with its record as it was if that is still kept, or a version; resolves to the name. A refusal when that is not possible. */
  undelete(entry: number): Promise<{ name: string; image?: number } | Refusal>
  /** Removes files of the bin for good. */
  purge(entry: number): Promise<Refusal | undefined>
}

/** As `image/create` has them; `repository` is an address. */
export interface CreatedFile {
  id: number
  name: string
  repository: string
}

/** An image that is going to be created; `repository` is an address, `room_id` the room that it belongs to in place of a center. */
export type NewImage = Pick<FromSchema<typeof creation>, 'name' | 'group_id' | 'center_id'> & {
  description: string
  repository: string
  room_id?: number
}

/** What an image is created as. */
export type CreationTarget = Pick<FromSchema<typeof creation>, 'name' | 'description' | 'repository' | 'repository_id'>

/** Scripts for the image cache of live systems, which `POST /shell/run` of agents runs. */
export interface CachesService {
  /** Prints the space of the cache, and bytes and name of each image. */
  listScript: string
  deleteScript(names: readonly string[]): string
  /** `repository` is an address. */
  fetchScript(image: { name: string; repository: string; type: string }): string
  /** Stores the output without its last line, which says how the script ended. */
  readOutput(reply: { out?: string }, client: Pick<Client, 'setOutput'>): ReplyFailure | undefined
}

/** Why clients cannot be sent a command, by address. What is not known is no reason. */
export type Obstacles = Map<string, string>

/** A partition of some clients, and the name of an image or of a version of it. */
export interface ImageTarget {
  clients: readonly string[]
  disk: string
  partition: string
  name: string
}

/** `repository` is an address. */
export type CreateTarget = ImageTarget & { repository?: string; code: string }
/** `overwrite: false`: computers with another system there are obstacles. */
export type RestoreTarget = ImageTarget & { repository: string; type: string; overwrite?: boolean }

/** The keys of `setup`. */
export interface SetupTarget {
  clients: readonly string[]
  type: string
  disk: string
  cache: string
  cache_size: string
  partition_setup: unknown[]
}

/** What one computer has in a partition. */
export type Content = Omit<FromSchema<typeof content>, 'computers'>

export interface PartitionContents {
  /** The system of the image, '' when it is not known. */
  system: string
  /** By address; of computers that are known to have the partition. */
  byClient: Map<string, Content>
}

export interface PreflightService {
  create(target: CreateTarget): Promise<Obstacles>
  /** `waits`: until nobody is logged in, which is no obstacle then. */
  restore(target: RestoreTarget, waits?: boolean): Promise<Obstacles>
  setup(target: SetupTarget): Promise<Obstacles>
  /** What a restore would overwrite. */
  contents(target: ImageTarget): Promise<PartitionContents>
}

/** The keys of `image/plan`. */
export type NewRestore = FromSchema<typeof restore>

/** `command`: the one that restores an image. */
export interface PlansService {
  /** What it does, as `POST /image/plan` says it, with the ids of the new task and schedule; a new job's is in the request. */
  add(command: string, restore: NewRestore, request: Caller & Pick<Request, 'job'>): Promise<object | Refusal>
  /** Of a schedule that was changed: what else is planned of the same night for some of its computers. */
  warn(command: string, schedule: number, request: Caller & Pick<Request, 'warn'>): Promise<void>
  /** In the words of `GET /image/plans`; of a limited caller those whose schedules it has. */
  list(command: string, caller: Caller): Promise<object[]>
  /** By the id of its schedule. What something else names stays. */
  remove(command: string, schedule: number, caller: Caller): Promise<Refusal | undefined>
}
