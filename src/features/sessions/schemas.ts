import { Type } from 'typebox';
import { PASSWORD_MAX, USERNAME_MAX } from './limits.ts';

export const TokenForm = Type.Object({
  grant_type: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  token: Type.Optional(Type.String({ maxLength: 512 })),
});

export const TokenAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.String(),
  expires_in: Type.Integer({ description: 'Seconds that remain of the hour since the first issue' }),
  scope: Type.String(),
});

export const LoginBody = Type.Object({
  username: Type.String({ minLength: 1, maxLength: USERNAME_MAX }),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX }),
});

export const SessionAnswer = Type.Object({ sessionToken: Type.String() });

export const ResetBody = Type.Object({ oldPassword: Type.String({ minLength: 1, maxLength: PASSWORD_MAX }) });
export const ResetAnswer = Type.Object({ newPassword: Type.String() });
