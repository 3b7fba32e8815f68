import type { ReactNode } from 'react';

/** The search field and the create button above a list. */
export function ListHead({
  label,
  typed,
  onType,
  children,
}: {
  readonly label: string;
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly children: ReactNode;
}) {
  return (
    <div className="selection-bar">
      <input
        className="input count"
        style={{ width: 240 }}
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={128}
        onChange={(event) => onType(event.target.value)}
      />
      {children}
    </div>
  );
}
