import { useState } from 'react';
import type { ClockState } from '../../api/sandbox.ts';
import { useNow } from '../../app/clock.tsx';
import { mayAs, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { ErrorText, ReadProblem } from '../../parts/states.tsx';
import { MoveForm } from '../../sandbox/MoveForm.tsx';
import { MoveProgress } from '../../sandbox/MoveProgress.tsx';
import { useClockMove, useClockState } from '../../sandbox/use-clock-move.ts';
import { formatSpan } from '../../text/format.ts';
import { ResetDialog } from './ResetDialog.tsx';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium', timeZone: 'UTC' });

function differenceOf({ offsetMs, frozen }: ClockState): string {
  const stands = frozen ? 'Frozen, ' : '';
  if (Math.abs(offsetMs) < 1_000) return frozen ? `${stands}at real time` : 'Same as real time';
  return `${stands}${formatSpan(offsetMs)} ${offsetMs > 0 ? 'ahead of' : 'behind'} real time`;
}

export function ClockCard() {
  const now = useNow();
  const session = useSession();
  const [resetting, setResetting] = useState(false);
  const moving = useClockMove();
  const clock = useClockState();
  const { data, isMoving } = clock;
  return (
    <Card title="Sandbox time" span={8}>
      <ReadProblem error={clock.error} data={clock.data} retry={() => void clock.refetch()} />
      <div className="stack" style={{ minHeight: 260 }}>
        <div>
          <p className="figure-value">{format.format(now)} UTC</p>
          <p className="soft small">{data === undefined ? '\u00a0' : differenceOf(data)}</p>
          {isMoving && <MoveProgress clock={data} />}
        </div>
        {mayAs(session, 'clock') && <MoveForm disabled={isMoving} onMove={(move) => moving.mutate(move)} />}
        {moving.isError && <ErrorText error={moving.error} />}
        {mayAs(session, 'admin') && (
          <div>
            <Button kind="danger" disabled={isMoving} onClick={() => setResetting(true)}>
              Empty the sandbox
            </Button>
          </div>
        )}
      </div>
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
