import { useState } from 'react';
import { CheckField } from './fields.tsx';
import { Popover } from './Popover.tsx';

function readKept(name: string, usual: readonly string[]): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
    return new Set(Array.isArray(kept) ? kept.map(String) : usual);
  } catch {
    return new Set(usual);
  }
}

/** The chosen column names, stored in this browser. */
export function useKeptNames(name: string, usual: readonly string[] = []) {
  const [keys, setKeys] = useState(() => readKept(name, usual));
  const toggle = (key: string) => {
    const after = new Set(keys);
    if (!after.delete(key)) after.add(key);
    setKeys(after);
    try {
      localStorage.setItem(name, JSON.stringify([...after]));
    } catch {
      // Without storage, the default columns show next time.
    }
  };
  return { keys, toggle };
}

export function ColumnChooser({
  choices,
  isShown,
  toggle,
}: {
  readonly choices: readonly { readonly key: string; readonly title: string }[];
  readonly isShown: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}) {
  return (
    <Popover label="Choose columns" button="Columns" side="right">
      {() => (
        <div className="stack">
          {choices.map(({ key, title }) => (
            <CheckField key={key} label={title} checked={isShown(key)} onChange={() => toggle(key)} />
          ))}
        </div>
      )}
    </Popover>
  );
}
