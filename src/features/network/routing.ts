import { parseImsiRange } from '../../platform/config/network-file.ts';
import type { NetworkLine, Route } from './order.ts';

/** The lines that an element serves: by IMSI, by account, or all. */
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
    // A line without an IMSI may still get one in the range.
    serves: ({ accountName, imsi: own }: Served) =>
      (names === undefined || names.has(accountName)) && (own === null || isInRange(own)),
  };
}

/** The elements that serve a line, in the order of the file. */
export function createRouting(elements: readonly ServedLines[]): (line: Served) => readonly Route[] {
  const all = elements.map(servesOf);
  return (line) => all.filter(({ serves }) => serves(line)).map(({ route }) => route);
}
