import type { ReactNode } from 'react';

interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
}

const tabId = (label: string, id: string): string => `${label} ${id}`.replaceAll(/\W+/g, '-').toLowerCase();
const panelId = (label: string): string => tabId(label, 'panel');

/** The content of the selected tab of the tabs with this label. */
export function TabPanel({
  label,
  selected,
  children,
}: {
  readonly label: string;
  readonly selected: string;
  readonly children: ReactNode;
}) {
  return (
    <div role="tabpanel" id={panelId(label)} aria-labelledby={tabId(label, selected)}>
      {children}
    </div>
  );
}

/** A row of tabs; arrow keys move between them. */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}) {
  const move = (by: number, row: HTMLElement) => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const next = (at + by + tabs.length) % tabs.length;
    onSelect(tabs[next]!.id);
    row.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      className="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') move(1, event.currentTarget);
        if (event.key === 'ArrowLeft') move(-1, event.currentTarget);
      }}
    >
      {tabs.map(({ id, label: text }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabId(label, id)}
          aria-controls={panelId(label)}
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
