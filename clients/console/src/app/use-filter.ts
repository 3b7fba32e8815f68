import { useCallback, useEffect, useState } from 'react';
import { useLocation, useSearch, useSearchParams } from 'wouter';

const PAUSE_MS = 250;

/** The last filters of each page, restored when a link leads back to it. */
const lastSearches = new Map<string, string>();

/** The address of a list with its last filters. */
export function useWayBack(path: string): string {
  const search = lastSearches.get(path);
  return search === undefined || search === '' ? path : `${path}?${search}`;
}

/** A filter kept in the address, so that the back button, a reload and a link restore it. */
export function useFilter(name: string): readonly [string, (value: string) => void] {
  const [path] = useLocation();
  const search = useSearch();
  const [params, setParams] = useSearchParams();
  useEffect(() => void lastSearches.set(path, search), [path, search]);
  const set = useCallback(
    (value: string) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === '') after.delete(name);
          else after.set(name, value);
          return after;
        },
        { replace: true },
      ),
    [name, setParams],
  );
  return [params.get(name) ?? '', set];
}

/** The same for a text field: the filter applies when the user stops typing. */
export function useTypedFilter(name: string) {
  const [settled, setSettled] = useFilter(name);
  const [typed, setTyped] = useState(settled);
  useEffect(() => {
    const value = typed.trim();
    if (value === settled) return;
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, settled, setSettled]);
  return { typed, setTyped, settled };
}
