import { useNow } from './clock.tsx';
import { useSession } from './session.tsx';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Shows domain time, which in the sandbox may differ from real time. */
export function DomainTime() {
  const now = useNow();
  const { sandbox } = useSession();
  return (
    <span className="small soft number nowrap wide-only" title={sandbox ? 'Sandbox time' : 'Service time'}>
      {format.format(now)} UTC
    </span>
  );
}
