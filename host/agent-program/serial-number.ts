// Tells serial numbers from what manufacturers leave in their place.

/** Manufacturers' texts where a number was never written. */
const noSerial =
  /^(0+|none|n\/?a|not (specified|applicable)|to be filled by o\.?e\.?m\.?|default string|system serial.*)$/i

/** '' when the text is none. */
export const knownSerial = (text: string): string => (noSerial.test(text) ? '' : text)
