import { useSyncExternalStore } from 'react';

/** Devices selected on one page for an action there or on another page. */
interface Selection {
  readonly accountName: string;
  /** Unique for each selection, because a long device list cannot serve as a key. */
  readonly id: number;
  readonly deviceIds: readonly string[];
}

const NONE: Selection = { accountName: '', id: 0, deviceIds: [] };
let selection = NONE;
const listeners = new Set<() => void>();

/** Kept only in this tab, until its session ends. */
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
