interface Wanted {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** Behind a pooler each transaction may run on another connection. */
  readonly pooled: boolean;
  readonly sharded: boolean;
}

/**
 * Of a distributed database. All that a transaction does on a server, it does over one connection: so it can write what rows
 * everywhere refer to after it has read from all servers, and needs no more connections than there are servers. What it sets
 * for itself holds on all of them.
 */
const OF_CLUSTER = {
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.propagate_set_commands': 'local',
};

/**
 * What a connection of ours is told when it is opened. A pooler passes on none of it, because the connection behind it
 * is anybody's: there each transaction says it for itself.
 */
export function sessionSettings({ statementTimeoutMs, lockTimeoutMs, pooled, sharded }: Wanted) {
  const limits = {
    statement_timeout: Math.round(statementTimeoutMs),
    lock_timeout: Math.round(lockTimeoutMs),
    // A machine that vanished closes nothing: without this its transactions would hold their locks for hours.
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
