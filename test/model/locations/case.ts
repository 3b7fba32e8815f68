export type Accuracy = 'coarse' | 'precise';
export type CacheMode = 0 | 1 | 2;
/** 0 all, 1 only precise, 2 only coarse, 3 nothing. */
export type Level = 0 | 1 | 2 | 3;
/** What the network says of a line. `failing` never changes: such a line is reached, but not located. */
export type Answer = 'found' | 'absent' | 'failing';

/** The third account belongs to another customer than the first two. */
export const PROFILE_OF = [0, 0, 1] as const;
export const ACCOUNTS = PROFILE_OF.length;

export interface Line {
  /** Undefined: it arrives later. */
  readonly account: number | undefined;
  readonly answer: Answer;
}

interface Wish {
  readonly account: number;
  readonly accuracy: Accuracy;
  readonly cacheMode: CacheMode;
  readonly lines: readonly number[];
}

/** What may also happen while the network is asked. */
export type Change =
  /** Ends the levels of single lines. */
  | { readonly do: 'level'; readonly account: number; readonly level: Level }
  | { readonly do: 'own'; readonly account: number; readonly line: number; readonly level: Level }
  | {
      readonly do: 'exclude';
      readonly account: number;
      readonly lines: readonly number[];
      readonly replace: boolean;
    }
  | { readonly do: 'include'; readonly account: number; readonly line: number }
  | { readonly do: 'all'; readonly account: number; readonly excluded: boolean }
  | { readonly do: 'clear'; readonly account: number }
  /** Each line by its nth IMEI, whether it has that one or not. */
  | {
      readonly do: 'importList';
      readonly account: number;
      readonly idents: readonly (readonly [line: number, nth: number])[];
    }
  | { readonly do: 'importLevel'; readonly account: number; readonly level: Level }
  /** The line gets its next IMEI. */
  | { readonly do: 'imei'; readonly line: number }
  | { readonly do: 'arrive'; readonly line: number; readonly account: number }
  | { readonly do: 'move'; readonly line: number; readonly to: number }
  | { readonly do: 'delete' | 'erase'; readonly line: number }
  | { readonly do: 'close'; readonly account: number }
  /** Whether subscribed use is left. */
  | { readonly do: 'gate'; readonly account: number; readonly open: boolean };

export type Step =
  | Change
  | {
      readonly do: 'network';
      readonly line: number;
      readonly answer: 'found' | 'absent';
      readonly place: number;
    }
  | {
      readonly do: 'feed';
      readonly line: number;
      readonly place: number;
      readonly accuracy: Accuracy;
      readonly late: boolean;
    }
  | ({ readonly do: 'sync' } & Wish)
  | ({ readonly do: 'ask'; readonly name: string; readonly by: 'report' | 'callbacks' } & Wish)
  | { readonly do: 'cancel' | 'resend'; readonly name: string }
  | { readonly do: 'listen'; readonly account: number; readonly answers: boolean }
  | { readonly do: 'use'; readonly line: number; readonly bytes: number }
  /** An hour passes, and all due work is done. The change happens when the network is first asked for the line. */
  | { readonly do: 'work'; readonly during?: { readonly line: number; readonly change: Change } };

export interface Case {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly steps: readonly Step[];
}

/** Entries of one request that are asked for together: the service under test has this limit. */
export const CHUNK = 2;
export const ATTEMPTS = 4;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** How old a late position is. */
export const LATE_MS = 1.5 * HOUR_MS + 30_000;
/** The network says since when it knows a position: of two for one hour the precise one is newer, whichever was asked for first. */
export const FOUND_AGO_MS = { precise: 0, coarse: 1 };
/** Metres, by which the kinds of positions are told apart. */
export const RADIUS = {
  network: { precise: 20, coarse: 700 },
  fed: { precise: 30, coarse: 800 },
  /** A precise position that is shown as a coarse one. */
  coarsened: 1_000,
};

/** The latitude of a place: every line has its own. Coarse positions keep two decimals. */
export const latitudeOf = (line: number, place: number): number =>
  Number((line * 10 + place / 100).toFixed(2));

/** Whether the step may change what somebody is shown. */
export const isSeen = ({ do: what }: Step): boolean =>
  !['network', 'feed', 'gate', 'listen', 'use', 'sync'].includes(what);
