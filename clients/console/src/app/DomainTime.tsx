import { useNow } from './clock.tsx';
import { useSession } from './session.tsx';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** In the sandbox time is what the clock says, which need not be what it is. */
export function DomainTime() {
  const now = useNow();
  const { sandbox } = useSession();
  return (
    <span
      className="small soft number nowrap wide-only"
      title={sandbox ? 'Time of the sandbox' : 'Time of the service'}
    >
      {format.format(now)} UTC
    </span>
  );
}
