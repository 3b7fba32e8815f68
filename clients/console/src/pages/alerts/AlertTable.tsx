import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { type AlertFilter, acknowledgeAlerts, listAlerts, type SmartAlert } from '../../api/alerts.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { type Column, TIME_WIDTH } from '../../parts/DataTable.tsx';
import { PagedTable } from '../../parts/PagedTable.tsx';
import { Empty } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';
import { formatTime } from '../../text/format.ts';

function Seen({ alert }: { readonly alert: SmartAlert }) {
  const accountName = useAccount();
  const session = useSession();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  const { id, name, acknowledged, acknowledgedby } = alert;
  const acknowledging = useMutation({
    mutationFn: () => acknowledgeAlerts(accountName, [id], !acknowledged),
    onSuccess: () => {
      say(acknowledged ? 'Acknowledgement withdrawn' : 'Alert acknowledged');
      return queries.invalidateQueries({ queryKey: ['alerts'] });
    },
    onError: complain,
  });
  return (
    <div className="row" style={{ flexWrap: 'nowrap' }}>
      {mayChange(session, 'fleet') && (
        <Button
          style={{ height: 28 }}
          busy={acknowledging.isPending}
          aria-label={`${acknowledged ? 'Take back the acknowledgement of' : 'Acknowledge'} ${name}`}
          onClick={() => acknowledging.mutate()}
        >
          {acknowledged ? 'Take back' : 'Acknowledge'}
        </Button>
      )}
      {acknowledged && <span className="small">by {acknowledgedby}</span>}
    </div>
  );
}

const columnsOf = (accountName: string, ofOne: boolean): readonly Column<SmartAlert>[] => [
  { title: 'Raised', width: TIME_WIDTH, wide: true, cell: ({ raisedon }) => formatTime(raisedon) },
  { title: 'Rule', width: 'minmax(96px, 1fr)', cell: ({ name }) => name },
  { title: 'Says', width: 'minmax(180px, 1.6fr)', wide: true, cell: ({ description }) => description },
  ...(ofOne
    ? []
    : [
        {
          title: 'Device',
          wide: true,
          width: '90px',
          cell: ({ deviceid, name }: SmartAlert) => (
            <Link href={`/accounts/${accountName}/devices/${deviceid}`} aria-label={`Device of ${name}`}>
              Show
            </Link>
          ),
        },
      ]),
  {
    title: 'State',
    width: 'minmax(90px, 0.8fr)',
    cell: ({ state, clearedon }) =>
      state === 'raised' ? (
        <Badge tone="bad">Raised</Badge>
      ) : (
        <span title={clearedon === null ? undefined : formatTime(clearedon)}>
          <Badge>Cleared</Badge>
        </span>
      ),
  },
  { title: 'Seen', width: 'minmax(156px, 1.4fr)', cell: (alert) => <Seen alert={alert} /> },
];

/** Alerts of the account, or of one device. */
export function AlertTable({
  filter,
  height,
}: {
  readonly filter: AlertFilter;
  readonly height: number | 'fill';
}) {
  const accountName = useAccount();
  const { state, deviceId } = filter;
  const list = usePages(['alerts', accountName, state, deviceId], (mark, signal) =>
    listAlerts(accountName, filter, mark, signal),
  );
  const columns = useMemo(() => columnsOf(accountName, deviceId !== undefined), [accountName, deviceId]);
  return (
    <PagedTable
      label="Smart alerts"
      columns={columns}
      list={list}
      rowsOf={({ alerts }) => alerts}
      keyOf={({ id }) => id}
      height={height}
      minWidth={920}
      empty={<Empty title="No rule has raised an alert" />}
    />
  );
}
