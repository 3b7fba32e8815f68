import { useSyncExternalStore } from 'react';

/** Devices that were chosen on one page, to be acted on there or on another. */
interface Selection {
  readonly accountName: string;
  /** Of its own for each selection: a list of so many devices is no key. */
  readonly id: number;
  readonly deviceIds: readonly string[];
}

const NONE: Selection = { accountName: '', id: 0, deviceIds: [] };
let selection = NONE;
const listeners = new Set<() => void>();

/** Kept in this tab as long as its session, and nowhere else. */
export function selectDevices(accountName: string, deviceIds: readonly string[]): void {
  selection = { accountName, id: selection.id + 1, deviceIds };
  for (const listener of listeners) listener();
}
export const forgetSelection = (): void => selectDevices('', []);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSelectedDevices = (accountName: string): Selection =>
  useSyncExternalStore(subscribe, () => (selection.accountName === accountName ? selection : NONE));
