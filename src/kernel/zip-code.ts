const DIGITS = 5;

/** A number has lost its leading zeros; text has not. */
export const zipTextOf = (given: string | number): string =>
  typeof given === 'number' ? String(given).padStart(DIGITS, '0') : given;

export const isZipCode = (text: string): boolean => /^[0-9]{5}$/.test(text);
