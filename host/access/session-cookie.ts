// The cookies of the daemon: their names, and how they are set, read and removed.

export interface Cookie {
  /** The header `Set-Cookie`. */
  text(value: string, isSecure: boolean): string
  /** The value in a header `Cookie`. */
  read(header: string, isSecure: boolean): string | undefined
}

const attributes = 'HttpOnly; SameSite=Strict; Path=/'

/**
 * Browsers accept the prefix `__Host-` only over TLS and only from this host itself. Over TLS only the name with it counts, as
 * another host of the domain can set the plain one.
 */
export function createCookie(name: string, value: RegExp): Cookie {
  const secureName = `__Host-${name}`
  const patternOf = (full: string) => new RegExp(`(?:^|; *)${full}=(${value.source})(?=;|$)`)
  const [plain, secure] = [patternOf(name), patternOf(secureName)]
  return {
    text: (text, isSecure) =>
      isSecure ? `${secureName}=${text}; ${attributes}; Secure` : `${name}=${text}; ${attributes}`,
    read: (header, isSecure) => secure.exec(header)?.[1] ?? (isSecure ? undefined : plain.exec(header)?.[1]),
  }
}

const { text, read } = createCookie('fleet_session', /[\w-]{43}/)

export const cookieText = text

/** The secret of a session in a header `Cookie`. */
export const secretIn = read

/** Removes the cookie in a browser. */
export const removedCookie = (isSecure: boolean): string => `${cookieText('', isSecure)}; Max-Age=0`
