import { type ActionKind, equipmentId, type Line, type LineAction } from '../api/lines.ts';
import { formatNumber } from '../text/format.ts';

interface ActionWords {
  /** On a button. */
  readonly label: string;
  /** States of lines that it works for; all where absent. */
  readonly from?: readonly string[];
  /** Takes service away: more lines than a setting's number have to be typed. */
  readonly isHard?: boolean;
  /** Lines without an IMEI, MEID or ESN are left out. */
  readonly isByEquipment?: boolean;
}

export const ACTIONS: Readonly<Record<ActionKind, ActionWords>> = {
  suspend: { label: 'Suspend', from: ['active'], isHard: true },
  restore: { label: 'Restore', from: ['suspend'] },
  plan: { label: 'Change plan', from: ['active'] },
  locate: { label: 'Locate', isByEquipment: true },
  label: { label: 'Label' },
  consent: { label: 'Set consent', isByEquipment: true },
  exclude: { label: 'Exclude from location', isByEquipment: true, isHard: true },
  allow: { label: 'Allow location again', isByEquipment: true },
  activate: { label: 'Activate', from: ['pre-active', 'deactive'] },
  deactivate: { label: 'Deactivate', from: ['pre-active', 'active', 'suspend'], isHard: true },
};

export const countLines = (count: number): string =>
  count === 1 ? '1 line' : `${formatNumber(count)} lines`;

const LEVELS: readonly string[] = [
  'precise and coarse location allowed',
  'only precise location allowed',
  'only coarse location allowed',
  'all location denied',
];
export const LEVEL_CHOICES = LEVELS.map((text, level) => ({
  value: String(level),
  label: text.charAt(0).toUpperCase() + text.slice(1),
}));

/** What will happen, to how many lines. */
export function sentenceOf(action: LineAction, lines: string, accountName: string, until: string): string {
  const those = `${lines} of account ${accountName}`;
  switch (action.kind) {
    case 'activate':
      return `Activate ${those} on the plan ${action.servicePlan || '…'}. Billing begins.`;
    case 'suspend':
      return `Suspend ${those} until ${until} at the latest; then they return to active by themselves. They cannot send or receive meanwhile.`;
    case 'restore':
      return `Restore ${those}. Their suspension ends now.`;
    case 'deactivate':
      return action.deletes
        ? `Deactivate ${those} and delete them with everything that is known of them. This cannot be taken back.`
        : `Deactivate ${those}. They lose their service at once.`;
    case 'plan':
      return `Put ${those} on the plan ${action.servicePlan || '…'} from now on.`;
    case 'locate':
      return `Locate ${those}, as ${action.precise ? 'precisely' : 'coarsely'} as that. Each located line is billed.`;
    case 'consent':
      return `Set the consent of ${those}: ${LEVELS[action.level]}.`;
    case 'exclude':
      return `Exclude ${those} from being located, whatever their consent says.`;
    case 'allow':
      return `Take ${those} out of the list of exclusions. Their consent decides again.`;
    case 'label':
      return action.value === null
        ? `Take the label ${action.name || '…'} from ${those}.`
        : `Label ${those}: ${action.name || '…'} = ${action.value || '…'}.`;
  }
}

interface Sorting {
  /** To be sent. */
  readonly sent: readonly Line[];
  /** What is said about the others, and about those that will be refused. */
  readonly notes: readonly string[];
}

/** Which lines are sent, and what is to be expected of some of them. */
export function sortLines(kind: ActionKind, lines: readonly Line[]): Sorting {
  const { from, isByEquipment = false } = ACTIONS[kind];
  const sent = isByEquipment ? lines.filter((line) => equipmentId(line) !== undefined) : lines;
  const left = lines.length - sent.length;
  const refused =
    from === undefined ? 0 : sent.filter(({ state }) => state !== 'unknown' && !from.includes(state)).length;
  return {
    sent,
    notes: [
      ...(left > 0 ? [`${countLines(left)} without IMEI, MEID or ESN: left out.`] : []),
      ...(refused > 0
        ? [`${countLines(refused)} in another state: will be refused, each with its reason.`]
        : []),
    ],
  };
}
