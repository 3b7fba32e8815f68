import { useState } from 'react';
import { CheckField } from '../../parts/fields.tsx';
import { Popover } from '../../parts/Popover.tsx';
import { CHOICES } from './columns.tsx';

const KEPT_AS = 'linekeeper.device-columns';
const USUAL = CHOICES.filter(({ isUsual }) => isUsual).map(({ key }) => key);

function readChosen(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null');
    return new Set(Array.isArray(kept) ? kept.map(String) : USUAL);
  } catch {
    return new Set(USUAL);
  }
}

/** Which columns somebody has chosen, on this browser. */
export function useColumns() {
  const [keys, setKeys] = useState(readChosen);
  const toggle = (key: string) => {
    const after = new Set(keys);
    if (!after.delete(key)) after.add(key);
    setKeys(after);
    try {
      localStorage.setItem(KEPT_AS, JSON.stringify([...after]));
    } catch {
      // A browser that keeps nothing shows the usual columns next time.
    }
  };
  return { keys, toggle };
}

export function ColumnChooser({ keys, toggle }: ReturnType<typeof useColumns>) {
  return (
    <Popover label="Choose columns" button="Columns" side="right">
      {() => (
        <div className="stack">
          {CHOICES.map(({ key, title }) => (
            <CheckField key={key} label={title} checked={keys.has(key)} onChange={() => toggle(key)} />
          ))}
        </div>
      )}
    </Popover>
  );
}
