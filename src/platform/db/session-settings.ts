interface Wanted {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** Behind a pooler, each transaction may run on another connection. */
  readonly pooled: boolean;
  readonly sharded: boolean;
}

/**
 * For a distributed database. A transaction does all its work on a server over one connection: so it can write reference
 * tables after it has read from all servers, and needs no more connections than there are servers. Its own settings
 * apply on all of them.
 */
const OF_CLUSTER = {
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.propagate_set_commands': 'local',
};

/**
 * Settings of our connections, sent when they open. A pooler passes none of them on, because others share the connection
 * behind it: there, each transaction sets them itself.
 */
export function sessionSettings({ statementTimeoutMs, lockTimeoutMs, pooled, sharded }: Wanted) {
  const limits = {
    statement_timeout: Math.round(statementTimeoutMs),
    lock_timeout: Math.round(lockTimeoutMs),
    // A machine that vanished closes no connection: without this, its transactions would hold locks for hours.
    idle_in_transaction_session_timeout: Math.round(statementTimeoutMs),
  };
  const ofCluster = Object.entries(sharded ? OF_CLUSTER : {});
  if (!pooled)
    return {
      atStart: {
        ...limits,
        ...(sharded && { options: ofCluster.map(([name, value]) => `-c ${name}=${value}`).join(' ') }),
      },
      inTransaction: '',
    };
  const all = [...ofCluster, ...Object.entries(limits)];
  return {
    atStart: {},
    inTransaction: all.map(([name, value]) => `; set local ${name} = ${value}`).join(''),
  };
}
