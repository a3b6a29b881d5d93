import { specialSystems } from "@weft/contract/domains/enterprises/enums.ts";
import type { Context } from "#kernel/api.ts";

/** Keys of the config list that say how the console looks (specification sections 3 and 9). */
const keys = ["sysConfig", "cpeMockOnline", "simulationGroup", "syslogoName"] as const;

interface DisplayConfig {
  /** A special system; empty: none. */
  readonly sysConfig: string;
  /** 1: offline CPEs of some enterprises are displayed as online. */
  readonly cpeMockOnline: number;
  /** Ids of enterprises, comma-joined. */
  readonly simulationGroup: string;
  readonly syslogoName: string;
}

/** Values of these keys in the config list of an enterprise; an unknown value counts as off. */
export async function displayConfig(
  { db }: Pick<Context, "db">,
  enterpriseId: number,
): Promise<DisplayConfig> {
  const rows = await db
    .selectFrom("config_item")
    .select(["config_key", "config_value"])
    .where("enterprise_id", "=", enterpriseId)
    .where("config_key", "in", [...keys])
    .execute();
  const values = new Map(rows.map((row) => [row.config_key, row.config_value.trim()]));
  const system = values.get("sysConfig") ?? "";
  return {
    sysConfig: specialSystems.includes(system) ? system : "",
    cpeMockOnline: values.get("cpeMockOnline") === "1" ? 1 : 0,
    simulationGroup: values.get("simulationGroup") ?? "",
    syslogoName: values.get("syslogoName") ?? "",
  };
}
