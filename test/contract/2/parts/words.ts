// Helpers of the site.
export const firstWord = (text: string): string => text.trim().split(/\s+/)[0] ?? ''
