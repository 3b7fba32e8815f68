import { useState } from 'react';
import { Button } from './Button.tsx';

const SAID_MS = 2_000;

/** Copies a text to the clipboard. Browsers refuse this over plain HTTP from another machine; the button then says so. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [said, setSaid] = useState<string | undefined>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Select and copy it yourself');
    }
    setTimeout(() => setSaid(undefined), SAID_MS);
  };
  return (
    <Button aria-label={label} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? 'Copy'}</span>
    </Button>
  );
}
