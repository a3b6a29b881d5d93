/** The real API on a database of the test's own, called as a client calls it. */
import { errorNumbers } from "@weft/contract/errors.ts";
import { grantedMenus } from "@weft/contract/grants.ts";
import type { Envelope } from "@weft/contract/kernel/endpoint.ts";
import { isUploadedFile, type UploadedFile } from "@weft/contract/kernel/uploaded-file.ts";
import type { GrantedMenu } from "@weft/contract/menu.ts";
import { type Permission, permissionCodes } from "@weft/contract/permissions.ts";
import type { FastifyInstance, InjectOptions } from "fastify";
import { sql } from "kysely";
import { pino } from "pino";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { seedFirstRows } from "#db/seed/first-rows.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { hashPassword } from "#domains/access/session/public.ts";
import type { Site } from "#kernel/api.ts";
import type { MeasureStore } from "#metrics-store/store.ts";
import { createApp } from "#start/app.ts";

export const adminPassword = "s3cret-Pass";

let passwordHash: Promise<string> | undefined;
/** Hash of the password of all users here: making one costs as much as a login, on purpose. */
const knownHash = (): Promise<string> => {
  passwordHash ??= hashPassword(adminPassword);
  return passwordHash;
};

export interface Answer extends Envelope {
  /** Of an internal error what the log says of it, so that a failed test shows the bug. */
  readonly bug?: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface NewUser {
  readonly enterpriseId: number;
  /** Section 6: 1 own enterprise, 2 own data, 3 own and subordinate, 4 selected enterprises. */
  readonly dataScope: number;
  readonly permissions?: readonly Permission[];
  /** Entries of the menu that have no code; all of them unless said otherwise. */
  readonly menus?: readonly GrantedMenu[];
  readonly selected?: readonly number[];
  /** 0 controller, 1 agent, 2 enterprise (the default). */
  readonly roleType?: number;
}

export interface TestApi {
  readonly app: FastifyInstance;
  readonly database: TestDatabase<Database>;
  /** Every line of the log. */
  readonly logged: Record<string, unknown>[];
  /** A GET with these query fields. */
  get(
    path: string,
    query: object,
    token?: string,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** A POST with these fields as form-data. */
  post(path: string, fields: object, token?: string): Promise<Answer>;
  send(options: InjectOptions): Promise<Answer>;
  logIn(loginName: string, password?: string): Promise<string>;
  /** Makes a user with a role of its own, and logs in. */
  userToken(user: NewUser): Promise<string>;
  close(): Promise<void>;
}

const boundary = "----weft-test-boundary";

/** A file of a form, out of its text. */
export const textFile = (name: string, text: string): UploadedFile => ({
  name,
  bytes: new TextEncoder().encode(text),
});

/** The body of a browser's form-data, and its type. */
export function formData(fields: object): { payload: string; headers: Record<string, string> } {
  const parts = Object.entries(fields).map(([name, value]) => {
    const isFile = isUploadedFile(value);
    const file = isFile ? `; filename="${value.name}"` : "";
    const text = isFile ? new TextDecoder().decode(value.bytes) : String(value);
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return {
    payload: `${parts.join("")}--${boundary}--\r\n`,
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}

/**
 * Starts it; every call below goes the whole way but for the socket. A gateway has listened for an hour, and goes on doing
 * so: what devices are silent about in a test, they are silent about themselves.
 * @param prepare mounts calls of the test's own.
 * @param consoleDir a built console to serve beside the calls.
 */
export async function testApi(
  prepare?: (app: FastifyInstance) => void,
  consoleDir?: string,
  measures?: MeasureStore,
  site?: Site,
): Promise<TestApi> {
  const database = await testDatabase<Database>();
  const logged: Record<string, unknown>[] = [];
  const sink = { write: (line: string) => void logged.push(JSON.parse(line)) };
  const logger = pino({ level: "info" }, sink);
  const app = await createApp({
    pools: database.pools,
    logger,
    consoleDir,
    ...(measures && { measures }),
    ...(site && { site }),
  });
  prepare?.(app);
  await seedFirstRows(database.pools, {
    operatorName: "运营中心",
    adminPasswordHash: knownHash,
  });
  await sql`insert into weft.gateway_process (id, addresses, started_at, seen_at)
    values (gen_random_uuid(), '{}', now() - interval '1 hour', 'infinity')`.execute(
    database.pools.owner.db,
  );
  const bugOf = (requestId: string | undefined): string | null => {
    const line = logged.find((one) => one.requestId === requestId && one.err);
    return line ? JSON.stringify(line.err) : null;
  };
  const send = async (options: InjectOptions): Promise<Answer> => {
    const reply = await app.inject(options);
    const envelope = reply.json<Envelope>();
    const bug = envelope.code === errorNumbers.internal ? bugOf(envelope.requestId) : null;
    const { statusCode: status, headers } = reply;
    return { ...envelope, status, headers, ...(bug !== null && { bug }) };
  };
  const api: Omit<TestApi, "userToken"> = {
    app,
    database,
    logged,
    send,
    get: (path, query, token, headers = {}) =>
      send({ method: "GET", url: path, query: { ...query, ...(token && { token }) }, headers }),
    post: (path, fields, token) =>
      send({
        method: "POST",
        url: path,
        ...(token && { query: { token } }),
        ...formData(fields),
      }),
    async logIn(loginName, password = adminPassword) {
      const answer = await api.post("/api/v1/customer/login", { loginName, password });
      if (answer.code !== 0) throw new Error(`login of ${loginName}: ${answer.msg}`);
      return (answer.data as { token: string }).token;
    },
    async close() {
      await app.close();
      await database.drop();
    },
  };
  return { ...api, userToken: (user) => userToken(api, user) };
}

let users = 0;

async function userToken(
  { database, logIn }: Omit<TestApi, "userToken">,
  {
    enterpriseId,
    dataScope,
    permissions = permissionCodes,
    menus = grantedMenus,
    selected = [],
    roleType = 2,
  }: NewUser,
): Promise<string> {
  const loginName = `user${++users}`;
  const password_hash = await knownHash();
  await inScope(database.pools.apiAll, { kind: "all" }, async (trx) => {
    const enterprise_id = enterpriseId;
    const user = await trx
      .insertInto("sys_user")
      .values({ enterprise_id, login_name: loginName, password_hash })
      .returning("id")
      .executeTakeFirstOrThrow();
    const role = await trx
      .insertInto("role")
      .values({
        enterprise_id,
        code: loginName,
        name: loginName,
        role_type: roleType,
        data_scope: dataScope,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const role_id = role.id;
    if (permissions.length + menus.length > 0) {
      await trx
        .insertInto("role_permission")
        .values(
          [...permissions, ...menus].map((permission) => ({ role_id, enterprise_id, permission })),
        )
        .execute();
    }
    for (const id of selected) {
      await trx.insertInto("role_enterprise").values({ role_id, enterprise_id: id }).execute();
    }
    await trx
      .insertInto("user_role")
      .values({ user_id: user.id, role_id, enterprise_id })
      .execute();
  });
  return logIn(loginName);
}
