import { useParams } from 'wouter';
import { RECORD_KINDS } from '../../api/records.ts';
import { RecordDetail } from './RecordDetail.tsx';
import { RecordList } from './RecordList.tsx';

/** /records/<kind> is a list, /records/<kind>/<id> one of it. */
export default function Records() {
  const { '*': rest = '' } = useParams<{ '*'?: string }>();
  const [named, id] = rest.split('/');
  const kind = RECORD_KINDS.find((one) => one === named) ?? 'device';
  return id === undefined || id === '' ? <RecordList kind={kind} /> : <RecordDetail kind={kind} id={id} />;
}
