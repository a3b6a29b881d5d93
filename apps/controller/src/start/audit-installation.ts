import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { firstUser } from "#db/seed/first-rows.ts";

/** The row of the operation log for what a command changed of the installation itself. */
export async function auditInstallation(
  trx: Transaction<Database>,
  action: `installation.${string}`,
  values: { readonly old: object | null; readonly new: object },
): Promise<void> {
  const admin = await trx
    .selectFrom("sys_user")
    .select(["id", "enterprise_id"])
    .where("id", "=", firstUser)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("audit")
    .values({
      enterprise_id: admin.enterprise_id,
      user_id: admin.id,
      login_name: "system",
      action,
      resource: "installation",
      row_id: null,
      old_value: values.old && JSON.stringify(values.old),
      new_value: JSON.stringify(values.new),
      address: "",
      request_id: "",
    })
    .execute();
}
