type Query = (sql: string) => Promise<readonly unknown[]>;

/** Keeps the rows of all tables in a schema of its own. Returns the statements that put them back. */
export async function keepRows(query: Query): Promise<string> {
  const ask = async (sql: string): Promise<readonly Readonly<Record<string, string>>[]> =>
    (await query(sql)) as readonly Readonly<Record<string, string>>[];
  const tables = await ask(
    "select format('%I.%I', nspname, relname) as name, 'centavo_exam.t' || c.oid as kept, (select string_agg(format('%I', attname), ', ') from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns from pg_class c join pg_namespace n on n.oid = relnamespace where relkind = 'r' and nspname !~ '^pg_' and nspname <> 'information_schema' order by c.oid",
  );
  if (tables.length === 0) return "select 1";
  const restore = [`truncate ${tables.map(({ name }) => name).join(", ")} restart identity cascade`];
  await query("create schema centavo_exam");
  for (const { name, kept, columns } of tables) {
    if ((await ask(`select from ${name} limit 1`)).length === 0) continue;
    await query(`create table ${kept} as select ${columns} from ${name}`);
    restore.push(`insert into ${name} (${columns}) overriding system value select ${columns} from ${kept}`);
  }
  const sequences = await ask(
    "select format('%L, %s, %L', format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value is not null) as terms from pg_sequences",
  );
  for (const { terms } of sequences) restore.push(`select setval(${terms})`);
  return restore.join("; ");
}
