import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Listeners,
  readEvent,
  sendTestEvent,
  type TestEvent,
  type TestPayload,
} from '../../api/callbacks.ts';
import { useAccount } from '../../app/account.tsx';
import { Button } from '../../parts/Button.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { SelectField, TextArea } from '../../parts/fields.tsx';
import { ErrorText, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { useToasts } from '../../parts/toasts.tsx';

/** The size that the service counts, without white space between members. */
const PAYLOAD_MAX_BYTES = 64 * 1024;
const bytesOf = (value: object): number => new TextEncoder().encode(JSON.stringify(value)).length;

type Parsed = { readonly payload: TestPayload } | { readonly problem: string };

const isObject = (value: unknown): value is TestPayload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Only an object can be sent, because each attempt adds its own members. */
function parsePayload(text: string): Parsed {
  try {
    const payload: unknown = JSON.parse(text);
    if (!isObject(payload)) return { problem: 'It must be a JSON object: { … }' };
    return bytesOf(payload) > PAYLOAD_MAX_BYTES ? { problem: 'It is larger than 64 KiB' } : { payload };
  } catch (error) {
    return { problem: `It is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
}

/** The events that can be sent; services with a listener come first. */
const eventsOf = ({ services, listeners }: Listeners) => {
  const heard = new Set<string>(listeners.map(({ serviceName }) => serviceName));
  return services
    .filter((service) => service.events.length > 0)
    .toSorted((a, b) => Number(heard.has(b.serviceName)) - Number(heard.has(a.serviceName)))
    .flatMap(({ serviceName, events }) =>
      events.map((event) => ({ ...event, serviceName, isHeard: heard.has(serviceName) })),
    );
};

/** The text of the chosen event's sample, until the user edits it. */
function usePayload(event: TestEvent | undefined) {
  const accountName = useAccount();
  const [written, setWritten] = useState<string | undefined>();
  const sample = useQuery({
    queryKey: ['events', accountName, event],
    queryFn: ({ signal }) => readEvent(accountName, event!, signal),
    enabled: event !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const text = written ?? (sample.data && JSON.stringify(sample.data.payload, null, 2));
  return { sample, text, isWritten: written !== undefined, setWritten };
}

/** Sends a sample of any callback, edited or not. It is signed, retried and logged like a real one. */
export function TestEventDialog({ onClose, ...known }: Listeners & { readonly onClose: () => void }) {
  const accountName = useAccount();
  const queries = useQueryClient();
  const { say } = useToasts();
  const [events] = useState(() => eventsOf(known));
  const [name, setName] = useState(events[0]?.name);
  const chosen = events.find((event) => event.name === name);
  const { sample, text, isWritten, setWritten } = usePayload(name);
  const parsed = text === undefined ? undefined : parsePayload(text);
  const problem = parsed !== undefined && 'problem' in parsed ? parsed.problem : undefined;
  const sending = useMutation({
    mutationFn: async (payload: TestPayload) => {
      if (name !== undefined) await sendTestEvent(accountName, name, payload);
    },
    onSuccess: async () => {
      say(`${name} sent`);
      onClose();
      await queries.invalidateQueries({ queryKey: ['callbacks'] });
      await queries.invalidateQueries({ queryKey: ['figures'] });
    },
  });
  return (
    <Dialog title="Send a test event" wide isFilled={isWritten} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (parsed !== undefined && 'payload' in parsed) sending.mutate(parsed.payload);
        }}
      >
        <SelectField
          label="Event"
          value={name}
          onChange={({ target }) => {
            setWritten(undefined);
            setName(events.find((event) => event.name === target.value)?.name);
          }}
          options={events.map((event) => ({
            value: event.name,
            label: `${event.serviceName}: ${event.name}`,
          }))}
          hint={chosen?.summary}
        />
        {chosen !== undefined && !chosen.isHeard && (
          <p className="small soft">
            The account has no listener for {chosen.serviceName}, so the callback will be logged as failed.
          </p>
        )}
        <ReadProblem error={sample.error} data={sample.data} retry={() => void sample.refetch()} />
        {sample.isPending && <Skeleton height={320} />}
        {text !== undefined && (
          <TextArea
            label="Payload"
            data-payload
            rows={14}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setWritten(target.value)}
            problem={problem}
            hint="A JSON object. The service adds a new requestId and the fields that each attempt adds."
          />
        )}
        {sending.isError && <ErrorText error={sending.error} />}
        <div className="form-actions">
          {isWritten && <Button onClick={() => setWritten(undefined)}>Put the sample back</Button>}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="main"
            type="submit"
            busy={sending.isPending}
            disabled={parsed === undefined || problem !== undefined}
          >
            Send
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
