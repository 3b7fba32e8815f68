import { type KeyboardEvent, type MouseEvent, useCallback, useMemo, useRef, useState } from 'react';
import type { FoundDevice } from '../../api/devices.ts';

type Selected = ReadonlyMap<string, FoundDevice>;
const NONE: Selected = new Map();

const boxAt = (index: number): HTMLInputElement | null =>
  document.querySelector(`input[data-select-row="${index}"]`);

/** Which devices of a list are selected: one by one, a range with Shift, or many at once. */
export function useSelection(rows: readonly FoundDevice[]) {
  const [selected, setSelected] = useState(NONE);
  const anchor = useRef(0);
  const setRange = useCallback(
    (from: number, to: number, isOn: boolean) =>
      setSelected((before) => {
        const after = new Map(before);
        for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1))
          if (isOn) after.set(row.deviceId, row);
          else after.delete(row.deviceId);
        return after;
      }),
    [rows],
  );
  const acts = useMemo(
    () => ({
      onClick(event: MouseEvent<HTMLInputElement>, index: number) {
        setRange(event.shiftKey ? anchor.current : index, index, event.currentTarget.checked);
        anchor.current = index;
      },
      /** Arrows go from box to box, and with Shift take those along that they come to. */
      onKeyDown(event: KeyboardEvent<HTMLInputElement>, index: number) {
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        const next = boxAt(index + by);
        if (by === 0 || next === null) return;
        event.preventDefault();
        next.focus();
        if (event.shiftKey) setRange(index, index + by, true);
        anchor.current = index + by;
      },
      setAll: (devices: readonly FoundDevice[]) =>
        setSelected(new Map(devices.map((device) => [device.deviceId, device]))),
      clear: () => setSelected(NONE),
    }),
    [setRange],
  );
  return { selected, ...acts };
}
export type Selection = ReturnType<typeof useSelection>;
