import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type RecordRef, readRecord, type RecordDetail as Shown } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { mayChange, useSession } from '../../app/session.tsx';
import { useWayBack } from '../../app/use-filter.ts';
import { Button } from '../../parts/Button.tsx';
import { Card } from '../../parts/Card.tsx';
import { PageHead } from '../../parts/PageHead.tsx';
import { ReadProblem, Skeleton } from '../../parts/states.tsx';
import { AlertTable } from '../alerts/AlertTable.tsx';
import { RecordDialog } from './RecordDialog.tsx';
import { RulesCard } from './RulesCard.tsx';

const HEIGHT = 260;

function Fields({ record: { manufacturer, model, serial, fields } }: { readonly record: Shown }) {
  const rows = [
    ['manufacturer', manufacturer],
    ['productmodel', model],
    ['serial', serial],
    ...fields.map(({ name, value }) => [name, value] as const),
  ] as const;
  return (
    <dl className="facts">
      {rows.map(([name, value]) =>
        value === null ? null : (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd className="mono small">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export function RecordDetail({ kind, id }: RecordRef) {
  const accountName = useAccount();
  const session = useSession();
  const [editing, setEditing] = useState(false);
  const record = useQuery({
    queryKey: ['records', accountName, kind, id],
    queryFn: ({ signal }) => readRecord(accountName, { kind, id }, signal),
  });
  const { data } = record;
  const list = useWayBack(`/accounts/${accountName}/records/${kind}`);
  const problem = <ReadProblem error={record.error} data={record.data} retry={() => void record.refetch()} />;
  if (record.isError && record.data === undefined) return problem;
  return (
    <>
      <p className="small">
        <Link href={list}>← All {kind}s</Link>
      </p>
      <PageHead title={data?.name ?? 'Record'}>
        {data && mayChange(session, 'fleet') && <Button onClick={() => setEditing(true)}>Edit</Button>}
      </PageHead>
      {problem}
      <div className="grid">
        <Card title="Description" span={6}>
          <div className="stack" style={{ height: HEIGHT, alignContent: 'start', overflowY: 'auto' }}>
            {data === undefined ? (
              <Skeleton height={HEIGHT - 20} />
            ) : (
              <>
                <p>{data.description ?? <span className="soft">No description</span>}</p>
                <pre className="json">{data.customData}</pre>
              </>
            )}
          </div>
        </Card>
        <Card title="Properties" span={6}>
          <div style={{ height: HEIGHT, overflowY: 'auto' }}>
            {data === undefined ? <Skeleton height={HEIGHT - 20} /> : <Fields record={data} />}
          </div>
        </Card>
        <RulesCard kind={kind} id={id} />
        <Card title="Smart alerts" flush>
          <AlertTable filter={{ deviceId: id }} height={250} />
        </Card>
      </div>
      {editing && data && <RecordDialog record={data} onClose={() => setEditing(false)} />}
    </>
  );
}
