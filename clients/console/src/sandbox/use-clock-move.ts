import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { statusOf } from '../api/client.ts';
import { type ClockState, moveClock, readClock } from '../api/sandbox.ts';
import type { Session } from '../api/session.ts';
import { mayAs } from '../app/session.tsx';
import { useToasts } from '../parts/toasts.tsx';
import { formatNumber, formatTime } from '../text/format.ts';

const MOVE_KEY = ['move-clock'];
const POLL_MS = 500;
/** A move that ends before where it was to go has failed; reading two clocks takes a moment. */
const SLACK_MS = 1_000;

/** Who has the bar of the sandbox. */
export const maySteer = (session: Session): boolean =>
  session.sandbox && mayAs(session, 'clock') && mayAs(session, 'read');

/** Where the clock stands; asked for often while it moves, or is to. */
export function useClockState() {
  const isAsked = useIsMutating({ mutationKey: MOVE_KEY }) > 0;
  const clock = useQuery({
    queryKey: ['clock'],
    queryFn: ({ signal }) => readClock(signal),
    refetchInterval: ({ state }) => (state.data?.movingTo === undefined && !isAsked ? false : POLL_MS),
  });
  return { ...clock, isMoving: isAsked || clock.data?.movingTo !== undefined };
}

/**
 * Moves the clock. An answer that never came says nothing about the move: the clock itself tells how it goes on, and
 * `useMoveNews` how it ended.
 */
export function useClockMove() {
  const queries = useQueryClient();
  const { say } = useToasts();
  return useMutation({
    mutationKey: MOVE_KEY,
    mutationFn: async (move: Parameters<typeof moveClock>[0]) => {
      try {
        return await moveClock(move);
      } catch (error) {
        if (statusOf(error) !== 0) throw error;
        // It may be under way: what the clock says counts.
        if ((await readClock()).movingTo === undefined) throw error;
        return undefined;
      }
    },
    onSuccess: async (moved, { reset }) => {
      if (reset) say('The sandbox is empty');
      else if (moved !== undefined && moved.remaining === undefined)
        say(`Time was moved; ${formatNumber(moved.ran)} pieces of work were done`);
      // Whatever is shown was of another time.
      await queries.invalidateQueries();
    },
    onError: () => queries.invalidateQueries({ queryKey: ['clock'] }),
  });
}

/** No move: nothing falls due by it. */
export function useFreeze() {
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  return useMutation({
    mutationFn: (freeze: boolean) => moveClock({ freeze }),
    onSuccess: (_now, freeze) => {
      say(freeze ? 'Time stands still' : 'Time runs again');
      for (const topic of ['clock', 'session']) void queries.invalidateQueries({ queryKey: [topic] });
    },
    onError: complain,
  });
}

/** Says how a move ended for which nobody waits any more. */
export function useMoveNews(data: ClockState | undefined): void {
  const queries = useQueryClient();
  const { say, warn } = useToasts();
  const isAsked = useIsMutating({ mutationKey: MOVE_KEY }) > 0;
  const last = useRef<ClockState | undefined>(undefined);
  useEffect(() => {
    if (data === undefined) return;
    const { movingTo, ran = 0 } = last.current ?? {};
    last.current = data;
    if (movingTo === undefined || data.movingTo !== undefined || isAsked) return;
    if (Date.parse(data.now) < Date.parse(movingTo) - SLACK_MS)
      warn(`The move ended at ${formatTime(data.now)}, before ${formatTime(movingTo)}`);
    else say(`Time was moved; ${formatNumber(ran)} pieces of work were done`);
    void queries.invalidateQueries();
  }, [data, isAsked, queries, say, warn]);
}
