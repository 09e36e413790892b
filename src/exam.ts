export { exam } from "./exam/exam.ts";
export type { Evidence, SentEvent, TiedPayment, TiedSubscription } from "./exam/evidence.ts";
export type { Breach, Law, LawSetting } from "./exam/laws/law.ts";
export type {
  Act,
  ActContext,
  ActName,
  Acts,
  Books,
  BooksContext,
  Budget,
  ExamOptions,
  Job,
  MembershipInBooks,
  Opening,
  OrderInBooks,
  Policy,
  Shard,
} from "./exam/options.ts";
export type {
  BooksReading,
  Observations,
  ObservedAct,
  ObservedCall,
  UnansweredRequest,
} from "./exam/playing/observations.ts";
export type { Pace } from "./exam/pace.ts";
export type { StoreAdapter } from "./merchant/process/store.ts";
export { knexStore } from "./exam/stores/knex.ts";
export type { KnexInstance, KnexStoreOptions } from "./exam/stores/knex.ts";
export { pgliteStore } from "./exam/stores/pglite.ts";
export type { PgliteDatabase, PgliteStoreOptions } from "./exam/stores/pglite.ts";
export { postgresStore } from "./exam/stores/postgres.ts";
export type { PostgresClient, PostgresPool, PostgresStoreOptions } from "./exam/stores/postgres.ts";
export { redisStore } from "./exam/stores/redis.ts";
export type { RedisClient, RedisStoreOptions } from "./exam/stores/redis.ts";
export { sqliteStore } from "./exam/stores/sqlite.ts";
export type { SqliteDatabase, SqliteStoreOptions } from "./exam/stores/sqlite.ts";
export type { TestOptions, TestRunner } from "./exam/test-of-story.ts";
export type { TriedInExam } from "./exam/tried.ts";
export type { SeenOfResource, Unseen } from "./exam/unseen.ts";
export type { Failure, Verdict, VerdictFacts } from "./exam/verdict.ts";
