import { defaultParams } from "@weft/contract/domains/enterprises/param-config.ts";
import { type RawBuilder, sql } from "kysely";
import type { Context } from "#kernel/api.ts";

/** IANA name of an enterprise's time zone. */
export async function timeZoneOf(
  { db }: Pick<Context, "db">,
  enterpriseId: number,
): Promise<string> {
  const row = await db
    .selectFrom("enterprise_param")
    .select("timezone")
    .where("enterprise_id", "=", enterpriseId)
    .executeTakeFirst();
  return row?.timezone ?? defaultParams.timezone;
}

/** A moment as people of a time zone read it: `2026-11-22 19:20:00 (UTC+8)`. */
export function inTimeZone(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    timeZoneName: "shortOffset",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? "";
  const offset = of("timeZoneName").replace("GMT", "UTC");
  const day = `${of("year")}-${of("month")}-${of("day")}`;
  return `${day} ${of("hour")}:${of("minute")}:${of("second")} (${offset})`;
}

/**
 * The moment up to which an end counts as due soon: as many days from now as the caller's own
 * enterprise set. A value of the statement, so that lists ask no second time for it.
 */
export const dueSoonAt = (ctx: Context): RawBuilder<Date> => sql`now() + coalesce(
  (select expire_notice_days from enterprise_param
   where enterprise_id = ${ctx.caller.enterpriseId}), ${defaultParams.expireNoticeDays})
  * interval '1 day'`;

export { paramsOf } from "./store.ts";
