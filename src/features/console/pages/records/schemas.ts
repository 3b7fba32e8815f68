import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../../kernel/uuid.ts';
import { WireEvaluation } from '../../../device-management/index.ts';
import { WireAlert } from '../../../smart-alerts/index.ts';
import { PAGE_MAX, TextOrNull, Timestamp } from '../../schemas.ts';

const accountName = Type.String({ maxLength: 32 });
const Uuid = Type.String({ pattern: UUID_PATTERN });
const Kind = Type.Enum(['device', 'gateway', 'sensor']);
/** Text, not an object: numbers of 64 bits keep their digits through a browser. */
const JsonText = (description: string) => Type.String({ maxLength: 1_000_000, description });
const VersionId = Type.Optional(Type.String({ maxLength: 40, description: 'The one that was read' }));

export const KindParams = Type.Object({ accountName, kind: Kind });
export const RecordParams = Type.Object({ accountName, kind: Kind, recordId: Uuid });
export const RuleParams = Type.Object({ accountName, ruleId: Uuid });

export const SealedPage = {
  page: Type.Optional(Type.String({ maxLength: 500 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 100 })),
};
export const RecordQuery = Type.Object({
  ...SealedPage,
  selection: Type.Optional(
    Type.String({
      maxLength: 4_000,
      description: 'Field to value as JSON; all must be equal. Dots lead into objects',
    }),
  ),
});

const next = Type.Optional(Type.String());
const shown = {
  id: Type.String(),
  name: TextOrNull,
  description: TextOrNull,
  manufacturer: TextOrNull,
  model: TextOrNull,
  serial: TextOrNull,
  lastUpdated: TextOrNull,
};
export const WireRecords = Type.Object({ records: Type.Array(Type.Object(shown)), next });
export const WireRecordDetail = Type.Object({
  ...shown,
  kind: Kind,
  versionId: TextOrNull,
  customData: JsonText('customdata as JSON'),
  fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'What else is known, in the names of the interface',
  }),
});

export const RecordChange = Type.Object({
  versionId: VersionId,
  name: Type.Optional(Type.String({ maxLength: 200 })),
  description: Type.Optional(Type.String({ maxLength: 1_000 })),
  customData: Type.Optional(JsonText('customdata as JSON; replaced whole')),
});

const ruleFields = {
  name: Type.String({ maxLength: 200 }),
  description: Type.String({ maxLength: 1_000 }),
  disabled: Type.Boolean(),
  syntax: Type.String({ maxLength: 100 }),
  chain: JsonText('rulechain as JSON'),
};
export const RuleBody = Type.Object({ versionId: VersionId, ...ruleFields });
export const NewRuleBody = Type.Object({ deviceId: Uuid, ...ruleFields });
export const WireRule = Type.Object({
  id: Type.String(),
  versionId: TextOrNull,
  lastUpdated: TextOrNull,
  ...ruleFields,
  evaluation: WireEvaluation,
});
export const WireRules = Type.Object({ rules: Type.Array(WireRule), next });

const state = Type.Union([Type.Object(ruleFields), Type.Null()]);
export const WireRuleVersions = Type.Object({
  versions: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Timestamp,
      actorKind: Type.String(),
      actor: Type.String(),
      change: Type.Enum(['created', 'changed', 'imported']),
      before: state,
      after: state,
    }),
  ),
  next,
});

export const AlertQuery = Type.Object({
  ...SealedPage,
  state: Type.Optional(Type.Enum(['raised', 'cleared'])),
  deviceId: Type.Optional(Uuid),
});
export const WireAlertPage = Type.Object({ alerts: Type.Array(WireAlert), next });
export const AcknowledgeBody = Type.Object({
  ids: Type.Array(Uuid, { minItems: 1, maxItems: PAGE_MAX }),
  acknowledged: Type.Boolean(),
});
