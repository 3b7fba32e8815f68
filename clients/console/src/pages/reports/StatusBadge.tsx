import { Badge, type Tone } from '../../parts/Badge.tsx';

const STATUSES: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  QUEUED: { tone: 'warn', word: 'Queued' },
  INPROGRESS: { tone: 'accent', word: 'In progress' },
  COMPLETED: { tone: 'good', word: 'Completed' },
  CANCELLED: { tone: 'none', word: 'Cancelled' },
};

export function StatusBadge({ status }: { readonly status: string }) {
  const { tone, word } = STATUSES[status] ?? { tone: 'none', word: status };
  return <Badge tone={tone}>{word}</Badge>;
}
