import type { Change } from '../case.ts';
import { allows, isListed, judge, withdrawFromEarlier } from './consent.ts';
import {
  type Account,
  arrive,
  type Entry,
  type Held,
  know,
  type Life,
  lifeOf,
  newDevice,
  ownedLife,
  profileOf,
  type State,
} from './state.ts';

export const failure = (text: string): Held => ({ text, isPosition: false });
export const NO_LINE = failure('UNKNOWN SUBSCRIBER');
const ERASED = failure('SVC DEVICE LOCATION DATA UNAVAILABLE');
const IMEIS_MAX = 8;

export const isPossible = (state: State, change: Change): boolean => {
  const owns = (account: number, line: number) => ownedLife(state, line)?.owner === account;
  const isThere = (account: number) => !state.accounts[account]!.isClosed;
  switch (change.do) {
    case 'own':
    case 'include':
      return owns(change.account, change.line);
    case 'exclude':
      return change.lines.length > 0 && change.lines.every((line) => owns(change.account, line));
    case 'imei': {
      const life = ownedLife(state, change.line);
      return life !== undefined && profileOf(life.owner!) === 0 && life.imei < IMEIS_MAX;
    }
    case 'arrive':
      return isThere(change.account) && ownedLife(state, change.line) === undefined;
    case 'move': {
      const life = ownedLife(state, change.line);
      return life !== undefined && life.owner !== change.to && isThere(change.to);
    }
    case 'delete':
      return ownedLife(state, change.line) !== undefined;
    case 'erase':
      // An IMEI stands for a deleted line only for the time in which it had it.
      return (
        lifeOf(state, change.line) !== undefined &&
        state.lives.every(
          (life) => life.line !== change.line || life.owner !== undefined || !life.hasChangedImei,
        )
      );
    default:
      return isThere(change.account);
  }
};

const entryOf = ({ list }: Account, { line, imei }: Life) =>
  list.find((entry) => entry.line === line && entry.nth === imei);

function exclude(account: Account, life: Life): void {
  if (account.list.some(({ devices }) => devices.has(life.device))) return;
  const entry = entryOf(account, life) ?? { line: life.line, nth: life.imei, devices: new Set() };
  if (!account.list.includes(entry)) account.list.push(entry);
  entry.devices.add(life.device);
}

/** The line is excluded no more, whatever it was excluded by. */
const include = (account: Account, life: Life): void => {
  const own = entryOf(account, life);
  account.list = account.list.filter((entry) => entry !== own && !entry.devices.has(life.device));
};

/** A device that an entry excludes by its IMEI stays excluded without it. */
const keepListed = (account: Account, life: Life) => void entryOf(account, life)?.devices.add(life.device);

const awaited = (entry: Entry) => entry.state === 'absent' || entry.state === 'unasked';

/** What the owner has under way for the line fails. */
function failAwaited({ requests }: State, life: Life): void {
  for (const { account, entries } of requests)
    for (const entry of entries)
      if (account === life.owner && entry.life === life && awaited(entry))
        Object.assign(entry, { state: 'over', held: NO_LINE });
}

/** Without `account`: of every owner. */
function erase(state: State, isErased: (life: Life) => boolean, account?: number): void {
  const concerns = (nr: number, life: Life) => (account === undefined || nr === account) && isErased(life);
  for (const request of state.requests)
    for (const entry of request.entries)
      if (concerns(request.account, entry.life) && entry.held?.isPosition === true) entry.held = ERASED;
  state.messages = state.messages.filter(
    ({ request, about }) => about === undefined || !concerns(request.account, about.entry.life),
  );
}

function endDevice(state: State, life: Life): void {
  for (const { list, own } of state.accounts) {
    for (const { devices } of list) devices.delete(life.device);
    own.delete(life.device);
  }
}

/** For the accounts of the customer that knew this device: the entries that exclude it stand for the line when it comes back. */
function keepListedAway({ accounts }: State, life: Life): void {
  for (const { nr, list } of accounts)
    if (life.known.has(`${nr} ${life.device}`))
      life.listedAs.set(
        nr,
        list.filter(({ devices }) => devices.has(life.device)).map(({ nth }) => nth),
      );
}

function remove(state: State, life: Life): void {
  erase(state, (other) => other === life, life.owner);
  failAwaited(state, life);
  life.pasts.delete(life.owner!);
  endDevice(state, life);
  Object.assign(life, { owner: undefined, cache: [] });
}

function move(state: State, life: Life, to: number): void {
  const from = state.accounts[life.owner!]!;
  const isDenied = (['coarse', 'precise'] as const).every((one) => judge(from, life, one) !== 'shown');
  const own = from.own.get(life.device);
  const keeps = (accuracy: 'coarse' | 'precise') =>
    !isListed(from, life) && (own === undefined || allows(own, accuracy));
  life.pasts.set(from.nr, { coarse: keeps('coarse'), precise: keeps('precise') });
  failAwaited(state, life);
  keepListed(from, life);
  from.own.delete(life.device);
  life.listedAs.delete(from.nr);
  if (profileOf(from.nr) !== profileOf(to)) {
    keepListedAway(state, life);
    endDevice(state, life);
    Object.assign(life, { device: newDevice(), hasLabel: false });
  }
  Object.assign(life, { owner: to, imeiSince: state.now, cameAt: state.now, cache: [] });
  for (const { line, nth, devices } of state.accounts[to]!.list)
    if (line === life.line && life.listedAs.get(to)?.includes(nth)) devices.add(life.device);
  if (isDenied) state.accounts[to]!.own.set(life.device, 3);
  know(life);
}

function close(state: State, account: Account): void {
  for (const life of state.lives) if (life.owner === account.nr) remove(state, life);
  state.requests = state.requests.filter((request) => request.account !== account.nr);
  state.messages = state.messages.filter(({ request }) => request.account !== account.nr);
  account.isClosed = true;
}

function apply(state: State, change: Change): void {
  const account = 'account' in change ? state.accounts[change.account]! : undefined;
  const life = 'line' in change ? ownedLife(state, change.line) : undefined;
  switch (change.do) {
    case 'level':
      account!.own.clear();
      account!.level = change.level;
      return;
    case 'importLevel':
      account!.level = change.level;
      return;
    case 'own':
      account!.own.set(life!.device, change.level);
      return;
    case 'exclude': {
      const lives = change.lines.map((line) => ownedLife(state, line)!);
      if (change.replace) {
        account!.list = lives.map(
          (one) => entryOf(account!, one) ?? { line: one.line, nth: one.imei, devices: new Set() },
        );
        for (const [n, one] of lives.entries()) account!.list[n]!.devices.add(one.device);
      } else for (const one of lives) exclude(account!, one);
      return;
    }
    case 'include':
      include(account!, life!);
      return;
    case 'all':
      account!.excludesAll = change.excluded;
      return;
    case 'clear':
      Object.assign(account!, { excludesAll: false, list: [] });
      return;
    case 'importList':
      account!.list = change.idents.map(
        ([line, nth]) =>
          account!.list.find((entry) => entry.line === line && entry.nth === nth) ?? {
            ...{ line, nth, devices: new Set() },
          },
      );
      return;
    case 'imei':
      keepListed(state.accounts[life!.owner!]!, life!);
      Object.assign(life!, {
        ...{ imei: life!.imei + 1, hasChangedImei: true, imeiSince: Number.NEGATIVE_INFINITY },
      });
      know(life!);
      return;
    case 'arrive':
      arrive(state, change.line, change.account);
      return;
    case 'move':
      move(state, life!, change.to);
      return;
    case 'delete':
      remove(state, life!);
      return;
    case 'erase': {
      const named = lifeOf(state, change.line)!;
      erase(state, (one) => one === named || (one.line === named.line && one.imei === named.imei));
      named.cache = [];
      return;
    }
    case 'close':
      close(state, account!);
      return;
    case 'gate':
      account!.isOpen = change.open;
  }
}

export function make(state: State, change: Change): void {
  apply(state, change);
  withdrawFromEarlier(state);
}
