import { Type } from 'typebox';
import { UUID_PATTERN } from '../../../kernel/uuid.ts';
import { LISTENER_SERVICES } from '../../callback-payloads/index.ts';

export const ServiceName = Type.Enum([...LISTENER_SERVICES]);
export const MessageId = Type.String({ pattern: UUID_PATTERN });
