import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useSession } from './session.tsx';

const TICK_MS = 1_000;
const ClockContext = createContext(0);

/** Domain time in milliseconds; it goes on second by second. */
export const useNow = (): number => useContext(ClockContext);

/** What the service said the time is, carried on by this machine's clock. */
export function ClockProvider({ children }: { readonly children: ReactNode }) {
  const { now } = useSession();
  const [at, setAt] = useState(() => Date.parse(now));
  useEffect(() => {
    const [said, heardAt] = [Date.parse(now), performance.now()];
    const tick = () => setAt(said + (performance.now() - heardAt));
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [now]);
  return <ClockContext value={at}>{children}</ClockContext>;
}
