import { Redirect, useParams } from 'wouter';
import { RECORD_KINDS } from '../../api/records.ts';
import { useAccount } from '../../app/account.tsx';
import { RecordDetail } from './RecordDetail.tsx';
import { RecordList } from './RecordList.tsx';

/** /records/<kind> is a list, /records/<kind>/<id> a single record. */
export default function Records() {
  const accountName = useAccount();
  const { '*': rest = '' } = useParams<{ '*'?: string }>();
  const [named, id] = rest.split('/');
  // Each list has one address, so that its filters can be restored.
  if (named === undefined || named === '')
    return <Redirect to={`/accounts/${accountName}/records/device`} replace />;
  const kind = RECORD_KINDS.find((one) => one === named) ?? 'device';
  return id === undefined || id === '' ? (
    <RecordList kind={kind} />
  ) : (
    <RecordDetail key={id} kind={kind} id={id} />
  );
}
