import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useSession } from './session.tsx';

const TICK_MS = 1_000;
/** A smaller difference may come from the time the answer took. */
const JUMP_MS = 5_000;

const ClockContext = createContext(0);
const SetClockContext = createContext<(said: string) => boolean>(() => false);

/** Domain time in milliseconds, updated every second. */
export const useNow = (): number => useContext(ClockContext);
/** Sets the time from an answer of the service; true when the time has jumped. */
export const useSetClock = () => useContext(SetClockContext);

interface Heard {
  readonly said: number;
  readonly at: number;
}
const hear = (said: string): Heard => ({ said: Date.parse(said), at: performance.now() });
const timeAfter = ({ said, at }: Heard, isFrozen: boolean): number =>
  isFrozen ? said : said + (performance.now() - at);

/** Advances the last time from the service with this machine's clock. */
export function ClockProvider({ children }: { readonly children: ReactNode }) {
  const { now, frozen } = useSession();
  const isFrozen = useRef(frozen);
  isFrozen.current = frozen;
  const [first] = useState(() => hear(now));
  const heard = useRef(first);
  const [time, setTime] = useState(first.said);
  const set = useCallback((said: string) => {
    const jumped = Math.abs(Date.parse(said) - timeAfter(heard.current, isFrozen.current)) > JUMP_MS;
    heard.current = hear(said);
    setTime(heard.current.said);
    return jumped;
  }, []);
  useEffect(() => void set(now), [now, set]);
  useEffect(() => {
    const timer = setInterval(() => setTime(timeAfter(heard.current, isFrozen.current)), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <SetClockContext value={set}>
      <ClockContext value={time}>{children}</ClockContext>
    </SetClockContext>
  );
}
