import { defaultParams } from "@weft/contract/domains/enterprises/param-config.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#kernel/api.ts";

/**
 * The moment up to which an end counts as due soon: as many days from now as the caller's own
 * enterprise set. A value of the statement, so that lists ask no second time for it.
 */
export const dueSoonAt = (ctx: Context): RawBuilder<Date> => sql`now() + coalesce(
  (select expire_notice_days from enterprise_param
   where enterprise_id = ${ctx.caller.enterpriseId}), ${defaultParams.expireNoticeDays})
  * interval '1 day'`;
