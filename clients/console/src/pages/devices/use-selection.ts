import type { FoundDevice } from '../../api/devices.ts';
import { useRowSelection } from '../../parts/use-row-selection.ts';

const keyOf = ({ deviceId }: FoundDevice): string => deviceId;

/** The selection in a list of devices. */
export const useSelection = (rows: readonly FoundDevice[]) => useRowSelection(rows, keyOf);
export type Selection = ReturnType<typeof useSelection>;
