import { useState } from 'react';
import { Button } from './Button.tsx';

const SAID_MS = 2_000;

/** Puts a text where it can be pasted from. Over plain HTTP from another machine a browser refuses; then it says so. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [said, setSaid] = useState<string | undefined>();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Select it by hand');
    }
    setTimeout(() => setSaid(undefined), SAID_MS);
  };
  return (
    <Button aria-label={label} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? 'Copy'}</span>
    </Button>
  );
}
