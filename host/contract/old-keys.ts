// Keys of commands that contract 3 has in groups: they work as in contract 2. Types only.

export interface OldKeys {
  /** @deprecated `confirm: 'ask'` */
  destructive?: true
  /** @deprecated `confirm: 'consent'` */
  needsConsent?: true
  /** @deprecated `http: { openWith: 'open_metrics' }` */
  openOption?: 'open_metrics'
  /** @deprecated `http: { queryToken: true }` */
  queryToken?: true
  /** @deprecated `http: { browserLogin: true }` */
  browserLogin?: true
  /** @deprecated `http: { startPage: true }` */
  startPage?: true
  /** @deprecated `http: { rest: true }` */
  rest?: true
  /** @deprecated `audit: { computer: … }` */
  computerKey?: string
  /** @deprecated `audit: { preview: … }` */
  previewKey?: string
}

export interface OldForwardKeys {
  /** @deprecated `imaging: 'write'` of the command */
  createsImage?: true
}
