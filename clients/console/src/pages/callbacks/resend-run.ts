import { useEffect, useRef, useState } from 'react';
import { type ResendScope, resendPart } from '../../api/callbacks.ts';

/** Most callbacks in one run, which the dialog announces; the rest needs another run. */
export const RESENT_MAX = 100_000;

interface Place {
  readonly after: string | undefined;
  /** Idempotency key of the part that begins here, so that sending it again does nothing twice. */
  readonly key: string;
  readonly resent: number;
}

const beginning = (): Place => ({ after: undefined, key: crypto.randomUUID(), resent: 0 });

/** A re-send in parts. It ends with its dialog; after a failure, a restart continues at the failed part. */
export function useResendRun(accountName: string, onDone: (resent: number) => void) {
  const place = useRef(beginning());
  const stopped = useRef(false);
  const [state, setState] = useState({ isSending: false, resent: 0, error: null as unknown });
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const run = async (scope: ResendScope) => {
    stopped.current = false;
    setState((before) => ({ ...before, isSending: true, error: null }));
    try {
      for (let more = true; more && !stopped.current; ) {
        const { resent, next } = await resendPart(accountName, scope, place.current);
        place.current = { after: next, key: crypto.randomUUID(), resent: place.current.resent + resent };
        setState((before) => ({ ...before, resent: place.current.resent }));
        more = next !== undefined && place.current.resent < RESENT_MAX;
      }
      onDone(place.current.resent);
    } catch (error) {
      setState((before) => ({ ...before, isSending: false, error }));
    }
  };
  return {
    ...state,
    start: (scope: ResendScope) => void run(scope),
    /** Stops after the current part. */
    stop: () => {
      stopped.current = true;
    },
    /** Starts over, because the scope has changed. */
    reset: () => {
      place.current = beginning();
      setState({ isSending: false, resent: 0, error: null });
    },
  };
}
