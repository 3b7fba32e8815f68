import { useParams } from 'wouter';
import { Firings } from './Firings.tsx';
import { PricePlanDetail } from './PricePlanDetail.tsx';
import { TriggerList } from './TriggerList.tsx';
import { UsageDetail } from './UsageDetail.tsx';

/** /triggers and /triggers/usage are the lists, /triggers/firings all firings, /triggers/<kind>/<id> a single trigger. */
export default function Triggers() {
  const { '*': rest = '' } = useParams<{ '*'?: string }>();
  const [kind, triggerId] = rest.split('/');
  if (kind === 'firings') return <Firings />;
  if (triggerId === undefined || triggerId === '')
    return <TriggerList kind={kind === 'usage' ? 'usage' : 'price-plan'} />;
  return kind === 'usage' ? (
    <UsageDetail key={triggerId} triggerId={triggerId} />
  ) : (
    <PricePlanDetail key={triggerId} triggerId={triggerId} />
  );
}
