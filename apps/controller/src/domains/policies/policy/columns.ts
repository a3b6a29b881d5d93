/** Where the families of policy objects lie in the database. */
import { type PolicyTableName, policyTables } from "#domains/policies/schema.ts";

/** Fields whose column has another name than theirs. */
const odd: Readonly<Record<string, string>> = { enable: "enabled" };

/** Column of a family's field: its name in snake case. */
export const columnOf = (field: string): string =>
  odd[field] ?? field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** @throws Error for a family without a table. */
export const tableOf = (family: string): PolicyTableName => {
  const table = (policyTables as Readonly<Record<string, PolicyTableName>>)[family];
  if (!table) throw new Error(`the family ${family} has no table`);
  return table;
};
