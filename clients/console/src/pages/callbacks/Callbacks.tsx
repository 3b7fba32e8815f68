import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ListenedService, listenersOf, readCallbacks } from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { FiguresCard } from './FiguresCard.tsx';
import { ListenerDialog } from './ListenerDialog.tsx';
import { ListenerTable } from './ListenerTable.tsx';
import { TestEventDialog } from './TestEventDialog.tsx';
import './callbacks.css';

type Open =
  | { readonly what: 'test' }
  | { readonly what: 'listener'; readonly serviceName?: ListenedService | undefined };

/** The same height for any number of listeners, so that the log below stays in place. */
const LISTENERS_PX = 304;

export default function Callbacks() {
  const accountName = useAccount();
  const session = useSession();
  const [open, setOpen] = useState<Open | undefined>();
  const listeners = useQuery({
    queryKey: ['callbacks', accountName, 'listeners'],
    queryFn: async ({ signal }) => listenersOf(await readCallbacks(accountName, signal)),
  });
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead title="Callbacks">
        {mayChange(session, 'callbacks') && (
          <>
            <Button onClick={() => setOpen({ what: 'test' })}>Send a test event</Button>
            <Button kind="main" onClick={() => setOpen({ what: 'listener' })}>
              Register a listener
            </Button>
          </>
        )}
      </PageHead>
      <div className="stack">
        <Card title="Listeners" flush>
          <div style={{ height: LISTENERS_PX, overflowY: 'auto' }}>
            <ReadProblem
              error={listeners.error}
              data={listeners.data}
              retry={() => void listeners.refetch()}
            />
            {listeners.isPending && <Skeleton height={LISTENERS_PX} />}
            {listeners.data && (
              <ListenerTable
                listeners={listeners.data.listeners}
                onEdit={(serviceName) => setOpen({ what: 'listener', serviceName })}
              />
            )}
          </div>
        </Card>
        <FiguresCard listeners={listeners.data?.listeners} />
        <DeliveryLog services={listeners.data?.services.map(({ serviceName }) => serviceName) ?? []} />
      </div>
      {open?.what === 'test' && listeners.data && <TestEventDialog {...listeners.data} onClose={close} />}
      {open?.what === 'listener' && listeners.data && (
        <ListenerDialog {...listeners.data} serviceName={open.serviceName} onClose={close} />
      )}
    </>
  );
}
