import { useSyncExternalStore } from 'react';

/** Devices that were chosen on one page, to be acted on there or on another. */
interface Selection {
  readonly accountName: string;
  readonly deviceIds: readonly string[];
}

const NONE: readonly string[] = [];
let selection: Selection = { accountName: '', deviceIds: NONE };
const listeners = new Set<() => void>();

/** Kept as long as this tab has the console open, and nowhere else. */
export function selectDevices(accountName: string, deviceIds: readonly string[]): void {
  selection = { accountName, deviceIds };
  for (const listener of listeners) listener();
}

export const selectedDevices = (accountName: string): readonly string[] =>
  selection.accountName === accountName ? selection.deviceIds : NONE;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSelectedDevices = (accountName: string): readonly string[] =>
  useSyncExternalStore(subscribe, () => selectedDevices(accountName));
