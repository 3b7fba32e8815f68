import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { readCallbacks } from '../../api/callbacks.ts';
import { listReports } from '../../api/reports.ts';
import { readClock } from '../../api/sandbox.ts';
import { useAccount } from '../../app/account.tsx';
import { useSession } from '../../app/session.tsx';
import { Badge } from '../../parts/Badge.tsx';
import { Card } from '../../parts/Card.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { maySteer } from '../../sandbox/use-clock-move.ts';

const LISTEN = 'npx linekeeper listen';
/** A larger offset from real time means that the clock was moved. */
const MOVED_MS = 60_000;

interface Step {
  readonly title: string;
  readonly text: ReactNode;
  /** Undefined until it is known. */
  readonly isDone: boolean | undefined;
}

function useSteps(): readonly Step[] {
  const accountName = useAccount();
  const steers = maySteer(useSession());
  const at = (page: string) => `/accounts/${accountName}/${page}`;
  const callbacks = useQuery({
    queryKey: ['callbacks', accountName, 'overview'],
    queryFn: ({ signal }) => readCallbacks(accountName, signal),
  });
  const reports = useQuery({
    queryKey: ['positions', accountName, 'first-reports'],
    queryFn: ({ signal }) => listReports(accountName, undefined, signal),
  });
  const clock = useQuery({
    queryKey: ['clock'],
    queryFn: ({ signal }) => readClock(signal),
    enabled: steers,
  });
  const listeners = callbacks.data?.listeners;
  return [
    {
      title: 'Register a listener',
      isDone: listeners?.some(({ url }) => url !== null),
      text: (
        <>
          <p>
            A listener is your URL that receives callbacks. <code>{LISTEN}</code> starts one on this machine
            and shows every callback; register it under <Link href={at('callbacks')}>Callbacks</Link>.
          </p>
          <CopyButton label="Copy the command" text={LISTEN} />
        </>
      ),
    },
    {
      title: 'Locate a device',
      isDone: reports.data && reports.data.reports.length > 0,
      text: (
        <p>
          Find out where devices are: <Link href={at('location-reports')}>create a location report</Link>, or
          choose a device in the <Link href={at('devices')}>list</Link>.
        </p>
      ),
    },
    {
      title: 'See the callback',
      isDone: listeners?.some(({ hasMessages }) => hasMessages),
      text: (
        <p>
          The service sent the network’s answer to your listener. You find each attempt in the{' '}
          <Link href={at('callbacks')}>delivery log</Link>, and each call in the{' '}
          {steers ? <Link href="/sandbox/requests">request log</Link> : 'request log'}.
        </p>
      ),
    },
    ...(steers
      ? [
          {
            title: 'Advance the clock',
            isDone: clock.data && Math.abs(clock.data.offsetMs) > MOVED_MS,
            text: (
              <p>
                To see retries, reminders and the end of a billing month, advance the clock with the bar
                above. Everything due along the way happens at its own time.
              </p>
            ),
          },
        ]
      : []),
  ];
}

/** The first steps of a developer, with those already done. */
export default function FirstSteps() {
  const steps = useSteps();
  const done = steps.filter(({ isDone }) => isDone === true).length;
  return (
    <>
      <PageHead title="First steps" note={`${done} of ${steps.length} done`} />
      <div className="grid">
        {steps.map(({ title, text, isDone }, n) => (
          <Card
            key={title}
            title={`${n + 1}. ${title}`}
            span={6}
            aside={isDone === true ? <Badge tone="good">Done</Badge> : <Badge>To do</Badge>}
          >
            <div className="stack" style={{ minHeight: 90, justifyItems: 'start' }}>
              {text}
            </div>
          </Card>
        ))}
      </div>
    </>
  );
}
