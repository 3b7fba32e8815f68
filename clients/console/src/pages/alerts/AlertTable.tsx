import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
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
import { sayCompared } from '../../text/comparison.ts';
import { formatNumber, formatTime } from '../../text/format.ts';

/** Most alerts acknowledged in one call. */
const CHOSEN_MAX = 1_000;

function useAcknowledging(onDone?: () => void) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say, complain } = useToasts();
  return useMutation({
    mutationFn: ({
      ids,
      acknowledged,
    }: {
      readonly ids: readonly string[];
      readonly acknowledged: boolean;
    }) => acknowledgeAlerts(accountName, ids, acknowledged),
    onSuccess: (_, { ids, acknowledged }) => {
      const what = ids.length === 1 ? 'Alert' : `${formatNumber(ids.length)} alerts`;
      say(acknowledged ? `${what} acknowledged` : 'Acknowledgement withdrawn');
      onDone?.();
      return queries.invalidateQueries({ queryKey: ['alerts'] });
    },
    onError: complain,
  });
}

function Seen({ alert }: { readonly alert: SmartAlert }) {
  const session = useSession();
  const { id, name, acknowledged, acknowledgedby } = alert;
  const acknowledging = useAcknowledging();
  return (
    <div className="row" style={{ flexWrap: 'nowrap' }}>
      {mayChange(session, 'fleet') && (
        <Button
          style={{ height: 28 }}
          busy={acknowledging.isPending}
          aria-label={`${acknowledged ? 'Withdraw the acknowledgement of' : 'Acknowledge'} ${name}`}
          onClick={() => acknowledging.mutate({ ids: [id], acknowledged: !acknowledged })}
        >
          {acknowledged ? 'Withdraw' : 'Acknowledge'}
        </Button>
      )}
      {acknowledged && <span className="small">by {acknowledgedby}</span>}
    </div>
  );
}

interface Choice {
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

const choiceColumn = ({ chosen, toggle }: Choice): Column<SmartAlert> => ({
  title: 'Select',
  width: '76px',
  wide: true,
  cell: ({ id, name, devicename, acknowledged }) => (
    <input
      type="checkbox"
      aria-label={`Select ${name} of ${devicename ?? 'a device'}`}
      disabled={acknowledged}
      checked={chosen.has(id)}
      onChange={() => toggle(id)}
    />
  ),
});

const deviceColumn = (accountName: string): Column<SmartAlert> => ({
  title: 'Device',
  sortBy: ({ devicename }) => devicename,
  width: 'minmax(110px, 1.3fr)',
  cell: ({ deviceid, devicename }) =>
    devicename === null ? (
      'No longer in this account'
    ) : (
      <Link href={`/accounts/${accountName}/devices/${deviceid}`}>{devicename}</Link>
    ),
});

/** What raised it: values and thresholds, or the time without data. */
const whyOf = ({ compared, description }: SmartAlert): string =>
  compared.length === 0 ? description : compared.map(sayCompared).join('; ');

const COLUMNS: readonly Column<SmartAlert>[] = [
  {
    title: 'Rule',
    sortBy: ({ name }) => name,
    width: 'minmax(110px, 1fr)',
    wide: true,
    cell: ({ name }) => name,
  },
  {
    title: 'Why',
    sortBy: whyOf,
    width: 'minmax(200px, 1.8fr)',
    wide: true,
    cell: (alert) => <span title={alert.description}>{whyOf(alert)}</span>,
  },
  {
    title: 'State',
    sortBy: ({ state }) => state,
    width: '78px',
    cell: ({ state, clearedon }) =>
      state === 'raised' ? (
        <Badge tone="bad">Raised</Badge>
      ) : (
        <span title={clearedon === null ? undefined : formatTime(clearedon)}>
          <Badge>Cleared</Badge>
        </span>
      ),
  },
  {
    title: 'Seen',
    sortBy: ({ acknowledged, acknowledgedby }) => (acknowledged ? `by ${acknowledgedby}` : ''),
    width: 'minmax(150px, 1.2fr)',
    cell: (alert) => <Seen alert={alert} />,
  },
];

/** Alerts of the account, newest first, or of one device. */
export function AlertTable({
  filter,
  height,
}: {
  readonly filter: AlertFilter;
  readonly height: number | 'fill';
}) {
  const accountName = useAccount();
  const session = useSession();
  const { state, deviceId } = filter;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const acknowledging = useAcknowledging(() => setChosen(new Set()));
  const list = usePages(['alerts', accountName, state, deviceId], (mark, signal) =>
    listAlerts(accountName, filter, mark, signal),
  );
  const changes = mayChange(session, 'fleet');
  const columns = useMemo((): readonly Column<SmartAlert>[] => {
    const toggle = (id: string) =>
      setChosen(
        (before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
      );
    return [
      ...(changes ? [choiceColumn({ chosen, toggle })] : []),
      {
        title: 'Raised',
        sortBy: ({ raisedon }) => raisedon,
        width: TIME_WIDTH,
        wide: true,
        cell: ({ raisedon }) => formatTime(raisedon),
      },
      ...(deviceId === undefined ? [deviceColumn(accountName)] : []),
      ...COLUMNS,
    ];
  }, [accountName, deviceId, changes, chosen]);
  const open = list.pages?.flatMap(({ alerts }) => alerts).filter(({ acknowledged }) => !acknowledged) ?? [];
  return (
    <>
      {changes && open.length > 0 && (
        <div className="strip">
          {chosen.size === 0
            ? 'Select alerts to acknowledge them together.'
            : `${formatNumber(chosen.size)} selected.`}
          <Button onClick={() => setChosen(new Set(open.slice(0, CHOSEN_MAX).map(({ id }) => id)))}>
            Select all shown
          </Button>
          <Button
            kind="main"
            disabled={chosen.size === 0}
            busy={acknowledging.isPending}
            onClick={() => acknowledging.mutate({ ids: [...chosen], acknowledged: true })}
          >
            Acknowledge selected
          </Button>
        </div>
      )}
      <PagedTable
        label="Smart alerts"
        file="alerts"
        columns={columns}
        list={list}
        rowsOf={({ alerts }) => alerts}
        keyOf={({ id }) => id}
        height={height}
        minWidth={1_040}
        empty={
          <Empty title="No rule has raised an alert">
            <p>Rules check what devices report. You create them on the page of a device record.</p>
          </Empty>
        }
      />
    </>
  );
}
