import { useParams } from 'wouter';
import { ReportDetail } from './ReportDetail.tsx';
import { ReportList } from './ReportList.tsx';

/** /location-reports is the list, /location-reports/<id> a single report. */
export default function Reports() {
  const { '*': txid } = useParams<{ '*'?: string }>();
  return txid === undefined || txid === '' ? <ReportList /> : <ReportDetail key={txid} txid={txid} />;
}
