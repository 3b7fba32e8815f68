import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { moveClock, readClock } from '../../api/operation.ts';
import { useNow } from '../../app/clock.tsx';
import { mayAs, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { ErrorText, ReadProblem } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatNumber, formatSpan } from '../../text/format.ts';
import { ResetDialog } from './ResetDialog.tsx';

const STEPS = [
  ['PT5M', '5 minutes'],
  ['PT1H', '1 hour'],
  ['P1D', '1 day'],
  ['P7D', '1 week'],
  ['P1M', '1 month'],
] as const;
/** So far that a billing month ends on the way, which cannot be taken back. */
const LONG = 'P1M';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium', timeZone: 'UTC' });

interface Moving {
  readonly now: string;
  readonly movingFrom?: string;
  readonly movingTo: string;
  readonly ran?: number;
}

/** Where the clock stands; asked for often while it moves, or is to. */
function useClockState(isAsked: boolean) {
  return useQuery({
    queryKey: ['clock'],
    queryFn: ({ signal }) => readClock(signal),
    refetchInterval: ({ state }) => (state.data?.movingTo === undefined && !isAsked ? false : 500),
  });
}

/** How far time itself has come: what is still to do is found out on the way. */
function MoveProgress({ now, movingFrom = now, movingTo, ran = 0 }: Moving) {
  const [at, from] = [Date.parse(now), Date.parse(movingFrom)];
  // A slow move has in the end to make up for the time that it took itself: it goes on beyond what was asked for.
  const to = Math.max(at, Date.parse(movingTo));
  return (
    <p className="soft small">
      <progress value={at - from} max={Math.max(1, to - from)} aria-label="How far the move is" />{' '}
      {format.format(at)} UTC, moving to {format.format(to)} UTC, {formatNumber(ran)} done
    </p>
  );
}

interface MoveFormsProps {
  readonly isMoving: boolean;
  readonly onStep: (advance: string) => void;
  readonly onSet: (at: string) => void;
}

function MoveForms({ isMoving, onStep, onSet }: MoveFormsProps) {
  return (
    <>
      <fieldset disabled={isMoving}>
        <legend className="small soft">Move on by</legend>
        <div className="row" style={{ marginTop: 6 }}>
          {STEPS.map(([advance, words]) => (
            <Button key={advance} onClick={() => onStep(advance)}>
              {words}
            </Button>
          ))}
        </div>
      </fieldset>
      <form
        className="row"
        style={{ alignItems: 'flex-end' }}
        onSubmit={(event) => {
          event.preventDefault();
          onSet(new Date(`${String(new FormData(event.currentTarget).get('at'))}Z`).toISOString());
        }}
      >
        <TextField label="Or to a time (UTC)" name="at" type="datetime-local" required />
        <Button type="submit" kind="main" busy={isMoving}>
          Move there
        </Button>
      </form>
    </>
  );
}

export function ClockCard() {
  const now = useNow();
  const session = useSession();
  const queries = useQueryClient();
  const { say } = useToasts();
  const [asked, setAsked] = useState(false);
  const [resetting, setResetting] = useState(false);
  const moving = useMutation({
    mutationFn: moveClock,
    onSuccess: ({ ran, remaining }) => {
      say(
        remaining === undefined
          ? `Time was moved; ${formatNumber(ran)} pieces of work were done`
          : 'Time is moving on',
      );
      // Whatever is shown was of another time.
      return queries.invalidateQueries();
    },
  });
  const clock = useClockState(moving.isPending);
  const { data } = clock;
  return (
    <Card title="Time of the sandbox" span={8}>
      <ReadProblem error={clock.error} data={clock.data} retry={() => void clock.refetch()} />
      <div className="stack" style={{ minHeight: 260 }}>
        <div>
          <p className="figure-value">{format.format(now)} UTC</p>
          <p className="soft small">
            {data === undefined
              ? '\u00a0'
              : Math.abs(data.offsetMs) < 1_000
                ? 'The same as real time'
                : `${formatSpan(data.offsetMs)} ${data.offsetMs > 0 ? 'ahead of' : 'behind'} real time`}
          </p>
          {data?.movingTo !== undefined && <MoveProgress {...data} movingTo={data.movingTo} />}
        </div>
        {mayAs(session, 'clock') && (
          <MoveForms
            isMoving={moving.isPending}
            onStep={(advance) => (advance === LONG ? setAsked(true) : moving.mutate({ advance }))}
            onSet={(set) => moving.mutate({ set })}
          />
        )}
        {moving.isError && <ErrorText error={moving.error} />}
        <p className="small soft">
          Everything that falls due on the way happens at its own time: retries, reminders, billing months.
        </p>
        {mayAs(session, 'admin') && (
          <div>
            <Button kind="danger" onClick={() => setResetting(true)}>
              Empty the sandbox
            </Button>
          </div>
        )}
      </div>
      {asked && (
        <ConfirmDialog
          title="Move on by a month?"
          action="Move on"
          busy={moving.isPending}
          error={null}
          onConfirm={() => {
            setAsked(false);
            moving.mutate({ advance: LONG });
          }}
          onClose={() => setAsked(false)}
        >
          <p>A billing month ends along the way, for every account. What happens then cannot be undone.</p>
        </ConfirmDialog>
      )}
      {resetting && (
        <ResetDialog
          onClose={() => setResetting(false)}
          onReset={() => {
            setResetting(false);
            moving.mutate({ reset: true });
          }}
        />
      )}
    </Card>
  );
}
