// The methods of a store for images, and what is known of the partitions that images go to. Types only.
import type { CreatedImage, Frozen, Image, ImageCopy, ImageUse, New, RestoredImage } from './types.ts'

/** See `Image`: the room or the center; neither: all. */
type ImageOwner = Pick<Image, 'center_id' | 'room_id'>

export interface ImageMethods {
  /** Both in the order of the ids. `system` is empty when it is not known. */
  list(): Promise<Image[]>
  uses(): Promise<Frozen<ImageUse[]>>
  /** The partitions that have an image, of one image or of all: by image, then in the order of the computers' ids. */
  copies(image?: number): Promise<ImageCopy[]>
  find(name: string): Promise<Image | undefined>
  findById(id: number): Promise<Image | undefined>
  /** The operating system of an image, '' when it is not known. */
  system(id: number): Promise<string>
  /** The new id, or undefined when the name is taken. */
  add(image: New<Image>): Promise<number | undefined>
  /** Whose an image is from now on; false for an unknown id. */
  setOwner(id: number, owner: ImageOwner): Promise<boolean>
  /** The deleted image, undefined for an unknown id. Partitions that named it name none afterwards. */
  delete(id: number): Promise<Image | undefined>
  /** Stores the partition's software. Updates the image and names it in the partition, unless its id is unknown. */
  recordCreate(ip: string, image: CreatedImage): Promise<boolean>
  /** The partition gets the image, its software and its operating system. An unknown image changes nothing. */
  recordRestore(ip: string, image: RestoredImage): Promise<boolean>
}

/** What a computer has in a partition; names are empty when there is none, or when it is not known. */
export interface PartitionContent {
  ip: string
  /** The operating system. */
  system: string
  filesystem: string
  /** The id of the image, 0: none. */
  image: number
}
