import Fastify from 'fastify';
import pg from 'pg';

/** The minimal server for the same row: one handler, one SELECT, no tokens, no schema. The benchmark starts it. */
const {
  BENCH_DATABASE_URL: connectionString,
  BENCH_QUERY: text,
  BENCH_VALUES: values,
  BENCH_CONNECTIONS: max,
} = process.env;
const pool = new pg.Pool({ connectionString, max: Number(max) });
const app = Fastify();
const query = { name: 'bare', text: text!, values: JSON.parse(values!) };
app.get('/bare', async () => (await pool.query(query)).rows[0]);
process.stdout.write(`bare server on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
