import { useEffect, useRef, useState } from 'react';
import { type ResendScope, resendPart } from '../../api/callbacks.ts';

/** So many are sent again by one who was told this number; the rest by another turn. */
export const RESENT_MAX = 100_000;

interface Place {
  readonly after: string | undefined;
  /** Of the part that begins here, so that sending it again does nothing twice. */
  readonly key: string;
  readonly resent: number;
}

const beginning = (): Place => ({ after: undefined, key: crypto.randomUUID(), resent: 0 });

/** A re-send, part after part. It ends with its dialog, and goes on where it failed when it is begun again. */
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
    /** After the part that is under way. */
    stop: () => {
      stopped.current = true;
    },
    /** What is to be sent is another now. */
    reset: () => {
      place.current = beginning();
      setState({ isSending: false, resent: 0, error: null });
    },
  };
}
