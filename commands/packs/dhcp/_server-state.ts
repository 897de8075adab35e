// What DHCP servers have, and how it differs from the records. Types only.

/** An address that a server keeps for a computer. */
export interface Reservation {
  /** Six bytes in lower case with colons; '' when an entry of others has none. */
  mac: string
  ip: string
  /** '' for a computer whose name is no host name. */
  name: string
  /** The class in Kea of what it boots; '' for what the server is set up for. */
  tag: string
  /** In which subnet of Kea; hardware addresses are unique within. 0 elsewhere. */
  scope: number
}

/** What a server has. */
export interface ServerState {
  /** Entries that this pack has made. */
  marked: Reservation[]
  others: Reservation[]
  /** It has other boot options, or the like, than the settings. */
  isStale: boolean
  /** With its scope, as the server would have it; undefined: it has no subnet with the address. */
  adapt(reservation: Reservation): Reservation | undefined
  /** Makes its own entries those of `desired`. Rejects with the text of the server. `again`: the last attempt failed. */
  write(changes: Compared, again: boolean): Promise<void>
}

export interface DhcpServer {
  name: string
  /** Rejects with the text of the server. */
  read(signal: AbortSignal): Promise<ServerState>
}

export interface Conflict {
  ip: string
  mac: string
  reason: string
}

export interface Compared {
  /** All entries that the pack is to have on this server. */
  desired: Reservation[]
  added: Reservation[]
  changed: { from: Reservation; to: Reservation }[]
  removed: Reservation[]
  /** Why a computer gets no reservation. */
  conflicts: Conflict[]
  /** Entries of others, of computers that have no record. */
  unknown: Reservation[]
}
