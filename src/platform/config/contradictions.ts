import { SAFE_COST } from '../crypto/password-hash.ts';

/** A wrong setting: the message is one sentence for the person who wrote it. */
export class ConfigError extends Error {}

type Text = string | undefined;

export interface Joint {
  readonly sandbox: boolean;
  readonly role: string;
  readonly databaseUrl: Text;
  readonly databaseDirectUrl: Text;
  readonly databaseReplicaUrl: Text;
  readonly secretKey: Text;
  readonly operatorKey: Text;
  readonly smtpUrl: Text;
  readonly mailFrom: Text;
  readonly tlsCertFile: Text;
  readonly tlsKeyFile: Text;
  readonly passwordCost: number;
}

function refuseInProduction(settings: Joint): void {
  const { databaseUrl, secretKey, operatorKey, smtpUrl, mailFrom, passwordCost } = settings;
  const absent = Object.entries({
    DATABASE_URL: databaseUrl,
    LINEKEEPER_SECRET_KEY: secretKey,
    LINEKEEPER_OPERATOR_KEY: operatorKey,
  })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  if (absent.length > 0) throw new ConfigError(`Production mode needs ${absent.join(', ')} to be set.`);
  if (smtpUrl !== undefined && mailFrom === undefined) {
    throw new ConfigError('LINEKEEPER_SMTP_URL needs LINEKEEPER_MAIL_FROM to be set in production.');
  }
  if (passwordCost < SAFE_COST) {
    throw new ConfigError(`LINEKEEPER_PASSWORD_COST must be ${SAFE_COST} or more in production.`);
  }
}

/** Settings that are right by themselves and wrong together. */
export function refuseContradictions(settings: Joint): void {
  const { sandbox, role, databaseUrl, databaseDirectUrl, databaseReplicaUrl, tlsCertFile, tlsKeyFile } =
    settings;
  if (!sandbox) refuseInProduction(settings);
  if ((tlsCertFile === undefined) !== (tlsKeyFile === undefined)) {
    throw new ConfigError('LINEKEEPER_TLS_CERT and LINEKEEPER_TLS_KEY must be set together.');
  }
  if (databaseUrl === undefined && role !== 'all') {
    throw new ConfigError(
      `LINEKEEPER_ROLE=${role} needs DATABASE_URL: the embedded database serves one process of role all.`,
    );
  }
  if (databaseUrl === undefined && (databaseDirectUrl ?? databaseReplicaUrl) !== undefined) {
    throw new ConfigError('DATABASE_DIRECT_URL and DATABASE_REPLICA_URL need DATABASE_URL to be set.');
  }
}
