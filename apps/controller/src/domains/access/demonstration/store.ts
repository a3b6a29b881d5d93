import type { Context } from "#kernel/api.ts";

/** Hash of the first administrator's password: the installation that comes takes it over. */
export async function firstPasswordHash(ctx: Context, id: number): Promise<string> {
  const { password_hash } = await ctx.db
    .selectFrom("sys_user")
    .select("password_hash")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return password_hash;
}
