import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { listFaults } from '../api/sandbox.ts';
import { useNow } from '../app/clock.tsx';
import { Badge } from '../parts/Badge.tsx';
import { Button } from '../parts/Button.tsx';
import { Popover } from '../parts/Popover.tsx';
import { useToasts } from '../parts/toasts.tsx';
import { MoveForm } from './MoveForm.tsx';
import { MoveProgress } from './MoveProgress.tsx';
import './sandbox.css';
import { TOOLS } from './tools.ts';
import { useClockMove, useClockState, useFreeze, useMoveNews } from './use-clock-move.ts';

const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});
const QUICK = [
  ['PT5M', '5 min', '5 minutes'],
  ['PT1H', '1 h', '1 hour'],
  ['P1D', '1 day', '1 day'],
] as const;
const FAULTS_READ_MS = 15_000;

/** Reminds everyone that injected failures are active, because their effects are puzzling otherwise. */
function FailingBadge() {
  const faults = useQuery({
    queryKey: ['faults'],
    queryFn: ({ signal }) => listFaults(signal),
    refetchInterval: FAULTS_READ_MS,
  });
  const rules = faults.data?.length ?? 0;
  return rules === 0 ? null : <Badge tone="warn">{rules}</Badge>;
}

/** The clock and the tools of the sandbox, on every page. */
export function SandboxBar() {
  const now = useNow();
  const { complain } = useToasts();
  const clock = useClockState();
  useMoveNews(clock.data);
  const moving = useClockMove();
  const freezing = useFreeze();
  const { data, isMoving } = clock;
  const move = (to: Parameters<typeof moving.mutate>[0]) => moving.mutate(to, { onError: complain });
  const frozen = data?.frozen === true;
  return (
    <section className="sandbox-bar" aria-label="Sandbox">
      <strong className="sandbox-word wide-only">Sandbox</strong>
      <time className="number nowrap" title="Sandbox time" dateTime={new Date(now).toISOString()}>
        {format.format(now)} UTC
      </time>
      {isMoving ? (
        <MoveProgress clock={data} />
      ) : (
        <>
          <Button
            aria-label={frozen ? 'Unfreeze the clock' : 'Freeze the clock'}
            busy={freezing.isPending}
            onClick={() => freezing.mutate(!frozen)}
          >
            {frozen ? 'Unfreeze' : 'Freeze'}
          </Button>
          {frozen && (
            <span className="wide-only">
              <Badge tone="warn">Frozen</Badge>
            </span>
          )}
          <span className="row wide-only" style={{ flexWrap: 'nowrap', gap: 4 }}>
            {QUICK.map(([advance, short, words]) => (
              <Button
                key={advance}
                aria-label={`+ ${short}: advance by ${words}`}
                onClick={() => move({ advance })}
              >
                + {short}
              </Button>
            ))}
          </span>
          <Popover label="Advance the clock further" button="Advance…">
            {(close) => (
              <div className="sandbox-move">
                <MoveForm
                  disabled={isMoving}
                  onMove={(to) => {
                    close();
                    move(to);
                  }}
                />
              </div>
            )}
          </Popover>
        </>
      )}
      <nav className="sandbox-tools" aria-label="Sandbox tools">
        {TOOLS.map(({ id, label }) => (
          <Link key={id} href={`/sandbox/${id}`} className="wide-only">
            {label}
            {id === 'failures' && <FailingBadge />}
          </Link>
        ))}
        <Link href="/sandbox" className="narrow-only">
          Tools
        </Link>
      </nav>
    </section>
  );
}
