import Fastify from 'fastify';
import pg from 'pg';

/** The minimal server for the same page of a report: one handler, one SELECT, the same text. The benchmark starts it. */
const { BENCH_DATABASE_URL: connectionString, BENCH_TXID: txid, BENCH_CONNECTIONS: max } = process.env;
const pool = new pg.Pool({ connectionString, max: Number(max) });
const app = Fastify();
const query = {
  name: 'page',
  text: `select msid, latitude, longitude, radius_m, located_at from location_entry
    where ecpd_id = $1 and txid = $2 and nth < 1000 order by nth`,
  values: ['9000001', txid],
};
app.get('/page', async () => ({
  startIndex: '0',
  txid,
  totalCount: 10_000,
  hasMoreData: true,
  devLocationList: (await pool.query(query)).rows.map((row) => ({
    msid: row.msid,
    pd: {
      x: String(row.latitude),
      y: String(row.longitude),
      radius: String(row.radius_m),
      qos: false,
      time: row.located_at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, ''),
    },
    error: {},
  })),
}));
process.stdout.write(`bare server on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
