import type { Ctx, Tenant } from '../../../platform/context/context.ts';

/** The consent under which a message was posted. It leaves only while that consent still holds. */
export interface RestsOn {
  readonly deviceId: string;
  readonly accuracy: 'coarse' | 'precise';
  /** There was none when it was asked for: the lack of it is told in other words then. */
  readonly deniedWhenAsked?: boolean;
}

export interface RestingMessage {
  readonly messageId: string;
  /** As it is stored. */
  readonly payload: string;
  readonly restsOn: RestsOn;
}

/** Asked just before messages of an account leave: answers what is said instead where consent is gone, by message. */
export type WithholdPayloads = (
  ctx: Ctx,
  tenant: Tenant,
  messages: readonly RestingMessage[],
) => Promise<ReadonlyMap<string, string>>;
