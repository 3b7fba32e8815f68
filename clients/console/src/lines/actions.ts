import { type ActionKind, equipmentId, type Line, type LineAction } from '../api/lines.ts';
import { formatNumber } from '../text/format.ts';

interface ActionWords {
  /** Text of its button. */
  readonly label: string;
  /** Line states that the action applies to; absent for all. */
  readonly from?: readonly string[];
  /** Removes service: above the number in a setting, the user must type the number of lines. */
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

/** Says what will happen to how many lines. */
export function sentenceOf(action: LineAction, lines: string, accountName: string, until: string): string {
  const those = `${lines} of account ${accountName}`;
  switch (action.kind) {
    case 'activate':
      return `Activate ${those} on the plan ${action.servicePlan || '…'}. Billing begins.`;
    case 'suspend':
      return `Suspend ${those} until ${until} at the latest; then they become active again automatically. Until then they cannot send or receive.`;
    case 'restore':
      return `Restore ${those}. Their suspension ends now.`;
    case 'deactivate':
      return action.deletes
        ? `Deactivate ${those} and delete them with all their data. This cannot be undone.`
        : `Deactivate ${those}. They lose their service at once.`;
    case 'plan':
      return `Change ${those} to the plan ${action.servicePlan || '…'}, effective now.`;
    case 'locate':
      return `Locate ${those} with ${action.precise ? 'precise' : 'coarse'} accuracy. Each located line is billed.`;
    case 'consent':
      return `Set the consent of ${those}: ${LEVELS[action.level]}.`;
    case 'exclude':
      return `Exclude ${those} from location, regardless of their consent.`;
    case 'allow':
      return `Remove ${those} from the list of exclusions. Their consent applies again.`;
    case 'label':
      return action.value === null
        ? `Remove the label ${action.name || '…'} from ${those}.`
        : `Label ${those}: ${action.name || '…'} = ${action.value || '…'}.`;
  }
}

interface Sorting {
  /** The lines to send. */
  readonly sent: readonly Line[];
  /** Notes on lines left out and on lines that the service will refuse. */
  readonly notes: readonly string[];
}

/** Splits the lines into those to send and those left out, with notes for the user. */
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
        ? [`${countLines(refused)} in another state: these will be refused, each with a reason.`]
        : []),
    ],
  };
}
