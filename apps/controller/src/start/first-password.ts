import { randomInt } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { firstUser, seedFirstRows } from "#db/seed/first-rows.ts";
import { hashPassword, passwordFits } from "#domains/access/session/public.ts";
import { repeat } from "#kernel/repeat.ts";

/** Characters that are not taken for each other when read off a screen. */
const characters = "abcdefghjkmnpqrstuvwxyz23456789";

/** 12 characters, the longest that the rule of section 5 lets a person type: 59 bits. */
export const makePassword = (): string =>
  Array.from({ length: 12 }, () => characters[randomInt(characters.length)]).join("");

interface FirstStart {
  readonly pools: Pools<Database>;
  /** Where the password is kept. */
  readonly folder: string;
  readonly operatorName: string;
  /** From the settings. */
  readonly password: string | undefined;
  /** Instead of a password, where the demonstration's administrator goes on. */
  readonly passwordHash: string | undefined;
  /** Whether a new database starts with an alarm policy; the demonstration has its own ones. */
  readonly alarms: boolean;
}

export interface FirstPassword {
  /** Of `admin`, until the first login; null: it is not known. */
  readonly password: string | null;
  /** True: it was generated here, so that it has to be shown. */
  readonly isMade: boolean;
}

const passwordFile = (folder: string): string => join(folder, "first-password");

/**
 * Gives a new database its first rows. The administrator's password stays in a file that only this
 * user reads until the first login: a start that fails afterwards does not lose it, and
 * one that is given another password meanwhile sets that.
 */
export async function firstPassword(start: FirstStart): Promise<FirstPassword> {
  const { pools, folder, operatorName, password: given, passwordHash, alarms } = start;
  const kept = await readKept(folder);
  const password = given ?? kept ?? makePassword();
  const isNew = await seedFirstRows(pools, {
    operatorName,
    alarms,
    adminPasswordHash: async () => {
      if (passwordHash !== undefined) return passwordHash;
      // Before the rows are there: after them there is no second chance.
      await keep(folder, password);
      return hashPassword(password);
    },
  });
  if (isNew) return { password: passwordHash === undefined ? password : null, isMade: !given };
  if (kept === null) return { password: null, isMade: false };
  const hash = await adminHash(pools);
  if (!(await passwordFits(hash, kept))) {
    // Of another database, or changed since.
    await forgetPassword(folder);
    return { password: null, isMade: false };
  }
  if (given === undefined || given === kept) return { password: kept, isMade: !given };
  await setAdminHash(pools, await hashPassword(given));
  await keep(folder, given);
  return { password: given, isMade: false };
}

export const forgetPassword = (folder: string): Promise<void> =>
  rm(passwordFile(folder), { force: true });

async function readKept(folder: string): Promise<string | null> {
  const text = await readFile(passwordFile(folder), "utf8").catch(() => "");
  return text.trim() || null;
}

async function keep(folder: string, password: string): Promise<void> {
  const file = passwordFile(folder);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

async function adminHash(pools: Pools<Database>): Promise<string | null> {
  const { db } = pools.owner;
  const row = await db
    .selectFrom("sys_user")
    .select("password_hash")
    .where("id", "=", firstUser)
    .executeTakeFirst();
  return row?.password_hash ?? null;
}

/** Sets the first administrator's password and ends that account's sessions. */
export async function setAdminHash(pools: Pools<Database>, hash: string): Promise<string | null> {
  return pools.owner.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("sys_user")
      .set({ password_hash: hash, enabled: true, updated_at: sql`now()` })
      .where("id", "=", firstUser)
      .returning("login_name")
      .executeTakeFirst();
    await trx.deleteFrom("session").where("user_id", "=", firstUser).execute();
    return row?.login_name ?? null;
  });
}

const pollMs = 5_000;

/**
 * Removes the kept password after the first login of the first administrator.
 * @returns ends the watch
 */
export async function watchFirstLogin(
  pools: Pools<Database>,
  folder: string,
  logger: Pick<Logger, "error">,
): Promise<() => Promise<void>> {
  // What logged in before was the start itself, which makes the demonstration's rows.
  const before = (await lastLogin(pools)) ?? 0;
  let isForgotten = false;
  const check = async (): Promise<undefined> => {
    if (isForgotten) return;
    const last = await lastLogin(pools);
    if (last === null || last <= before) return;
    await forgetPassword(folder);
    isForgotten = true;
  };
  const checking = repeat("first login", pollMs, check, logger);
  return async () => {
    await checking.close();
    await check();
  };
}

async function lastLogin(pools: Pools<Database>): Promise<number | null> {
  const row = await pools.owner.db
    .selectFrom("login_record")
    .select(({ fn }) => fn.max("id").as("id"))
    .where("user_id", "=", firstUser)
    .where("success", "=", true)
    .executeTakeFirst();
  return row?.id == null ? null : Number(row.id);
}
