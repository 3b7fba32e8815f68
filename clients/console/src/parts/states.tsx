import { Link, useLocation } from 'wouter';
import { LinekeeperError } from '../../../sdk/index.ts';
import { refusalOf, statusOf } from '../api/client.ts';
import { Button } from './Button.tsx';

/** The error in a sentence. */
export function sentenceOf(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal !== undefined) {
    const { title, detail: said } = refusal;
    // Patterns are for programs.
    const detail = said?.replace(/ must match pattern .*$/s, ' has the wrong format');
    return detail === undefined ? title : `${title.replace(/\.$/, '')}: ${detail}`;
  }
  if (error instanceof LinekeeperError && error.kind === 'timedOut')
    return 'The service did not answer in time.';
  return 'The service cannot be reached.';
}

export function ErrorText({ error }: { readonly error: unknown }) {
  return (
    <p className="problem" role="alert">
      {sentenceOf(error)}
    </p>
  );
}

const saysNotFound = (error: unknown): boolean =>
  error instanceof LinekeeperError && error.code.endsWith('NotFound');

/** Areas of the interface refuse an unknown id with 400. An id of the wrong shape in an address is unknown as well. */
const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 ||
  saysNotFound(error) ||
  (statusOf(error) === 400 &&
    /must match pattern/.test(refusalOf(error)?.detail ?? refusalOf(error)?.title ?? ''));

/** Shown instead of a missing object, with links to other pages. */
export function NotFound({ title = 'Not found' }: { readonly title?: string }) {
  const [location] = useLocation();
  const above = location.split('/').slice(0, -1).join('/');
  const hasList = /^\/accounts\/[^/]+\/./.test(above);
  return (
    <div className="note" role="alert">
      <strong>{title}</strong>
      <p>It was deleted, or the address is wrong.</p>
      <p className="row">
        {hasList && <Link href={above}>Go to the list</Link>}
        <Link href="/">Go to the overview</Link>
      </p>
    </div>
  );
}

/** Shown instead of content that the viewer may not see. */
function NoAccess({ error }: { readonly error: unknown }) {
  return (
    <div className="note" role="alert">
      <strong>You have no access to this</strong>
      <p>{sentenceOf(error)}</p>
      <p>The operator of the service can give you access.</p>
      <Link href="/">Go to the overview</Link>
    </div>
  );
}

/** Shown instead of content that could not be loaded. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (isAbsent(error)) return <NotFound />;
  if (statusOf(error) === 403) return <NoAccess error={error} />;
  return (
    <div className="note" role="alert">
      <strong>{sentenceOf(error)}</strong>
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** A loading error: shown instead of the content, or above older content, which stays. */
export function ReadProblem({
  error,
  data,
  retry,
}: {
  readonly error: unknown;
  readonly data: unknown;
  readonly retry: () => void;
}) {
  if (error === null) return null;
  if (data === undefined) return <Problem error={error} retry={retry} />;
  return (
    <div className="strip" data-tone="bad" role="alert">
      It could not be refreshed. {sentenceOf(error)}
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}

/** Shown instead of an empty list. */
export function Empty({ title, children }: { readonly title: string; readonly children?: React.ReactNode }) {
  return (
    <div className="note">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** A placeholder with the size of the content, so that the layout stays still. */
export function Skeleton({
  height,
  width = '100%',
}: {
  readonly height: number;
  readonly width?: number | string;
}) {
  return <span className="skeleton" style={{ height, width }} aria-hidden="true" />;
}
