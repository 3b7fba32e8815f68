import { useCallback, useEffect, useState } from 'react';
import { useLocation, useSearch, useSearchParams } from 'wouter';

const PAUSE_MS = 250;

/** The filters with which each page was left, for the way back to it by a link. */
const lastSearches = new Map<string, string>();

/** A list with the filters that it had. */
export function useWayBack(path: string): string {
  const search = lastSearches.get(path);
  return search === undefined || search === '' ? path : `${path}?${search}`;
}

/** A filter that stands in the address: the way back, a reload and a link have it too. */
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

/** The same for what somebody types: it counts when they pause. */
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
