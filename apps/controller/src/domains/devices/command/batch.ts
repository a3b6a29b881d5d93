import { cpeBatchReboot } from "@weft/contract/domains/devices/cpe-batch.ts";
import { batchAction } from "#batch/batch-action.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { admitPassword } from "#domains/access/session/public.ts";
import { cpeTargets } from "#domains/devices/node/public.ts";
import { startCommand } from "./start-command.ts";

/**
 * Commands to many devices at once. A row is done when its command waits for the device, which takes it
 * within moments; its result is listed with the device's commands.
 */
export const commandBatches = (pools: Pools<Database>) => [
  batchAction(cpeBatchReboot, {
    targets: cpeTargets,
    before: (caller, { password }) => admitPassword(pools, caller, password),
    // The password was checked once, and is kept nowhere.
    prepare: async () => ({}),
    act: async (ctx, id) => {
      await startCommand(ctx, id, { kind: "reboot" });
    },
    personOnly: "it asks for the login password of a person",
  }),
];
