// The cookie of a session: its names, and how it is set, read and removed.

/** Browsers accept the second name only over TLS and only from this host itself. */
const plainName = 'fleet_session'
const secureName = '__Host-fleet_session'

const plainCookie = /(?:^|; *)fleet_session=([\w-]{43})(?=;|$)/
const secureCookie = /(?:^|; *)__Host-fleet_session=([\w-]{43})(?=;|$)/

const attributes = 'HttpOnly; SameSite=Strict; Path=/'

export function cookieText(secret: string, isSecure: boolean): string {
  return isSecure ? `${secureName}=${secret}; ${attributes}; Secure` : `${plainName}=${secret}; ${attributes}`
}

/** Removes the cookie in a browser. */
export const removedCookie = (isSecure: boolean): string => `${cookieText('', isSecure)}; Max-Age=0`

/**
 * The secret in a header `Cookie`. Over TLS only the secure name counts, as another host of the domain can set the plain
 * one.
 */
export function secretIn(header: string, isSecure: boolean): string | undefined {
  return secureCookie.exec(header)?.[1] ?? (isSecure ? undefined : plainCookie.exec(header)?.[1])
}
