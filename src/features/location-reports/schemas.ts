import { Type } from 'typebox';
import { WireEntry } from '../locations/index.ts';

export const WorkPayload = Type.Object({ accountName: Type.String(), txid: Type.String() });
export const RelocatePayload = Type.Object({
  accountName: Type.String(),
  deviceIds: Type.Array(Type.String()),
});

export const ReportParams = Type.Object({ accountName: Type.String(), txid: Type.String({ maxLength: 64 }) });
export const PageParams = Type.Object({
  accountName: Type.String(),
  txid: Type.String({ maxLength: 64 }),
  startIndex: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});
export const CancelParams = Type.Object({ txid: Type.String({ maxLength: 64 }) });
export const CancelQuery = Type.Object({ accountName: Type.String() });

export const Accepted = Type.Object({
  txid: Type.String(),
  status: Type.String({ description: 'QUEUED, INPROGRESS, COMPLETED or CANCELLED' }),
});
export const Cancelled = Type.Object({ txid: Type.String() });

export const WireReport = Type.Object({
  startIndex: Type.String(),
  txid: Type.String(),
  totalCount: Type.Integer(),
  hasMoreData: Type.Boolean(),
  devLocationList: Type.Array(WireEntry),
});
