import { ACCOUNTS, type Accuracy, type CacheMode, type Case, type Level, PROFILE_OF } from '../case.ts';

export interface Fix {
  readonly place: number;
  readonly accuracy: Accuracy;
  readonly radius: number;
  readonly at: number;
}

/** A line from its arrival to its deletion, whoever has it. */
export interface Life {
  readonly line: number;
  /** Undefined after its deletion. */
  owner: number | undefined;
  /** Another customer gets a new device for the line. */
  device: string;
  imei: number;
  hasChangedImei: boolean;
  hasLabel: boolean;
  /** Since when it has its IMEI: always, if nobody had that before. */
  imeiSince: number;
  /** When it moved to its owner. */
  cameAt: number;
  /** What an account that had it may show by the line's own settings. */
  readonly pasts: Map<number, Record<Accuracy, boolean>>;
  /** The IMEIs by which an account had excluded it when it left for another customer. */
  readonly listedAs: Map<number, readonly number[]>;
  /** How each account knew each device of it last. */
  readonly known: Map<string, { readonly imei: number; readonly hasLabel: boolean }>;
  /** Each position in all its forms. */
  cache: readonly Fix[];
}

/** An entry of an exclusion list: an IMEI, and the devices that it was made for. */
export interface Exclusion {
  readonly line: number;
  readonly nth: number;
  readonly devices: Set<string>;
}

export interface Account {
  readonly nr: number;
  isClosed: boolean;
  level: Level;
  readonly own: Map<string, Level>;
  excludesAll: boolean;
  list: Exclusion[];
  isOpen: boolean;
  listens: boolean;
  billed: number;
}

export interface Held {
  readonly text: string;
  readonly isPosition: boolean;
}

export interface Entry {
  readonly life: Life;
  readonly device: string;
  readonly wasDenied: boolean;
  state: 'waiting' | 'absent' | 'unasked' | 'over';
  held: Held | undefined;
}

export interface Request {
  readonly name: string;
  readonly account: number;
  readonly by: 'report' | 'callbacks';
  readonly accuracy: Accuracy;
  readonly cacheMode: CacheMode;
  status: 'QUEUED' | 'COMPLETED' | 'CANCELLED';
  readonly entries: readonly Entry[];
}

/** A callback about a line, or about a whole report. */
export interface Message {
  readonly request: Request;
  readonly about: { readonly entry: Entry; readonly held: Held } | undefined;
  state: 'pending' | 'delivered' | 'failed';
  /** Of the present series. */
  attempts: number;
  attemptsInAll: number;
}

export interface State {
  now: number;
  readonly accounts: readonly Account[];
  /** The last one of a line is the present one. */
  readonly lives: Life[];
  requests: Request[];
  messages: Message[];
  readonly network: { answer: 'found' | 'absent' | 'failing'; place: number }[];
  readonly used: {
    readonly account: number;
    readonly life: Life;
    readonly key: string;
    readonly bytes: number;
  }[];
}

export const begin = ({ lines }: Case, now: number): State => {
  const state: State = {
    now,
    accounts: Array.from({ length: ACCOUNTS }, (_, nr) => ({
      ...{ nr, isClosed: false, level: 2, own: new Map(), excludesAll: false, list: [] },
      // Each account has located one line that does not occur in the case.
      ...{ isOpen: true, listens: true, billed: 1 },
    })),
    ...{ lives: [], requests: [], messages: [], used: [] },
    network: lines.map(({ answer }) => ({ answer, place: 1 })),
  };
  for (const [line, { account }] of lines.entries()) if (account !== undefined) arrive(state, line, account);
  return state;
};

export const lifeOf = ({ lives }: State, line: number): Life | undefined =>
  lives.findLast((life) => life.line === line);
export const ownedLife = (state: State, line: number): Life | undefined => {
  const life = lifeOf(state, line);
  return life?.owner === undefined ? undefined : life;
};

export const knownAs = ({ owner, device }: Life): string => `${owner} ${device}`;
export const know = (life: Life): void =>
  void life.known.set(knownAs(life), { imei: life.imei, hasLabel: life.hasLabel });

let devices = 0;
export const newDevice = () => `device ${++devices}`;

export function arrive(state: State, line: number, owner: number): void {
  const life: Life = {
    ...{ line, owner, device: newDevice(), imei: lifeOf(state, line)?.imei ?? 0 },
    ...{ hasChangedImei: false, hasLabel: true },
    imeiSince: lifeOf(state, line) === undefined ? Number.NEGATIVE_INFINITY : state.now,
    cameAt: Number.NEGATIVE_INFINITY,
    ...{ pasts: new Map(), listedAs: new Map(), known: new Map(), cache: [] },
  };
  know(life);
  state.lives.push(life);
}

export const profileOf = (account: number) => PROFILE_OF[account]!;
