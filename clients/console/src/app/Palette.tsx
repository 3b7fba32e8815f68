import { useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../parts/Dialog.tsx';
import './palette.css';
import { type Entry, useEntries } from './palette-entries.ts';

function Finder({
  accountName,
  onClose,
}: {
  readonly accountName: string | undefined;
  readonly onClose: () => void;
}) {
  const id = useId();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const entries = useEntries(accountName, typed.trim());
  const chosen = Math.min(at, entries.length - 1);
  const open = ({ go }: Entry) => {
    onClose();
    if (typeof go === 'string') navigate(go);
    else go();
  };
  const onKey = (event: React.KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && entries.length > 0) {
      event.preventDefault();
      setAt((chosen + by + entries.length) % entries.length);
    }
    const entry = entries[chosen];
    if (event.key === 'Enter' && entry !== undefined) {
      event.preventDefault();
      open(entry);
    }
  };
  return (
    <>
      <input
        className="input"
        type="text"
        role="combobox"
        aria-label="Find a page, a device, an account or an action"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length === 0 ? undefined : `${id}-${chosen}`}
        autoComplete="off"
        placeholder="Page, device, account or action"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
        data-first-focus
      />
      <div className="palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
        {entries.map((entry, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field above handles the keys and keeps the focus
          <div
            key={`${entry.group} ${entry.key}`}
            id={`${id}-${n}`}
            className="palette-entry"
            role="option"
            aria-selected={n === chosen}
            ref={(element) => {
              if (n === chosen) element?.scrollIntoView({ block: 'nearest' });
            }}
            onClick={() => open(entry)}
          >
            <span>{entry.label}</span>
            <span className="small soft">{entry.note ?? entry.group}</span>
          </div>
        ))}
      </div>
      <p className="small soft" role="status">
        {entries.length === 0 ? 'Nothing found' : '↑ and ↓ select, Enter opens'}
      </p>
    </>
  );
}

/** Ctrl-K, or Command-K, opens the search for pages, devices, accounts and actions. */
export function Palette({ accountName }: { readonly accountName: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title="Find" onClose={() => setOpen(false)}>
      <Finder accountName={accountName} onClose={() => setOpen(false)} />
    </Dialog>
  );
}
