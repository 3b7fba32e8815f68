import { useParams } from 'wouter';
import { ReportDetail } from './ReportDetail.tsx';
import { ReportList } from './ReportList.tsx';

/** /location-reports is the list, /location-reports/<id> one of it. */
export default function Reports() {
  const { '*': txid } = useParams<{ '*'?: string }>();
  return txid === undefined || txid === '' ? <ReportList /> : <ReportDetail key={txid} txid={txid} />;
}
