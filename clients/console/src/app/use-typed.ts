import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/** What somebody has typed, when they pause. */
export function useTyped(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
