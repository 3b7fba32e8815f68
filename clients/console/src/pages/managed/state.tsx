import type { Relation } from '../../api/managed.ts';
import { Badge, type Tone } from '../../parts/Badge.tsx';

const STATES: Readonly<Record<Relation['state'], { readonly tone: Tone; readonly word: string }>> = {
  added: { tone: 'warn', word: 'Added, not activated' },
  provisioned: { tone: 'good', word: 'Activated' },
};

export const relationWord = ({ state }: Pick<Relation, 'state'>): string => STATES[state].word;

export function RelationBadge({ state }: Pick<Relation, 'state'>) {
  return <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>;
}
