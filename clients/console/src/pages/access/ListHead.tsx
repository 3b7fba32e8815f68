import type { ReactNode } from 'react';

/** Above a list: what it is searched by, and what can be made. */
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
