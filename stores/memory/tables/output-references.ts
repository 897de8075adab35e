// References to the outputs of parts: outputs lie in numbered segments, in the order in which they were added.

/** A segment has fewer bytes than this. It is part of the stored format: a reference is segment × span + byte. */
export const segmentSpan = 2 ** 24

/** Refers to an output that was dropped before its part was loaded from a dump: there is no segment 0. */
export const droppedReference = 1

export const segmentOf = (reference: number): number => Math.floor(reference / segmentSpan)

export const offsetOf = (reference: number): number => reference % segmentSpan

/** A text whose JSON has at most this many characters takes no more memory in its row than a reference and its file. */
const shortJson = 20

/** Whether the text is stored in its part's row. */
export const isShort = (text: string): boolean => text.length < shortJson && JSON.stringify(text).length <= shortJson
