// Tags of computers and rooms: words, plain or `key:value`.

/** As they are stored: in lower case, each once, sorted. */
export const toTags = (words: readonly string[]): string[] => [...new Set(words.map(word => word.toLowerCase()))].sort()
