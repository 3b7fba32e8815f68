import { DEVICE_STATES, type DeviceState } from './device.ts';

/** As many are answered at most, and when nobody says how many. */
export const LISTED_MAX = 2_000;

/** Other words that clients know the states by; a device is never found in those that end at once. */
const OTHER_WORDS: ReadonlyMap<string, DeviceState | 'none'> = new Map([
  ['activate', 'active'],
  ['suspended', 'suspend'],
  ['deactivate', 'deactive'],
  ['preactive', 'pre-active'],
  ['pending activation', 'none'],
  ['pending deactivation', 'none'],
]);

export function parseDeviceState(text: string): DeviceState | 'none' | undefined {
  const word = text.trim().toLowerCase();
  return DEVICE_STATES.find((state) => state === word) ?? OTHER_WORDS.get(word);
}

const CUSTOM_FIELD = /^customfield[1-5]$/i;
export const isCustomField = (key: string): boolean => CUSTOM_FIELD.test(key);

/** Identifiers have ten digits and more: what is shorter is the number that a listing gave. */
export const LIST_NUMBER = /^[0-9]{1,18}$/;
export const isListNumber = (text: string): boolean => text.length < 10 && LIST_NUMBER.test(text);
