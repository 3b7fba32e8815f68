// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Removes control characters from untrusted text, which could move the cursor or reverse the line. */
export const plainText = (text: string): string => text.replace(CONTROL, '\ufffd');

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function inBytes(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 1_000 && unit < UNITS.length - 1) {
    amount /= 1_000;
    unit++;
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${UNITS[unit]}`;
}
