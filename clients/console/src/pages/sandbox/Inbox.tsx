import { useState } from 'react';
import { Link } from 'wouter';
import { type Channel, listMessages, type Message } from '../../api/sandbox.ts';
import { useFilter } from '../../app/use-filter.ts';
import { usePages } from '../../app/use-pages.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Button } from '../../parts/Button.tsx';
import { Empty, ReadProblem, Skeleton } from '../../parts/states.tsx';
import { TabPanel, Tabs } from '../../parts/Tabs.tsx';
import { TimeAgo } from '../../parts/TimeAgo.tsx';
import { formatTime } from '../../text/format.ts';

const CHANNELS = [
  { id: 'mail', label: 'Mail' },
  { id: 'sms', label: 'SMS' },
] as const;
const READ_MS = 5_000;
const WORDS = {
  waiting: ['Waiting', 'warn'],
  failed: ['Failed', 'bad'],
  captured: ['Captured', 'accent'],
  sent: ['Sent', 'good'],
} as const;

function StateWord({ state }: Pick<Message, 'state'>) {
  const [word, tone] = WORDS[state];
  return <Badge tone={tone}>{word}</Badge>;
}

function Opened({ message }: { readonly message: Message }) {
  const { subject, at, to, accountName, text, recipients, triggerId } = message;
  return (
    <article className="inbox-message stack" aria-label="Message">
      <div>
        <h2>{subject ?? `SMS to ${to[0]}`}</h2>
        <p className="soft small">{formatTime(at)}</p>
      </div>
      <dl className="facts">
        <dt>To</dt>
        <dd>
          {recipients.map((one) => (
            <p key={one.to}>
              {one.to} <StateWord state={one.state} />
              {one.reason !== null && <span className="soft small"> {one.reason}</span>}
            </p>
          ))}
        </dd>
        <dt>Account</dt>
        <dd>
          <Link className="mono" href={`/accounts/${accountName}/overview`}>
            {accountName}
          </Link>
        </dd>
        {triggerId !== null && (
          <>
            <dt>Trigger</dt>
            <dd className="mono">{triggerId}</dd>
          </>
        )}
      </dl>
      <p className="inbox-text">{text}</p>
    </article>
  );
}

/** The mails and SMS that the sandbox captured. */
export function Inbox() {
  const [asked, setAsked] = useFilter('channel');
  const channel: Channel = asked === 'sms' ? 'sms' : 'mail';
  const [openId, setOpenId] = useState<string | undefined>();
  const list = usePages(
    ['inbox', channel],
    (mark, signal) => listMessages(channel, mark, signal),
    () => READ_MS,
  );
  const messages = list.pages?.flatMap((page) => page.messages);
  const open = messages?.find(({ id }) => id === openId) ?? messages?.[0];
  return (
    <div className="stack">
      <Tabs
        label="Channel"
        tabs={CHANNELS}
        selected={channel}
        onSelect={(id) => setAsked(id === 'sms' ? id : '')}
      />
      <TabPanel label="Channel" selected={channel}>
        <ReadProblem error={list.error} data={messages} retry={list.retry} />
        <div className="card inbox">
          {messages === undefined && list.error === null && <Skeleton height={400} />}
          {messages?.length === 0 && (
            <Empty title={channel === 'mail' ? 'No mail sent yet' : 'No SMS sent yet'}>
              <p>Triggers that fire, and alerts of devices, send messages to their recipients.</p>
            </Empty>
          )}
          {messages !== undefined && messages.length > 0 && (
            <ul className="inbox-list" aria-label="Messages">
              {messages.map((message) => (
                <li key={message.id}>
                  <button
                    type="button"
                    aria-current={message.id === open?.id}
                    onClick={() => setOpenId(message.id)}
                  >
                    <span className="inbox-line">
                      <strong>{message.subject ?? message.text}</strong>
                    </span>
                    <span className="inbox-line small soft">
                      {message.to.join(', ')} · <TimeAgo at={String(message.at)} />
                    </span>
                  </button>
                </li>
              ))}
              {list.readMore !== undefined && (
                <li style={{ padding: 12 }}>
                  <Button onClick={list.readMore}>Show older messages</Button>
                </li>
              )}
            </ul>
          )}
          {open !== undefined && <Opened message={open} />}
        </div>
      </TabPanel>
    </div>
  );
}
