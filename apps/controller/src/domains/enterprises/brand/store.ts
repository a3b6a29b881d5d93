import type { ThemeColour } from "@weft/contract/domains/access/theme.ts";
import {
  type BrandImage,
  type brandEdit,
  type brandGet,
  brandPath,
} from "@weft/contract/domains/enterprises/brand.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql, type Transaction } from "kysely";
import { type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Context } from "#kernel/api.ts";
import { asRefusal } from "#kernel/database-errors.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { unwritten, versionText } from "#kernel/row-version.ts";
import type { Picture } from "./picture.ts";

/** Operators, by role type (section 1). */
const operatorType = 0;

/** How the console looks; null: the default. Pictures are paths. */
export interface Brand {
  readonly name: string | null;
  readonly color: ThemeColour | null;
  readonly logo: string | null;
  readonly icon: string | null;
}

interface Stored {
  readonly name: string | null;
  readonly color: string | null;
  readonly logo: string | null;
  readonly icon: string | null;
}

const plain: Stored = { name: null, color: null, logo: null, icon: null };
const pathOf = (digest: string | null): string | null => digest && `${brandPath}/${digest}`;
const toBrand = ({ name, color, logo, icon }: Stored): Brand => ({
  name,
  color: color as ThemeColour | null,
  logo: pathOf(logo),
  icon: pathOf(icon),
});

/** How the console looks to an enterprise: each part its own, else of the nearest one above. */
export async function brandOf(ctx: Pick<Context, "db">, enterpriseId: number): Promise<Brand> {
  const { rows } = await sql<Stored>`select * from weft.brand_of(${enterpriseId})`.execute(ctx.db);
  return toBrand(rows[0] ?? plain);
}

/** The brand of a host name, before anyone is logged in; the default where none has it. */
export async function brandAt(trx: Transaction<Database>, host: string): Promise<Brand> {
  const { rows } = await sql<Stored>`
    select seen.* from brand b, weft.brand_of(b.enterprise_id) seen
    where b.host = ${host.toLowerCase()}`.execute(trx);
  return toBrand(rows[0] ?? plain);
}

/** Bytes of a picture; null: there is none of this digest. Public to all who know its address. */
export async function pictureBytes(pools: Pools<Database>, digest: string): Promise<Buffer | null> {
  const row = await scopedRead(pools.apiAll, { kind: "all" }, (trx) =>
    trx.selectFrom("brand_image").select("content").where("digest", "=", digest).executeTakeFirst(),
  );
  return row?.content ?? null;
}

const storedOf = (ctx: Context, enterpriseId: number) =>
  ctx.db
    .selectFrom("brand")
    .select(["name", "color", "host", "logo", "icon", "row_version"])
    .where("enterprise_id", "=", enterpriseId)
    .executeTakeFirst();

/** The enterprise, if it is one that a brand can belong to: the root or an agent. */
async function requireAgent(ctx: Context, enterpriseId: number): Promise<number | null> {
  const row = await ctx.db
    .selectFrom("enterprise")
    .select(["parent_id", "is_agent"])
    .where("id", "=", enterpriseId)
    .executeTakeFirst();
  if (!row) return refuse("notFound");
  if (row.parent_id === null || row.is_agent) return row.parent_id;
  return refuse("notAllowedNow", {
    reason: ["只有代理商有自己的品牌", "only agents have a brand"],
  });
}

/** A brand with defaults for unset values. */
export async function readBrand(
  ctx: Context,
  groupid: number,
): Promise<OutputOf<typeof brandGet> & { readonly rowVersion: string }> {
  const parent = await requireAgent(ctx, groupid);
  const stored = await storedOf(ctx, groupid);
  const above = parent === null ? toBrand(plain) : await brandOf(ctx, parent);
  const rowVersion = stored ? versionText(stored.row_version) : unwritten;
  return { groupid, ...toBrand(stored ?? plain), host: stored?.host ?? null, above, rowVersion };
}

/** Writes name, colour and host name; only an operator assigns host names, so that no enterprise takes another's. */
export async function setBrand(
  ctx: Context,
  { groupid, name, color, host: given }: Omit<InputOf<typeof brandEdit>, "rowVersion">,
): Promise<{ old: object; new: object }> {
  await requireAgent(ctx, groupid);
  const old = await storedOf(ctx, groupid);
  const host = given?.toLowerCase() ?? null;
  if (host !== (old?.host ?? null) && ctx.caller.roleType !== operatorType) {
    refuseField("host", "notAllowed");
  }
  const values = { name, color, host };
  await write(ctx, groupid, values).catch((error: unknown) => {
    throw asRefusal(error, { brand_host: { field: "host" } }, values) ?? error;
  });
  const { name: oldName = null, color: oldColor = null, host: oldHost = null } = old ?? {};
  return { old: { name: oldName, color: oldColor, host: oldHost }, new: values };
}

const write = (
  ctx: Context,
  enterpriseId: number,
  values: Partial<Stored & { host: string | null }>,
) =>
  ctx.db
    .insertInto("brand")
    .values({ enterprise_id: enterpriseId, ...values })
    .onConflict((conflict) =>
      conflict.column("enterprise_id").doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute();

/** Puts a picture in place of the one that was there; null takes it away. */
export async function setPicture(
  ctx: Context,
  enterpriseId: number,
  kind: BrandImage,
  picture: Picture | null,
): Promise<{ old: object; new: object }> {
  await requireAgent(ctx, enterpriseId);
  const old = await storedOf(ctx, enterpriseId);
  if (picture) {
    await ctx.db
      .insertInto("brand_image")
      .values({ enterprise_id: enterpriseId, digest: picture.digest, content: picture.content })
      .onConflict((conflict) => conflict.columns(["enterprise_id", "digest"]).doNothing())
      .execute();
  }
  await write(ctx, enterpriseId, { [kind]: picture?.digest ?? null });
  // What neither place shows any more is not kept.
  await sql`
    delete from brand_image i using brand b
    where i.enterprise_id = ${enterpriseId} and b.enterprise_id = i.enterprise_id
      and i.digest is distinct from b.logo and i.digest is distinct from b.icon`.execute(ctx.db);
  return { old: { [kind]: old?.[kind] ?? null }, new: { [kind]: picture?.digest ?? null } };
}
