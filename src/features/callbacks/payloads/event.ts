import type { TObject } from 'typebox';
import type { ListenerService } from '../service-names.ts';

/** One kind of message: to which listener it goes and what stands in it, apart from what an attempt adds. */
export interface CallbackEvent {
  readonly serviceName: ListenerService;
  /** One sentence: what has happened when it arrives. */
  readonly summary: string;
  readonly schema: TObject;
  /** Made by the event's builder; valid, and always the same. */
  readonly sample: object;
}
