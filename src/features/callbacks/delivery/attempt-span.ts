import type { Span, Tracing } from '../../../platform/telemetry/tracing/tracing.ts';
import type { DueMessage, Lane } from './lane.ts';

/** Of one attempt, under the call that the message came of. */
export const beginSpan = (
  tracing: Tracing,
  { accountName, serviceName }: Lane,
  { messageId, requestId, trace }: DueMessage,
  attempt: number,
): Span | undefined =>
  tracing.begin(`callback ${serviceName}`, {
    kind: 'client',
    parent: trace ?? undefined,
    attributes: {
      'linekeeper.account': accountName,
      'linekeeper.message_id': messageId,
      'linekeeper.request_id': requestId,
      'linekeeper.attempt': attempt,
    },
  });
