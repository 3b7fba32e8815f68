// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Names and messages come from strangers: none may move the cursor or turn the line around. */
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
