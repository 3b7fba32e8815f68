import { parseImsiRange } from '../../platform/config/network-file.ts';
import type { NetworkLine, Route } from './order.ts';

/** Which lines an element serves: by their IMSI, by their account, or all. */
export interface ServedLines {
  readonly name: string;
  readonly afterwards: boolean;
  readonly imsi?: readonly string[];
  readonly accounts?: readonly string[];
}

type Served = Pick<NetworkLine, 'accountName' | 'imsi'>;

function servesOf({ name, afterwards, imsi, accounts }: ServedLines) {
  const ranges = imsi?.map(parseImsiRange);
  const names = accounts === undefined ? undefined : new Set(accounts);
  const isInRange = (value: string) =>
    ranges?.some(({ from, to }) => value.length === from.length && from <= value && value <= to) ?? true;
  return {
    route: { element: name, afterwards },
    // One that has no IMSI yet may get one that is in the range.
    serves: ({ accountName, imsi: own }: Served) =>
      (names === undefined || names.has(accountName)) && (own === null || isInRange(own)),
  };
}

/** The elements that a line is mapped to, in the order of the file. */
export function createRouting(elements: readonly ServedLines[]): (line: Served) => readonly Route[] {
  const all = elements.map(servesOf);
  return (line) => all.filter(({ serves }) => serves(line)).map(({ route }) => route);
}
