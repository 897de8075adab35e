// The schema of the software of a partition, as agents reply it.

/** The operating system and one program a line; no system has so many. */
export const softwareList = { type: 'string', maxLines: 10_000 } as const
