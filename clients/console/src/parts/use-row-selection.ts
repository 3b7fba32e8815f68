import { type KeyboardEvent, type MouseEvent, useCallback, useMemo, useRef, useState } from 'react';

const boxAt = (index: number): HTMLInputElement | null =>
  document.querySelector(`input[data-select-row="${index}"]`);

const all = () => true;

/** Row selection: single rows, a range with Shift, or many at once. The functions passed in must be stable. */
export function useRowSelection<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  /** Rows that can be selected; ranges and "all" skip the others. */
  isSelectable: (row: Row) => boolean = all,
) {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const anchor = useRef(0);
  const setRange = useCallback(
    (from: number, to: number, isOn: boolean) =>
      setSelected((before) => {
        const after = new Map(before);
        for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1).filter(isSelectable))
          if (isOn) after.set(keyOf(row), row);
          else after.delete(keyOf(row));
        return after;
      }),
    [rows, keyOf, isSelectable],
  );
  const acts = useMemo(
    () => ({
      onClick(event: MouseEvent<HTMLInputElement>, index: number) {
        setRange(event.shiftKey ? anchor.current : index, index, event.currentTarget.checked);
        anchor.current = index;
      },
      /** Arrow keys move between the checkboxes; with Shift they also select. */
      onKeyDown(event: KeyboardEvent<HTMLInputElement>, index: number) {
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        const next = boxAt(index + by);
        if (by === 0 || next === null) return;
        event.preventDefault();
        next.focus();
        if (event.shiftKey) setRange(index, index + by, true);
        anchor.current = index + by;
      },
      setAll: (some: readonly Row[]) =>
        setSelected(new Map(some.filter(isSelectable).map((row) => [keyOf(row), row]))),
      clear: () => setSelected(new Map()),
    }),
    [setRange, keyOf, isSelectable],
  );
  return { selected, ...acts };
}
