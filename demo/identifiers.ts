/**
 * Fictional identifiers: IMEIs of the test ranges (type codes from 00 and 99), SIM numbers of an unassigned
 * country code, the test network 001/01, and phone numbers 555-01xx in area codes that do not exist. All have
 * valid check digits.
 */

/** True when the last digit is the Luhn check digit of those before it. */
export function passesLuhn(text: string): boolean {
  const sum = [...text].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const withLuhn = (text: string): string =>
  text + [...'0123456789'].find((digit) => passesLuhn(text + digit))!;

const padded = (serial: number, length: number) => String(serial).padStart(length, '0');

/** Fifteen digits: eight for the type, six for the serial number, one check digit. */
export const imeiOf = (typeCode: string, serial: number): string => withLuhn(typeCode + padded(serial, 6));

/** Twenty digits: 89 for telecommunication, 999 for no country, 01 for the network. */
export const iccidOf = (serial: number): string => withLuhn(`8999901${padded(serial, 12)}`);

export const imsiOf = (serial: number): string => `001017${padded(serial, 9)}`;

/** Thirty digits and two check digits that make the number 1 modulo 97. */
export function eidOf(serial: number): string {
  const body = `89999001${padded(serial, 22)}`;
  return body + padded(Number(98n - ((BigInt(body) * 100n) % 97n)), 2);
}

/** The number of the n-th line of an area, from 555-0100 to 555-0199. */
export function mdnOf(areaCode: string, line: number): string {
  if (line >= 100) throw new Error(`area ${areaCode} has no fictional number left`);
  return `${areaCode}55501${padded(line, 2)}`;
}

/** 02 marks a locally administered address. */
export const macOf = (serial: number): string =>
  `021A7C${serial.toString(16).toUpperCase().padStart(6, '0')}`.match(/../g)!.join(':');

export const deveuiOf = (serial: number): string =>
  `021A7CFFFE${serial.toString(16).toUpperCase().padStart(6, '0')}`;

const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const VIN_LETTERS: Readonly<Record<string, number>> = {
  ...{ A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8, J: 1, K: 2, L: 3, M: 4, N: 5 },
  ...{ P: 7, R: 9, S: 2, T: 3, U: 4, V: 5, W: 6, X: 7, Y: 8, Z: 9 },
};

/** The check character at position nine of a vehicle identification number. */
export function vinCheck(vin: string): string {
  const sum = [...vin].reduce(
    (total, letter, place) => total + (VIN_LETTERS[letter] ?? Number(letter)) * VIN_WEIGHTS[place]!,
    0,
  );
  return sum % 11 === 10 ? 'X' : String(sum % 11);
}

/** A vehicle of a fictional maker. */
export function vinOf(serial: number): string {
  const [front, back] = ['1ZZLK7D8', `RZ${padded(serial, 6)}`];
  return `${front}${vinCheck(`${front}0${back}`)}${back}`;
}
