// The first word of an output.
export const firstWord = (text: string): string => text.trim().split(/\s+/)[0] ?? ''
